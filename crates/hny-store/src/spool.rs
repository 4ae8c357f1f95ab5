//! The contract for spools: the files in which processes keep clicks until they are counted.
//!
//! The database knows of each spool how far its clicks are counted, and learns it in the transaction that counts them. So whoever
//! ships a spool, after whatever crash, goes on where the counts end.

use hny_domain::LinkId;

use crate::store::Engine;
use crate::{Store, StoreError};

/// A number that no other database has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseId(pub u64);

/// The number of a spool. It is drawn, and never used for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SpoolId(pub u64);

/// How far the clicks of a spool are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpoolMark {
    /// All clicks before this position are.
    pub position: u64,
    /// Of those from there up to this position, those of some links are. It is the same position where none are.
    pub until: u64,
    /// Those of links up to this one.
    pub link: LinkId,
}

impl SpoolMark {
    /// All clicks before `position` are counted, and no others.
    pub const fn at(position: u64) -> Self {
        Self { position, until: position, link: LinkId(i64::MIN) }
    }
}

/// A step on the way through a spool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpoolStep {
    /// Which spool.
    pub spool: SpoolId,
    /// How far its clicks are counted before.
    pub from: SpoolMark,
    /// And after.
    pub to: SpoolMark,
}

impl Store {
    /// Which database this is. A copy of it, or one that was restored from a copy, is the same.
    pub async fn database_id(&self) -> Result<DatabaseId, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.database_id(),
            Engine::Postgres(postgres) => postgres.database_id().await,
        }
    }

    /// How far the clicks of a spool are counted. From now on they can be: see [`Store::add_clicks`].
    pub async fn open_spool(&self, spool: SpoolId) -> Result<SpoolMark, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.open_spool(spool).await,
            Engine::Postgres(postgres) => postgres.open_spool(spool).await,
        }
    }

    /// Forgets a spool whose files are gone: they would be counted again.
    pub async fn forget_spool(&self, spool: SpoolId) -> Result<(), StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.forget_spool(spool).await,
            Engine::Postgres(postgres) => postgres.forget_spool(spool).await,
        }
    }
}
