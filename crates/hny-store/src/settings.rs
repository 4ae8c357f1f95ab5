//! What the store needs to know before it opens.

use std::path::PathBuf;
use std::thread;

use crate::PostgresUrl;

/// Which database, and how much of it to keep open.
#[derive(Debug, Clone)]
pub enum Settings {
    /// A file of SQLite.
    Sqlite {
        /// The file. It is made when it is not there; its folder is not. Beside it appear `-wal`, `-shm`, `-lock` and `-turn`.
        path: PathBuf,
        /// How many idle read connections are kept; at least one. More are opened while more are in use. As many as there
        /// are threads that look up links is right: then no lookup ever opens one.
        readers: usize,
    },
    /// A database of PostgreSQL, 13 or later.
    Postgres {
        /// The primary, or several hosts of which one is.
        primary: PostgresUrl,
        /// Its streaming replicas, which look up links.
        replicas: Vec<PostgresUrl>,
        /// How many connections to each server look up links, 1 to 16. Many lookups share one, so as many as the server can
        /// give processors is enough. To the primary there are five more: for new links, for other changes, for clicks, for
        /// statistics, and to ask for the changes of other processes.
        readers: usize,
    },
}

impl Settings {
    /// The SQLite file at `path`, with a read connection for every processor.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let readers = thread::available_parallelism().map_or(1, usize::from);
        Self::Sqlite { path: path.into(), readers }
    }
}
