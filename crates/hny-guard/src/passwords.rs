//! Passwords of links: hashed so that whoever gets the database cannot read them, and slowly so that they cannot be tried out.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use argon2::{Algorithm, Argon2, Params, PasswordHash as Phc, PasswordHasher, PasswordVerifier, Version};
use hny_domain::{PasswordHash, password};
use rand::CryptoRng;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};
use tokio::task::{JoinSet, spawn_blocking};

/// Argon2id with what OWASP asks for at least: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// The bytes of a salt.
const SALT: usize = 16;

/// For each one that is hashed, so many may wait: at most a second or two.
const WAITING: usize = 32;

/// Hashes and checks passwords, on threads where it does not hold up others.
///
/// Each takes 19 MiB while it is hashed, so only some are at once, some more wait, and all others are refused.
#[derive(Clone)]
pub struct Passwords(Arc<Inner>);

struct Inner {
    argon2: Argon2<'static>,
    /// How many are served at once.
    parallel: usize,
    /// Whoever waits or is served.
    admitted: Arc<Semaphore>,
    /// Whoever is served.
    served: Arc<Semaphore>,
    generator: Mutex<Box<dyn CryptoRng + Send>>,
}

/// Why a password was neither hashed nor checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PasswordError {
    /// Too many wait already.
    #[error("too many passwords are being checked; try again")]
    Busy,
    /// The stored hash is none.
    #[error("a stored password hash cannot be read")]
    Damaged,
}

impl Passwords {
    /// Serves `parallel` at once; at least one. Salts come from `generator`.
    pub fn new(parallel: usize, generator: impl CryptoRng + Send + 'static) -> Self {
        let parallel = parallel.max(1);
        // They are within the bounds of the algorithm, whose own choice is the same.
        let params = Params::new(MEMORY_KIB, PASSES, LANES, None).unwrap_or_default();
        Self(Arc::new(Inner {
            argon2: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            parallel,
            admitted: Arc::new(Semaphore::new(parallel * (1 + WAITING))),
            served: Arc::new(Semaphore::new(parallel)),
            generator: Mutex::new(Box::new(generator)),
        }))
    }

    /// The hash of a password, with a salt of its own.
    pub async fn hash(&self, password: &str) -> Result<PasswordHash, PasswordError> {
        let (salt, password) = (self.salt(), password.to_owned());
        let hash = self.serve(move |argon2| {
            argon2
                .hash_password_with_salt(password.as_bytes(), &salt)
                .map(|hash: Phc| PasswordHash::new(hash.to_string()))
        });
        hash.await?.map_err(|_| PasswordError::Damaged)
    }

    /// The hashes of many passwords, in their order. No more are asked for at a time than are served at once, so however many they are,
    /// others find a place to wait, and have their turn between them.
    pub async fn hash_all(&self, passwords: Vec<String>) -> Vec<Result<PasswordHash, PasswordError>> {
        let mut hashes = vec![Err(PasswordError::Busy); passwords.len()];
        let (mut rest, mut asked) = (passwords.into_iter().enumerate(), JoinSet::new());
        loop {
            for (number, password) in rest.by_ref().take(self.0.parallel - asked.len()) {
                let passwords = self.clone();
                asked.spawn(async move { (number, passwords.hash(&password).await) });
            }
            match asked.join_next().await {
                Some(Ok((number, hash))) => hashes[number] = hash,
                // It does not panic, and is cancelled only with the whole runtime.
                Some(Err(_)) => {}
                None => return hashes,
            }
        }
    }

    /// Whether this password has this hash. What no password can be has none.
    pub async fn verify(&self, password: &str, hash: &PasswordHash) -> Result<bool, PasswordError> {
        if password::check(password).is_err() {
            return Ok(false);
        }
        let (password, hash) = (password.to_owned(), hash.clone());
        let verified = self.serve(move |argon2| {
            let hash = Phc::new(hash.as_str()).map_err(|_| PasswordError::Damaged)?;
            Ok(argon2.verify_password(password.as_bytes(), &hash).is_ok())
        });
        verified.await?
    }

    /// Does it when it is its turn. Once begun it goes on even if nobody waits any more, and keeps its turn until it is done:
    /// whoever hangs up makes no room.
    async fn serve<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Argon2<'_>) -> T + Send + 'static,
    ) -> Result<T, PasswordError> {
        let admitted = match Arc::clone(&self.0.admitted).try_acquire_owned() {
            Ok(permit) => permit,
            Err(TryAcquireError::NoPermits | TryAcquireError::Closed) => return Err(PasswordError::Busy),
        };
        let served = Arc::clone(&self.0.served).acquire_owned().await.map_err(|_| PasswordError::Busy)?;
        let inner = Arc::clone(&self.0);
        let done = spawn_blocking(move || {
            let _turn: (OwnedSemaphorePermit, OwnedSemaphorePermit) = (admitted, served);
            work(&inner.argon2)
        });
        // It does not panic, and it is cancelled only with the whole runtime.
        done.await.map_err(|_| PasswordError::Busy)
    }

    fn salt(&self) -> [u8; SALT] {
        let mut salt = [0; SALT];
        // A generator has no state that a panic could leave half done.
        self.0.generator.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(&mut salt);
        salt
    }
}

impl fmt::Debug for Passwords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passwords")
    }
}

#[cfg(test)]
mod tests;
