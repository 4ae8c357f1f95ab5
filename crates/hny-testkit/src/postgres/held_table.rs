//! A table that nobody else gets at, so that a client waits there.

use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::Postgres;
use crate::DEADLINE;

/// Between two looks, each of which is a program that is started.
const PAUSE: Duration = Duration::from_millis(5);

/// As long as it is there, whoever wants to read or write the table waits.
#[derive(Debug)]
pub struct HeldTable<'a> {
    server: &'a Postgres,
    database: String,
    table: String,
    /// Ends when it is told to.
    holder: Option<JoinHandle<Result<String, String>>>,
}

impl<'a> HeldTable<'a> {
    pub(super) fn new(server: &'a Postgres, database: &str, table: &str) -> Self {
        let (url, lock) = (server.url(database), format!("BEGIN; LOCK TABLE {table}; SELECT pg_sleep(600)"));
        let holder = Some(thread::spawn(move || super::run_at(&url, &lock)));
        let held = Self { server, database: database.to_owned(), table: table.to_owned(), holder };
        held.until("granted");
        held
    }

    /// Returns when somebody waits for the table.
    pub fn wait_for_somebody(&self) {
        self.until("NOT granted");
    }

    fn until(&self, state: &str) {
        let table = &self.table;
        let locks = format!("SELECT count(*) > 0 FROM pg_locks WHERE relation = '{table}'::regclass AND {state}");
        let start = Instant::now();
        while self.server.run(&self.database, &locks) != "t" {
            assert!(start.elapsed() < DEADLINE, "no lock on {} is {state} within {DEADLINE:?}", self.table);
            thread::park_timeout(PAUSE);
        }
    }
}

impl Drop for HeldTable<'_> {
    fn drop(&mut self) {
        let holders = format!("FROM pg_stat_activity WHERE query LIKE '%LOCK TABLE {}; SELECT pg_sleep%'", self.table);
        let others = "pid <> pg_backend_pid() AND datname = current_database()";
        let end = format!("SELECT count(pg_terminate_backend(pid)) {holders} AND {others}");
        let _ = self.server.try_run(&self.database, &end);
        // It fails, since it was ended.
        let _ = self.holder.take().map(JoinHandle::join);
    }
}
