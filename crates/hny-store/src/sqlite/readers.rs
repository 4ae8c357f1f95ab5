//! The read connections.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_queue::ArrayQueue;
use hny_mapping::Mapped;
use rusqlite::Connection;

use super::connection;
use super::failure::Closed;
use crate::StoreError;

/// A pool of read connections that nobody ever waits for: when none is idle, one more is opened, and what does not fit when it
/// comes back is closed.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    idle: ArrayQueue<Mapped>,
    is_closed: AtomicBool,
}

impl Readers {
    /// Keeps up to `limit` idle connections, at least one. One is opened now, to learn whether it can be.
    pub(super) fn open(path: &Path, limit: usize) -> rusqlite::Result<Self> {
        let readers =
            Self { path: path.to_owned(), idle: ArrayQueue::new(limit.max(1)), is_closed: AtomicBool::new(false) };
        readers.give_back(connection::open_reader(path)?);
        Ok(readers)
    }

    /// Runs `work` on a connection that nobody else has. A connection that failed is not used again.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        if self.is_closed() {
            return Err(Closed.into());
        }
        let connection = match self.idle.pop() {
            Some(connection) => connection,
            None => connection::open_reader(&self.path)?,
        };
        let result = work(&connection)?;
        self.give_back(connection);
        Ok(result)
    }

    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        self.drop_idle();
    }

    fn give_back(&self, connection: Mapped) {
        // A full pool hands the connection back, and it is closed here.
        drop(self.idle.push(connection));
        // Whoever closes empties the pool after saying so; who comes later sees that it was said.
        if self.is_closed() {
            self.drop_idle();
        }
    }

    fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::SeqCst)
    }

    fn drop_idle(&self) {
        while self.idle.pop().is_some() {}
    }
}

#[cfg(test)]
mod tests;
