//! The SQLite side.
//!
//! Lookups by code run on the calling thread, on a read connection of their own. Changes go through one writer thread that
//! gathers what waits into one commit. A watcher thread finds out what other processes changed.

mod abuse;
mod anchor;
mod blocks;
mod change_log;
mod claims;
mod clicks;
mod connection;
mod domains;
mod failure;
mod generation;
mod homes;
mod identity;
mod key;
mod lease;
mod link;
mod list;
mod lock_file;
mod migrations;
mod readers;
mod receipt;
mod retention;
mod row;
mod spool;
mod statistics;
mod tally;
mod turn;
mod visitor_key;
mod watcher;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;
use tokio::task;

use crate::blocks::SeenBlocks;
use crate::error::Cause;
use crate::listeners::Listeners;
use crate::seen_generation::SeenGeneration;
use crate::{OpenError, StoreError};
use anchor::Anchor;
use change_log::ChangeLog;
use identity::Identity;
use readers::Readers;
use turn::Turn;
use watcher::Watcher;
use writer::Writer;

/// An open SQLite file, with its threads.
#[derive(Debug)]
pub(crate) struct Sqlite {
    path: PathBuf,
    identity: Identity,
    readers: Arc<Readers>,
    anchor: Arc<Anchor>,
    writer: Arc<Writer>,
    watcher: Arc<Watcher>,
    listeners: Arc<Listeners>,
    generation: Arc<SeenGeneration>,
    blocks: Arc<SeenBlocks>,
}

impl Sqlite {
    pub(crate) async fn open(path: PathBuf, readers: usize) -> Result<Self, OpenError> {
        let opened = path.clone();
        match task::spawn_blocking(move || Self::open_blocking(opened, readers)).await {
            Ok(result) => result,
            Err(source) => Err(OpenError::Thread { path, source: Arc::new(source) }),
        }
    }

    fn open_blocking(path: PathBuf, readers: usize) -> Result<Self, OpenError> {
        let connection = migrations::open_migrated(&path)?;
        let failed = |source| failure::while_opening(&path, source);
        let identity =
            Identity::of(&path).map_err(|source| OpenError::Open { path: path.clone(), source: Arc::new(source) })?;
        // The watcher takes note of where the database is before the first reader could see anything.
        let position = watcher::Position::open(&path).map_err(failed)?;
        let readers = Readers::open(&path, readers).map_err(failed)?;
        let anchor = Arc::new(Anchor::open(&path).map_err(failed)?);
        let (listeners, own) = (Arc::<Listeners>::default(), Arc::default());
        listeners.known().start_at(position.seen());
        let generation = Arc::<SeenGeneration>::default();
        generation.note(&generation::read(&connection).map_err(failed)?);
        let blocks = Arc::<SeenBlocks>::default();
        blocks.note(blocks::version(&connection).map_err(failed)?);
        let no_thread = |source: std::io::Error| thread_error(&path, Arc::new(source));
        let turn =
            Turn::at(&path).map_err(|source| OpenError::Open { path: path.clone(), source: Arc::new(source) })?;
        let writer = Writer::start(connection, turn, Arc::clone(&listeners), Arc::clone(&own), Arc::clone(&anchor))
            .map_err(no_thread)?;
        let seen = watcher::Seen {
            listeners: Arc::clone(&listeners),
            own_changes: own,
            generation: Arc::clone(&generation),
            blocks: Arc::clone(&blocks),
        };
        let watcher = Watcher::start(position, seen, Arc::clone(&anchor)).map_err(no_thread)?;
        let (readers, writer, watcher) = (Arc::new(readers), Arc::new(writer), Arc::new(watcher));
        Ok(Self { path, identity, readers, anchor, writer, watcher, listeners, generation, blocks })
    }

    pub(crate) fn ping(&self) -> Result<(), StoreError> {
        self.identity.check()?;
        self.readers.read(|sql| change_log::last_version(sql).map(drop))
    }

    pub(crate) fn listeners(&self) -> &Listeners {
        &self.listeners
    }

    pub(crate) fn generation(&self) -> &SeenGeneration {
        &self.generation
    }

    pub(crate) async fn close(&self) {
        let (readers, watcher) = (Arc::clone(&self.readers), Arc::clone(&self.watcher));
        let (anchor, writer) = (Arc::clone(&self.anchor), Arc::clone(&self.writer));
        let closed = task::spawn_blocking(move || {
            readers.close();
            watcher.close();
            anchor.close();
            // Last: the last connection to go writes the log back into the file, and only this one may.
            writer.close();
        });
        if let Err(error) = closed.await {
            tracing::warn!(path = %self.path.display(), %error, "the database was not closed in order");
        }
    }

    /// Reads on the calling thread: for what is found by a unique index.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        self.readers.read(work)
    }

    /// Reads on a thread that may block: for everything that may take longer.
    async fn read_aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let readers = Arc::clone(&self.readers);
        match task::spawn_blocking(move || readers.read(work)).await {
            Ok(result) => result,
            Err(error) if error.is_panic() => Err(StoreError::Broken(Arc::new(error))),
            Err(error) => Err(StoreError::Unavailable(Arc::new(error))),
        }
    }

    /// Changes, on the writer thread, together with what else waits. Answers after the commit, if that was to the file that
    /// everyone else sees.
    async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &mut ChangeLog) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let value = self.writer.change(work).await?;
        self.identity.check()?;
        Ok(value)
    }
}

fn thread_error(path: &Path, source: Cause) -> OpenError {
    OpenError::Thread { path: path.to_owned(), source }
}
