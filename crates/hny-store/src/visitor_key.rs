//! The contract for visitor keys: the secret of each UTC day that visitor ids are made with, which all nodes share.

use crate::store::Engine;
use crate::{Store, StoreError};

impl Store {
    /// The key of a UTC day, by its number since 1970-01-01. Whoever asks first gives it: `fresh`, 32 random bytes; all others get
    /// the same.
    pub async fn visitor_key(&self, day: i64, fresh: [u8; 32]) -> Result<[u8; 32], StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.visitor_key(day, fresh).await,
            Engine::Postgres(postgres) => postgres.visitor_key(day, fresh).await,
        }
    }

    /// Destroys the keys of the days before this one, and says how many. Then nobody can tell whose ids those of that day are.
    pub async fn remove_visitor_keys(&self, before_day: i64) -> Result<u64, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.remove_visitor_keys(before_day).await,
            Engine::Postgres(postgres) => postgres.remove_visitor_keys(before_day).await,
        }
    }
}
