//! The handle to an open database.

use std::sync::Arc;

use crate::postgres::Postgres;
use crate::sqlite::Sqlite;
use crate::{OpenError, Settings, StoreError};

/// An open database. Cheap to clone; all clones are the same one.
///
/// What it does for links, keys and changes is documented with each noun: [`crate::link`], [`crate::list`], [`crate::claims`],
/// [`crate::domains`], [`crate::receipt`], [`crate::clicks`], [`crate::spool`], [`crate::statistics`], [`crate::retention`], [`crate::abuse`],
/// [`crate::visitor_key`], [`crate::key`], [`crate::lease`], [`crate::changes`], [`crate::generation`].
#[derive(Debug, Clone)]
pub struct Store {
    engine: Engine,
    begins_generations: bool,
}

/// The database that does it.
#[derive(Debug, Clone)]
pub(crate) enum Engine {
    Sqlite(Arc<Sqlite>),
    Postgres(Arc<Postgres>),
}

impl Store {
    /// Opens the database and brings its tables to what this version needs. Several processes may do so at once, and a newer
    /// version than this one may have been there before.
    ///
    /// An SQLite file is made when it is not there. A PostgreSQL database must be there; the store works on the runtime that
    /// opens it until it is closed. While its primary is away, it is opened by way of a replica: links are looked up there, and
    /// everything else is [`StoreError::Unavailable`] until the primary is there.
    pub async fn open(settings: Settings) -> Result<Self, OpenError> {
        let engine = match settings {
            Settings::Sqlite { path, readers } => Engine::Sqlite(Arc::new(Sqlite::open(path, readers).await?)),
            Settings::Postgres { primary, replicas, readers } => {
                Engine::Postgres(Arc::new(Postgres::open(primary, replicas, readers).await?))
            }
        };
        Ok(Self { engine, begins_generations: false })
    }

    /// The same database, by a handle whose changes of links begin another generation of the shared cache (see
    /// [`crate::generation`]), each by its own commit: what may no longer be so is out of use when the change is there, even if
    /// this process dies at that moment. What changes nothing begins none.
    #[must_use]
    pub fn beginning_generations(&self) -> Self {
        Self { begins_generations: true, ..self.clone() }
    }

    /// Whether links can be looked up now. With replicas they can while one of them answers, though the primary does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.ping(),
            Engine::Postgres(postgres) => postgres.ping().await,
        }
    }

    /// Closes the database for all clones: takes no more work, finishes and answers what it has, and lets go of files and
    /// connections. Every later call is [`StoreError::Unavailable`]. Closing again is nothing.
    pub async fn close(&self) {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.close().await,
            Engine::Postgres(postgres) => postgres.close().await,
        }
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Whether changes of links begin another generation of the shared cache.
    pub(crate) fn begins_generations(&self) -> bool {
        self.begins_generations
    }
}
