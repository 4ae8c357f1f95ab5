//! A database to measure with: a file, or a server of its own.

use crate::bench::processors::Accounts;
use crate::bench::release::Built;
use crate::bench::server::take_turn;
use crate::bench::site::Site;
use crate::bench::{BenchError, seeded};
use bench_visitors::Traffic;
use clap::ValueEnum;
use hny_testkit::Program;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

/// Which kind of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    Sqlite,
    Postgres,
}

/// A database with links on it.
pub(super) enum Database<'a> {
    File { built: &'a Built, folder: tempfile::TempDir },
    Server { site: Site<'a>, name: String },
}

/// As long as it is there, a database takes no clicks.
pub(super) enum Hold<'a> {
    Turn { _turn: File },
    Pause(&'a Site<'a>),
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        if let Self::Pause(site) = self {
            site.postgres.resume();
        }
    }
}

impl<'a> Database<'a> {
    pub(super) fn new(kind: Kind, built: &'a Built, links: u64) -> Result<Self, BenchError> {
        if kind == Kind::Postgres {
            let site = Site::start(built)?;
            let name = site.seed(links)?;
            return Ok(Self::Server { site, name });
        }
        let folder = tempfile::Builder::new().prefix("bench-clicks-").tempdir_in(built.folder());
        let folder = folder.map_err(|source| failed(built.folder(), source))?;
        seeded::copy(built, links, folder.path())?;
        Ok(Self::File { built, folder })
    }

    /// A node on it.
    pub(super) fn program(&self) -> Program {
        match self {
            Self::File { built, folder } => Program::new(&built.hny).in_folder(folder.path()),
            Self::Server { site, name } => site.program(name),
        }
    }

    /// Traffic over its links, whose codes are written as the database made them.
    pub(super) fn traffic(&self, traffic: Traffic) -> Traffic {
        match self {
            Self::File { .. } => traffic,
            Self::Server { .. } => traffic.of_digits(),
        }
    }

    /// Runs the SQL of a bench, where so many nodes have each a lane of their own; a file has one node and no lanes.
    pub(super) fn run(&self, sql: &str, nodes: u8) -> Result<(), BenchError> {
        eprintln!("    filling it");
        let (lane, lanes) = if matches!(self, Self::File { .. }) { ("", 1) } else { ("lane,", nodes) };
        let sql = sql.replace("@LANE@", lane).replace("@LANES@", &lanes.to_string());
        match self {
            Self::File { built, folder } => {
                seeded::fill(built, folder.path(), &sql).map_err(|source| failed(folder.path(), source))
            }
            Self::Server { site, name } => {
                let said = [sql.as_str(), "VACUUM (ANALYZE)"].map(|sql| site.postgres.try_run(name, sql));
                said.into_iter().try_for_each(|said| said.map(drop)).map_err(BenchError::Database)
            }
        }
    }

    /// Has it take nothing for a while. A node answers from its cache meanwhile.
    pub(super) fn hold(&self) -> Result<Hold<'_>, BenchError> {
        match self {
            Self::File { folder, .. } => Ok(Hold::Turn { _turn: take_turn(folder.path())? }),
            Self::Server { site, .. } => {
                site.postgres.pause();
                Ok(Hold::Pause(site))
            }
        }
    }

    /// How many bytes it has, with what is not yet written back.
    pub(super) fn size(&self) -> Result<u64, BenchError> {
        match self {
            Self::File { folder, .. } => Ok(size(folder.path())),
            Self::Server { site, name } => {
                let said = site.postgres.try_run(name, "SELECT pg_database_size(current_database())");
                said.and_then(|said| said.parse().map_err(|_| said)).map_err(BenchError::Database)
            }
        }
    }

    /// What the processes of a server have used; a file has none.
    pub(super) fn accounts(&self) -> Accounts {
        match self {
            Self::File { .. } => Accounts::of(&[]),
            Self::Server { site, .. } => Accounts::of(&site.postgres.pids()),
        }
    }

    /// What they have used since.
    pub(super) fn spent(&self, before: &Accounts) -> Duration {
        before.until(&self.accounts())
    }
}

fn size(folder: &Path) -> u64 {
    ["hny.db", "hny.db-wal"].iter().filter_map(|name| Some(folder.join(name).metadata().ok()?.len())).sum()
}

fn failed(folder: &Path, source: std::io::Error) -> BenchError {
    BenchError::Folder { folder: folder.display().to_string(), source }
}
