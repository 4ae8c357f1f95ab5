//! The verbs on API keys.

mod uses;

use std::sync::Arc;

use hny_domain::{ApiKey, Caller, Clock, Domains, KeyDraft, KeyId, KeyInput, KeyMaker, Timestamp};
use hny_store::{LastAdmin, NewKey, Revocation, Store, StoreError};
use subtle::ConstantTimeEq;
use thiserror::Error;

use crate::error::Error;
use crate::randomness::Randomness;
use crate::secret::{self, Secret};

use uses::Uses;

/// Issues, checks, lists and revokes API keys. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Keys {
    store: Store,
    domains: Arc<Domains>,
    clock: Clock,
    randomness: Randomness,
    uses: Uses,
}

/// A key at the only time its text is known.
pub struct IssuedKey {
    /// What is shown of it later too.
    pub key: ApiKey,
    /// The key itself.
    pub text: String,
}

/// Why a presented key opens nothing. They are told apart for our own tests; callers get one answer for all.
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
    /// Its time is over.
    #[error("this API key has expired")]
    Expired,
    /// The store cannot say.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Keys {
    /// The verbs over `store`.
    pub fn new(store: Store, domains: Arc<Domains>, clock: Clock, randomness: Randomness) -> Self {
        Self { uses: Uses::new(store.clone()), store, domains, clock, randomness }
    }

    /// Makes a key that is given no more than its maker has, for no longer. Its text is in the answer and nowhere else.
    pub async fn issue(&self, caller: Caller, input: KeyInput<'_>) -> Result<IssuedKey, Error> {
        if !caller.may_manage_keys() {
            return Err(refusal(caller));
        }
        let now = self.clock.now();
        let maker = KeyMaker { caller, expires_at: self.end_of(caller).await? };
        let draft = input.check(maker, &self.domains, now).map_err(Error::Invalid)?;
        if !caller.may_manage(draft.grant) {
            return Err(Error::NotAllowed);
        }
        let KeyDraft { name, grant, expires_at } = draft;
        let secret = Secret::draw(&self.randomness);
        let key = self.store.insert_key(NewKey { name, grant, expires_at, secret_hash: secret.hash(), now }).await?;
        let text = secret.write(key.id);
        Ok(IssuedKey { key, text })
    }

    /// From when on the caller's own key opens nothing.
    async fn end_of(&self, caller: Caller) -> Result<Option<Timestamp>, Error> {
        match caller.owner() {
            Some(id) => Ok(self.store.find_key(id).await?.and_then(|found| found.key.expires_at)),
            None => Ok(None),
        }
    }

    /// Who presents this key. The store is asked every time, so a key that is revoked opens nothing from then on, on every node.
    pub async fn authenticate(&self, text: &str) -> Result<Caller, KeyError> {
        let (id, secret) = secret::read(text).ok_or(KeyError::Malformed)?;
        let found = self.store.find_key(id).await?;
        // An unknown number is compared all the same, so that the time of an answer does not tell which numbers exist.
        let expected = found.as_ref().map_or([0; 32], |found| found.secret_hash);
        let is_same = bool::from(secret.hash().ct_eq(&expected));
        let key = found.filter(|_| is_same).ok_or(KeyError::Unknown)?.key;
        let now = self.clock.now();
        if key.revoked_at.is_some() {
            return Err(KeyError::Revoked);
        }
        if key.has_expired(now) {
            return Err(KeyError::Expired);
        }
        self.uses.note(&key, now);
        Ok(Caller::Key(key.id, key.grant))
    }

    /// The keys that the caller may see, revoked ones too, by their numbers.
    pub async fn list(&self, caller: Caller) -> Result<Vec<ApiKey>, Error> {
        if caller == Caller::Anonymous {
            return Err(refusal(caller));
        }
        let mut keys = self.store.list_keys().await?;
        keys.retain(|key| caller.sees_key(key));
        Ok(keys)
    }

    /// A key that the caller may see.
    pub async fn find(&self, caller: Caller, id: KeyId) -> Result<ApiKey, Error> {
        if caller == Caller::Anonymous {
            return Err(refusal(caller));
        }
        let found = self.store.find_key(id).await?.map(|found| found.key);
        found.filter(|key| caller.sees_key(key)).ok_or(Error::KeyNotFound)
    }

    /// Revokes a key, at once and for good. The last that may do everything is revoked only by who can make another.
    pub async fn revoke(&self, caller: Caller, id: KeyId) -> Result<(), Error> {
        // What a key was given never changes, so this is true of it to the end.
        if !caller.may_manage(self.find(caller, id).await?.grant) {
            return Err(Error::NotAllowed);
        }
        let last = if caller == Caller::Operator { LastAdmin::Revoke } else { LastAdmin::Keep };
        match self.store.revoke_key(id, last, self.clock.now()).await? {
            Revocation::Revoked => Ok(()),
            Revocation::NoSuchKey => Err(Error::KeyNotFound),
            Revocation::LastAdmin => Err(Error::LastAdminKey),
        }
    }
}

/// What somebody is told who may not do this with keys at all.
fn refusal(caller: Caller) -> Error {
    if caller == Caller::Anonymous { Error::KeyNeeded(Vec::new()) } else { Error::NotAllowed }
}
