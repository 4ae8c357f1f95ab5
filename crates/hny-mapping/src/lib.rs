#![doc = include_str!("../README.md")]
#![expect(unsafe_code, reason = "SQLite's methods for a file are C, and nobody offers them otherwise")]

mod methods;

use std::ops::Deref;

use rusqlite::{Connection, OptionalExtension as _, Result};

use methods::Methods;

/// A connection whose map of the main database stays.
///
/// It is a [`Connection`] in everything else. It must not begin to use another file as its main database, which nothing short of
/// deserialising one into it does.
#[derive(Debug)]
pub struct Mapped {
    // Fields are dropped in this order: SQLite asks the methods until the connection is closed.
    connection: Connection,
    _methods: Option<Methods>,
}

impl Mapped {
    /// Has `connection` keep its map, of at most `bytes` (SQLite allows 2 GiB less 64 KiB; what lies beyond is read by system calls).
    pub fn new(connection: Connection, bytes: i64) -> Result<Self> {
        // Whatever is in memory has no map, and answers this with no row.
        connection.pragma_update_and_check(None, "mmap_size", bytes, |_| Ok(())).optional()?;
        let methods = if cfg!(target_os = "linux") { Some(Methods::replace_in(&connection, bytes)?) } else { None };
        Ok(Self { connection, _methods: methods })
    }
}

impl Deref for Mapped {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

#[cfg(test)]
mod tests;
