//! The contract for API keys.

use std::fmt;

use hny_domain::{KeyId, Role, Timestamp};

use crate::store::Engine;
use crate::{Store, StoreError};

/// An API key to be stored. The secret itself never comes here.
#[derive(Clone)]
pub struct NewKey {
    /// A name for people; several keys may have the same.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// What a presented secret is compared with.
    pub secret_hash: [u8; 32],
    /// When it is made.
    pub now: Timestamp,
}

/// An API key as the database has it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    /// Its public number, never given twice.
    pub id: KeyId,
    /// A name for people.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it opens nothing; `None` while it does.
    pub revoked_at: Option<Timestamp>,
    /// What a presented secret is compared with.
    pub secret_hash: [u8; 32],
}

impl Store {
    /// Stores a key under a new id.
    pub async fn insert_key(&self, key: NewKey) -> Result<Key, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.insert_key(key).await,
            Engine::Postgres(postgres) => postgres.insert_key(key).await,
        }
    }

    /// The key with this id, revoked or not.
    pub async fn find_key(&self, id: KeyId) -> Result<Option<Key>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.find_key(id),
            Engine::Postgres(postgres) => postgres.find_key(id).await,
        }
    }

    /// All keys, revoked ones too, by ascending id.
    pub async fn list_keys(&self) -> Result<Vec<Key>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.list_keys().await,
            Engine::Postgres(postgres) => postgres.list_keys().await,
        }
    }

    /// Revokes a key; `false` when there is none with this id. A key that was revoked before keeps its first time.
    pub async fn revoke_key(&self, id: KeyId, now: Timestamp) -> Result<bool, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.revoke_key(id, now).await,
            Engine::Postgres(postgres) => postgres.revoke_key(id, now).await,
        }
    }
}

impl fmt::Debug for NewKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewKey").field("name", &self.name).field("role", &self.role).finish_non_exhaustive()
    }
}

impl fmt::Debug for Key {
    /// Without the hash: it is of no use in a log, except to somebody who should not have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("role", &self.role)
            .field("revoked_at", &self.revoked_at)
            .finish_non_exhaustive()
    }
}
