//! The contract for spools: the files in which a process keeps clicks until they are stored here.
//!
//! The database knows up to which position the clicks of each spool are stored, and learns it in the transaction that stores them.
//! So whoever ships a spool, after whatever crash, goes on where the clicks end.

use crate::store::Engine;
use crate::{Store, StoreError};

/// A number that no other database has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseId(pub u64);

/// The number of a spool. It is drawn, and never used for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SpoolId(pub u64);

/// A step on the way through a spool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpoolStep {
    /// Which spool.
    pub spool: SpoolId,
    /// All clicks before this position were stored before.
    pub from: u64,
    /// And all before this one are afterwards.
    pub to: u64,
}

impl Store {
    /// Which database this is. A copy of it, or one that was restored from a copy, is the same.
    pub async fn database_id(&self) -> Result<DatabaseId, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.database_id(),
            Engine::Postgres(postgres) => postgres.database_id().await,
        }
    }

    /// Up to which position the clicks of a spool are stored; 0 when it is new. From now on they can be: see [`Store::take_clicks`].
    pub async fn open_spool(&self, spool: SpoolId) -> Result<u64, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.open_spool(spool).await,
            Engine::Postgres(postgres) => postgres.open_spool(spool).await,
        }
    }

    /// Forgets a spool whose files are gone: its clicks would be taken from the beginning again.
    pub async fn forget_spool(&self, spool: SpoolId) -> Result<(), StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.forget_spool(spool).await,
            Engine::Postgres(postgres) => postgres.forget_spool(spool).await,
        }
    }
}
