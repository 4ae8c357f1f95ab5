//! How a connection is set up.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use hny_mapping::Mapped;
use rusqlite::{Connection, OpenFlags, Result};

use super::turn::look_again_for_sqlite;

/// How long a reader waits for a lock that another process holds, which is hardly ever.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// How much of the file readers map into memory, in bytes: all that SQLite allows (2 GiB less 64 KiB). What lies beyond is
/// read by system calls. Readers keep the map when others commit, as they do every second.
const MMAP_SIZE: i64 = 0x7fff_0000;

/// How many pages (of 4 KiB) the log takes before they are written back into the file, once each. Codes are random, so a
/// hundred new links touch a hundred pages of the index: with SQLite's default of 1,000 pages they are written back so soon
/// that creates are a third slower. Reading 16 MiB back after a crash takes some milliseconds.
const LOG_PAGES: i64 = 4000;

/// Opens the file for changes, and makes it when it is not there. A path is a path: nothing in it is taken for a URI.
///
/// Targets may be private and key hashes are, so a new file is its owner's alone; SQLite gives its log the same rights.
pub(super) fn open_writer(path: &Path) -> Result<Connection> {
    // Whatever keeps the file from being made keeps SQLite from opening it, which then says why.
    drop(OpenOptions::new().write(true).create_new(true).mode(0o600).open(path));
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_handler(Some(look_again_for_sqlite))?;
    // FULL: a commit is on disk before it is answered. WAL alone would sync only now and then.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update_and_check(None, "wal_autocheckpoint", LOG_PAGES, |_| Ok(()))?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // What a deletion takes out of the tables shall not stay readable in the file.
    connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
    Ok(connection)
}

/// Opens the file for reading only.
pub(super) fn open_reader(path: &Path) -> Result<Mapped> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Mapped::new(connection, MMAP_SIZE)
}
