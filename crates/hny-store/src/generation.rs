//! The contract for the generation of a shared cache.
//!
//! A cache beside the database, such as Redis, may come back with old data: restarted from a dump, or written to by a node that
//! missed a change. So its keys carry a *generation*, a number that the database keeps: what is under another generation is never
//! read again. Whoever cannot be sure of what the cache holds raises the generation before acknowledging a change.

use std::sync::Arc;

use crate::store::Engine;
use crate::{Store, StoreError};

/// A generation of the shared cache.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CacheGeneration {
    /// Grows, and never comes again.
    pub number: u64,
    /// The run of the cache server that it belongs to, as the server calls it; `None` before the first is noted.
    pub run_id: Option<Arc<str>>,
}

impl Store {
    /// The generation as this process last saw it. One that another process began is seen as soon as its changes are: see
    /// [`Store::subscribe`]. With PostgreSQL so is one that this process began, because whoever fills a new generation must know
    /// of all changes that were made before it.
    pub fn cache_generation(&self) -> CacheGeneration {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.generation().get(),
            Engine::Postgres(postgres) => postgres.generation().get(),
        }
    }

    /// The generation that the database has now.
    pub async fn read_cache_generation(&self) -> Result<CacheGeneration, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.read_generation(),
            Engine::Postgres(postgres) => postgres.read_generation().await,
        }
    }

    /// Raises the generation, durably, and answers the one that holds then.
    ///
    /// With the id of a run it is raised only if it belongs to another run, so that of many processes that meet a new run one
    /// raises it. Without one it is raised in any case, and stays with its run.
    pub async fn raise_cache_generation(&self, run_id: Option<&str>) -> Result<CacheGeneration, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.raise_generation(run_id.map(str::to_owned)).await,
            Engine::Postgres(postgres) => postgres.raise_generation(run_id.map(str::to_owned)).await,
        }
    }
}
