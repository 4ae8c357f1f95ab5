//! A read transaction that stays open, so that lookups need no system calls.
//!
//! Each read transaction takes a shared lock of the file `-shm` and lets it go again: two system calls, a third of what a
//! lookup costs. Within a process SQLite counts the holders of such a lock and asks the system only for the first and the last
//! of them. So one more connection holds it all the time, and the readers only count. What they see does not depend on it:
//! each still begins with the newest commit, and where the anchor holds another lock than they need, they take their own.
//!
//! As long as a state of the database is read, the log behind it cannot be written back and begun anew. So the anchor is let
//! go before a commit of ours and taken again after it; it is let go while another process commits again and again; and
//! in between it moves to the newest state whenever the watcher looks.

use std::mem;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hny_mapping::Mapped;
use rusqlite::Result;

use super::{change_log, connection};

/// The read transaction. The writer and the watcher share it. The default one is closed.
#[derive(Debug, Default)]
pub(super) struct Anchor(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// `None` when it is closed.
    connection: Option<Mapped>,
    is_committing: bool,
    /// Since the watcher looked.
    has_committed: bool,
}

impl Anchor {
    /// An anchor that is not held yet.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let connection = connection::open_reader(path)?;
        // Whoever waits here keeps the writer waiting. It is tried again soon enough.
        connection.busy_timeout(Duration::ZERO)?;
        Ok(Self(Mutex::new(State { connection: Some(connection), ..State::default() })))
    }

    /// Lets go until [`Self::after_commit`].
    pub(super) fn before_commit(&self) {
        let mut state = self.state();
        state.is_committing = true;
        state.let_go();
    }

    /// Holds what was committed.
    pub(super) fn after_commit(&self) {
        let mut state = self.state();
        (state.is_committing, state.has_committed) = (false, true);
        state.hold();
    }

    /// What the watcher has seen: whether anyone has committed since it looked last.
    pub(super) fn look(&self, is_changed: bool) {
        let mut state = self.state();
        let is_ours = mem::take(&mut state.has_committed) || state.is_committing;
        match (is_changed, is_ours) {
            (false, false) => state.hold(),
            (true, false) => state.let_go(),
            // The writer takes care of it.
            (_, true) => {}
        }
    }

    /// Lets go for good.
    pub(super) fn close(&self) {
        self.state().connection = None;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Holds the newest state. Where that does not succeed, lookups are slower and nothing else.
    fn hold(&mut self) {
        self.let_go();
        let Some(connection) = &self.connection else {
            return;
        };
        // The first read, not the beginning, takes the lock.
        let held = connection.execute_batch("BEGIN").and_then(|()| change_log::last_version(connection));
        if let Err(error) = held {
            tracing::debug!(%error, "lookups take their own locks for now");
            self.let_go();
        }
    }

    fn let_go(&mut self) {
        let is_held = |connection: &mut Mapped| !connection.is_autocommit();
        // A transaction that only reads has nothing to fail with; if it does, its connection goes, and the lock with it.
        if let Some(connection) = self.connection.take_if(|connection| is_held(connection))
            && connection.execute_batch("ROLLBACK").is_ok()
        {
            self.connection = Some(connection);
        }
    }
}

#[cfg(test)]
mod tests;
