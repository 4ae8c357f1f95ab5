//! The handle to an open database.

use std::sync::Arc;

use crate::sqlite::Sqlite;
use crate::{OpenError, Settings, StoreError};

/// An open database. Cheap to clone; all clones are the same one.
///
/// What it does for links, keys and changes is documented with each noun: [`crate::link`], [`crate::clicks`],
/// [`crate::key`], [`crate::changes`].
#[derive(Debug, Clone)]
pub struct Store(Arc<Sqlite>);

impl Store {
    /// Opens the database, makes it when it is not there, and brings its tables to what this version needs. Several processes
    /// may do so at once, and a newer version than this one may have been there before.
    pub async fn open(settings: Settings) -> Result<Self, OpenError> {
        let sqlite = Sqlite::open(settings).await?;
        Ok(Self(Arc::new(sqlite)))
    }

    /// Whether links can be looked up now.
    #[expect(clippy::unused_async, reason = "the contract also fits an engine behind a network")]
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.sqlite().ping()
    }

    /// Closes the database for all clones: takes no more work, finishes and answers what it has, and lets go of the file.
    /// Every later call is [`StoreError::Unavailable`]. Closing again is nothing.
    pub async fn close(&self) {
        self.sqlite().close().await;
    }

    pub(crate) fn sqlite(&self) -> &Sqlite {
        &self.0
    }
}
