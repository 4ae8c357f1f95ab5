//! The verbs on API keys.

use hny_domain::{Caller, Clock, FieldError, KeyId, Role};
use hny_store::{Key, NewKey, Store, StoreError};
use subtle::ConstantTimeEq;
use thiserror::Error;

use crate::error::Error;
use crate::randomness::Randomness;
use crate::secret::{self, Secret};

/// The longest name of a key, in characters.
const MAX_NAME_LENGTH: usize = 100;

/// Issues, checks, lists and revokes API keys. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Keys {
    store: Store,
    clock: Clock,
    randomness: Randomness,
}

/// A key at the only time its text is known.
pub struct IssuedKey {
    /// What the store keeps.
    pub key: Key,
    /// The key itself.
    pub text: String,
}

/// Why a presented key opens nothing. The three are told apart for our own tests; callers get one answer for all.
#[derive(Debug, Clone, Error)]
pub enum KeyError {
    /// Not a key, or mistyped.
    #[error("this is not an API key")]
    Malformed,
    /// No such key, or another secret.
    #[error("there is no such API key")]
    Unknown,
    /// It was revoked.
    #[error("this API key was revoked")]
    Revoked,
    /// The store cannot say.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Keys {
    /// The verbs over `store`.
    pub fn new(store: Store, clock: Clock, randomness: Randomness) -> Self {
        Self { store, clock, randomness }
    }

    /// Makes a key. Its text is in the answer and nowhere else.
    pub async fn issue(&self, name: &str, role: Role) -> Result<IssuedKey, Error> {
        check_name(name)?;
        let secret = Secret::draw(&self.randomness);
        let new = NewKey { name: name.to_owned(), role, secret_hash: secret.hash(), now: self.clock.now() };
        let key = self.store.insert_key(new).await?;
        let text = secret.write(key.id);
        Ok(IssuedKey { key, text })
    }

    /// Who presents this key.
    pub async fn authenticate(&self, text: &str) -> Result<Caller, KeyError> {
        let (id, secret) = secret::read(text).ok_or(KeyError::Malformed)?;
        let key = self.store.find_key(id).await?;
        // An unknown number is compared all the same, so that the time of an answer does not tell which numbers exist.
        let expected = key.as_ref().map_or([0; 32], |key| key.secret_hash);
        let is_same = bool::from(secret.hash().ct_eq(&expected));
        match key {
            Some(key) if is_same && key.revoked_at.is_none() => Ok(Caller::Key(key.id, key.role.into())),
            Some(_) if is_same => Err(KeyError::Revoked),
            _ => Err(KeyError::Unknown),
        }
    }

    /// All keys, revoked ones too.
    pub async fn list(&self) -> Result<Vec<Key>, Error> {
        Ok(self.store.list_keys().await?)
    }

    /// Revokes a key, at once and for good; `false` when there is none with this id.
    pub async fn revoke(&self, id: KeyId) -> Result<bool, Error> {
        Ok(self.store.revoke_key(id, self.clock.now()).await?)
    }
}

fn check_name(name: &str) -> Result<(), Error> {
    let detail = if name.trim().is_empty() {
        "a key needs a name by which people know it"
    } else if name.chars().count() > MAX_NAME_LENGTH {
        "a name has at most 100 characters"
    } else if name.chars().any(char::is_control) {
        "a name has no control characters"
    } else {
        return Ok(());
    };
    Err(Error::Invalid(vec![FieldError::new("name", detail)]))
}
