//! The contract for API keys.

use std::fmt;

use hny_domain::{ApiKey, Grant, KeyId, Timestamp};

use crate::store::Engine;
use crate::{Store, StoreError};

/// An API key to be stored. The secret itself never comes here.
#[derive(Clone)]
pub struct NewKey {
    /// A name for people.
    pub name: String,
    /// What it is given. A domain must be one that the database knows.
    pub grant: Grant,
    /// From when on it opens nothing.
    pub expires_at: Option<Timestamp>,
    /// What a presented secret is compared with.
    pub secret_hash: [u8; 32],
    /// When it is made.
    pub now: Timestamp,
}

/// An API key as the database has it.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredKey {
    /// All that may be shown.
    pub key: ApiKey,
    /// What a presented secret is compared with.
    pub secret_hash: [u8; 32],
}

/// What became of a wish to revoke a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revocation {
    /// It is revoked, now or before.
    Revoked,
    /// There is none with this id.
    NoSuchKey,
    /// It is the last that may do everything, and was to be kept.
    LastAdmin,
}

/// Whether the last key that may do everything, and works, may be revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastAdmin {
    /// It may.
    Revoke,
    /// It may not: whoever asks could not get in again.
    Keep,
}

impl Store {
    /// Stores a key under a new id.
    pub async fn insert_key(&self, key: NewKey) -> Result<ApiKey, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.insert_key(key).await,
            Engine::Postgres(postgres) => postgres.insert_key(key).await,
        }
    }

    /// The key with this id, revoked or not. It is asked for where revoking is written, so what is revoked is so at once, for every
    /// process.
    pub async fn find_key(&self, id: KeyId) -> Result<Option<StoredKey>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.find_key(id),
            Engine::Postgres(postgres) => postgres.find_key(id).await,
        }
    }

    /// All keys, revoked ones too, by ascending id.
    pub async fn list_keys(&self) -> Result<Vec<ApiKey>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.list_keys().await,
            Engine::Postgres(postgres) => postgres.list_keys().await,
        }
    }

    /// Revokes a key. One that was revoked before keeps its first time. Whether it is the last that may do everything is decided
    /// together with the change, however many are revoked at once.
    pub async fn revoke_key(&self, id: KeyId, last: LastAdmin, now: Timestamp) -> Result<Revocation, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.revoke_key(id, last, now).await,
            Engine::Postgres(postgres) => postgres.revoke_key(id, last, now).await,
        }
    }

    /// Notes that a key was used at this time, unless a later one is noted.
    pub async fn note_key_use(&self, id: KeyId, at: Timestamp) -> Result<(), StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.note_key_use(id, at).await,
            Engine::Postgres(postgres) => postgres.note_key_use(id, at).await,
        }
    }
}

impl fmt::Debug for NewKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewKey").field("name", &self.name).field("grant", &self.grant).finish_non_exhaustive()
    }
}

impl fmt::Debug for StoredKey {
    /// Without the hash: it is of no use in a log, except to somebody who should not have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredKey").field("key", &self.key).finish_non_exhaustive()
    }
}
