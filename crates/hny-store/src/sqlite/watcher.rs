//! The watcher thread: finds out what other processes changed in the same file.

use std::convert::Infallible;
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use hny_domain::Version;
use hny_mapping::Mapped;
use rusqlite::{Connection, Result};

use super::anchor::Anchor;
use super::{blocks, change_log, connection, generation, row};
use crate::Change;
use crate::blocks::SeenBlocks;
use crate::listeners::Listeners;
use crate::own_changes::OwnChanges;
use crate::seen_generation::SeenGeneration;

/// How often the watcher looks. It costs one read of shared memory when nothing has changed.
const INTERVAL: Duration = Duration::from_millis(200);

/// How many changes are read and reported at once.
const PAGE: usize = 1000;

/// The handle to the watcher thread. When the handle is dropped, the thread ends.
#[derive(Debug)]
pub(super) struct Watcher(Mutex<Option<Running>>);

#[derive(Debug)]
struct Running {
    /// Never sends: its end is the signal.
    stop: Sender<Infallible>,
    thread: JoinHandle<()>,
}

/// Where the watcher is.
#[derive(Debug)]
pub(super) struct Position {
    connection: Mapped,
    /// Changes with every commit of another connection.
    data_version: i64,
    /// The version up to which all is reported.
    seen: Version,
}

/// What the thread tells of what it sees.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) listeners: Arc<Listeners>,
    pub(super) own_changes: Arc<OwnChanges>,
    pub(super) generation: Arc<SeenGeneration>,
    pub(super) blocks: Arc<SeenBlocks>,
}

impl Position {
    /// The version that the database had.
    pub(super) fn seen(&self) -> Version {
        self.seen
    }

    /// Takes note of where the database is.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let connection = connection::open_reader(path)?;
        // In this order a change in between is looked for in vain; in the other it would be missed.
        let data_version = data_version(&connection)?;
        let seen = change_log::last_version(&connection)?;
        Ok(Self { connection, data_version, seen })
    }
}

impl Watcher {
    pub(super) fn start(position: Position, seen: Seen, anchor: Arc<Anchor>) -> io::Result<Self> {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("hny-store-watch".to_owned())
            .spawn(move || Thread { position, seen, anchor, is_failing: false }.run(&stopped))?;
        Ok(Self(Mutex::new(Some(Running { stop, thread }))))
    }

    /// Ends the thread at once and waits for it.
    pub(super) fn close(&self) {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Running { stop, thread }) = running else {
            return;
        };
        drop(stop);
        if thread.join().is_err() {
            tracing::error!("the watcher thread of the database had panicked");
        }
    }
}

/// What the thread owns.
struct Thread {
    position: Position,
    seen: Seen,
    anchor: Arc<Anchor>,
    is_failing: bool,
}

impl Thread {
    fn run(mut self, stopped: &Receiver<Infallible>) {
        while stopped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            match self.look() {
                Ok(()) => self.is_failing = false,
                Err(error) if self.is_failing => tracing::debug!(%error, "still cannot read changes"),
                Err(error) => {
                    self.is_failing = true;
                    tracing::warn!(%error, "cannot read what other processes changed; trying again until it works");
                }
            }
        }
    }

    /// Reports what is new. After an error the next look starts where this one came to.
    fn look(&mut self) -> Result<()> {
        let data_version = data_version(&self.position.connection)?;
        let is_changed = data_version != self.position.data_version;
        self.anchor.look(is_changed);
        if is_changed {
            self.seen.generation.note(&generation::read(&self.position.connection)?);
            self.seen.blocks.note(blocks::version(&self.position.connection)?);
            self.catch_up()?;
            self.position.data_version = data_version;
        }
        Ok(())
    }

    fn catch_up(&mut self) -> Result<()> {
        let last = change_log::last_version(&self.position.connection)?;
        loop {
            self.position.seen = self.seen.own_changes.skip(self.position.seen);
            if self.position.seen >= last {
                return Ok(());
            }
            let mut changes = changes_since(&self.position.connection, self.position.seen)?;
            let Some(newest) = changes.last().map(|change| change.version) else {
                // The links were changed once more, and those changes are ours and behind `seen`.
                self.position.seen = last;
                return Ok(());
            };
            changes.retain(|change| !self.seen.own_changes.contains(change.version));
            self.seen.listeners.call(&changes);
            self.position.seen = newest;
        }
    }
}

fn data_version(connection: &Connection) -> Result<i64> {
    connection.pragma_query_value(None, "data_version", |row| row.get(0))
}

/// The next page of changes behind `seen`, by ascending version. A link that was changed twice appears once.
fn changes_since(connection: &Connection, seen: Version) -> Result<Vec<Change>> {
    let mut statement = connection
        .prepare_cached("SELECT domain, code, version FROM links WHERE version > ?1 ORDER BY version LIMIT ?2")?;
    let page = i64::try_from(PAGE).unwrap_or(i64::MAX);
    statement.query_map([seen.0.cast_signed(), page], row::change)?.collect()
}

#[cfg(test)]
mod tests;
