//! Brings the tables to what this version needs.
//!
//! Files are `migrations/sqlite/V<number>__<what>.sql`. A file that was released is never edited: the next change is the next
//! number. Old and new versions of the program run side by side, so first expand, then contract in a later release.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, Error};

use super::{connection, failure, lock_file};
use crate::OpenError;

refinery::embed_migrations!("migrations/sqlite");

/// Opens the file at `path` for changes, with all its tables.
pub(super) fn open_migrated(path: &Path) -> Result<Connection, OpenError> {
    let failed = |source| failure::while_opening(path, source);
    let mut connection = connection::open_writer(path).map_err(failed)?;
    // SQLite is content to open a file that it may only read.
    if connection.is_readonly("main").map_err(failed)? {
        return Err(OpenError::ReadOnly { path: path.to_owned() });
    }
    let lock = lock(path).map_err(|source| OpenError::Open { path: path.to_owned(), source: Arc::new(source) })?;
    if !start_log(&connection).map_err(failed)? {
        return Err(OpenError::NoLog { path: path.to_owned() });
    }
    migrate(&mut connection)
        .map_err(|source| OpenError::Migrate { path: path.to_owned(), source: Arc::new(source) })?;
    drop(lock);
    Ok(connection)
}

/// Waits until no other process migrates this file. The lock ends with the returned handle, also when the process is killed.
fn lock(path: &Path) -> io::Result<File> {
    let file = File::create(lock_file::beside(path, "-lock")?)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            tracing::info!(path = %path.display(), "waiting for another process that migrates the database");
            file.lock()?;
        }
        Err(TryLockError::Error(error)) => return Err(error),
    }
    Ok(file)
}

/// Switches to the write-ahead log, in which readers and the writer do not wait for each other. Stays with the file.
fn start_log(connection: &Connection) -> Result<bool, Error> {
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| Ok(row.get_ref(0)?.as_str()? == "wal"))
}

/// Applies what is missing.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), refinery::Error> {
    migrations::runner()
        // One transaction for all that is missing: refinery would otherwise commit a migration first and the note that it
        // was made second, and a crash in between would leave a file that no version can open.
        .set_grouped(true)
        // A newer version may have been here. What it added does not disturb us.
        .set_abort_missing(false)
        .run(connection)?;
    Ok(())
}

#[cfg(test)]
mod tests;
