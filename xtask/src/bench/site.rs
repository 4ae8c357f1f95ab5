//! The servers of one run, and databases with links on them.

use crate::bench::BenchError;
use crate::bench::processors::Processors;
use crate::bench::release::Built;
use crate::command::root;
use bench_visitors::links;
use hny_testkit::{Postgres, Program};
use std::path::PathBuf;

/// PostgreSQL as it is run where links must not be lost: the kit does not wait for the disk, which would make commits cheap.
/// Memory as its manual advises for a small server.
const SETTINGS: &str = "
fsync = on
full_page_writes = on
synchronous_commit = on
shared_buffers = '1GB'
max_wal_size = '8GB'
checkpoint_timeout = '15min'
";

/// What is measured on.
pub(super) struct Site<'a> {
    pub(super) built: &'a Built,
    pub(super) postgres: Postgres,
    pub(super) processors: Processors,
}

impl<'a> Site<'a> {
    pub(super) fn start(built: &'a Built) -> Result<Self, BenchError> {
        Ok(Self { built, postgres: Postgres::with(SETTINGS), processors: Processors::available()? })
    }

    /// A new database with so many links in it.
    pub(super) fn seed(&self, links: u64) -> Result<String, BenchError> {
        eprintln!("    making a database with {links} links");
        let database = self.postgres.new_database();
        let migrated = self.program(&database).run(["migrate"]);
        if !migrated.status.success() {
            return Err(BenchError::Database(String::from_utf8_lossy(&migrated.stderr).into_owned()));
        }
        let seed = sql("seed.sql")?.replace("@LINKS@", &links.to_string()).replace("@TARGET@", links::TARGET);
        self.postgres.try_run(&database, &seed).map_err(BenchError::Database)?;
        // What a server does by itself after some minutes; then it does not begin with that amid a measurement.
        for tidy in ["VACUUM (ANALYZE)", "CHECKPOINT"] {
            self.postgres.try_run(&database, tidy).map_err(BenchError::Database)?;
        }
        Ok(database)
    }

    /// A node on a database.
    pub(super) fn program(&self, database: &str) -> Program {
        let program = Program::new(&self.built.hny).env("HNY_LOG", "warn");
        program.env("HNY_DATABASE_URL", self.postgres.url(database))
    }
}

/// The file of this name among the SQL of the benches.
pub(super) fn sql_file(name: &str) -> PathBuf {
    root().join("crates/hny-store/benches").join(name)
}

/// The SQL in it.
pub(super) fn sql(name: &str) -> Result<String, BenchError> {
    let file = sql_file(name);
    std::fs::read_to_string(&file).map_err(|source| BenchError::Folder { folder: file.display().to_string(), source })
}
