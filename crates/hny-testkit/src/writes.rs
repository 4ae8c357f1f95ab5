//! Whether somebody writes to an SQLite file.

use std::fs::File;

use rusqlite::{Connection, ErrorCode};

use crate::Program;

/// The two locks that whoever writes to the database takes: that of turns, then that of SQLite.
pub(crate) struct Writes {
    turn: File,
    database: Connection,
}

impl Writes {
    pub(crate) fn of(program: &Program) -> Self {
        let path = program.database();
        let mut turn = path.clone().into_os_string();
        turn.push("-turn");
        let turn = File::open(&turn).unwrap_or_else(|error| panic!("cannot open {}: {error}", turn.display()));
        let database =
            Connection::open(&path).and_then(|sql| sql.busy_timeout(std::time::Duration::ZERO).map(|()| sql));
        let database = database.unwrap_or_else(|error| panic!("cannot open {}: {error}", path.display()));
        Self { turn, database }
    }

    /// Whether neither lock is had, for the moment.
    pub(crate) fn is_nobodys_turn(&self) -> bool {
        let Ok(()) = self.turn.try_lock() else { return false };
        let began = self.database.execute_batch("BEGIN IMMEDIATE; ROLLBACK");
        self.turn.unlock().unwrap_or_else(|error| panic!("a lock that is had cannot be left: {error}"));
        match began {
            Ok(()) => true,
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => false,
            Err(error) => panic!("cannot ask for the lock of SQLite: {error}"),
        }
    }
}
