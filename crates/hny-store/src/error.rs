//! What can go wrong, named by what can be done about it.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

/// A cause. Shared, because one failed commit fails every change that was in it.
pub type Cause = Arc<dyn Error + Send + Sync>;

/// Why an operation failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// Not now: busy, disk full, read-only, an I/O error, out of reach, or closed. Nothing was changed; the same call may
    /// succeed later.
    ///
    /// One case is left in which something may have been changed: a PostgreSQL server that was lost between a change and its
    /// confirmation, and then cannot be asked for some seconds either.
    #[error("the database is not available")]
    Unavailable(#[source] Cause),
    /// Never: a fault of ours, or a row that this version cannot read. Nothing was changed.
    #[error("the database refused an operation or returned what it should not hold")]
    Broken(#[source] Cause),
}

/// Why the store could not be opened. Every message names the database, never a password, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be opened or made.
    #[error("cannot open the database {path:?}; its folder must exist and this user must be able to write there")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Cause,
    },
    /// The file can only be read.
    #[error("the database {path:?} is read-only; give this user the right to write it, or name another file")]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{path:?} is not an SQLite database; move it away, or name another file")]
    NotADatabase {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Cause,
    },
    /// The file system cannot share memory between processes.
    #[error("the database {path:?} cannot keep a write-ahead log there; put it on a local disk")]
    NoLog {
        /// The file.
        path: PathBuf,
    },
    /// The tables cannot be brought to what this version needs.
    #[error("cannot migrate the database {path:?}; make room on its disk, or restore it from a backup")]
    Migrate {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Cause,
    },
    /// The system refuses a thread.
    #[error("cannot start a thread for the database {path:?}; raise the limit of processes for this user")]
    Thread {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Cause,
    },
    /// No PostgreSQL server answers.
    #[error("cannot reach PostgreSQL at {database}; it must run there and take connections from here")]
    Unreachable {
        /// Hosts and database.
        database: String,
        /// Why.
        source: Cause,
    },
    /// The server knows user, password or database otherwise.
    #[error("PostgreSQL at {database} refuses the login; check user, password and the name of the database")]
    Login {
        /// Hosts and database.
        database: String,
        /// Why.
        source: Cause,
    },
    /// The connection cannot be protected as asked.
    #[error(
        "no protected connection to PostgreSQL at {database}; check sslmode, sslrootcert and the server's certificate"
    )]
    Tls {
        /// Hosts and database.
        database: String,
        /// Why.
        source: Cause,
    },
    /// The server, or each of several, takes no changes.
    #[error(
        "PostgreSQL at {database} only takes reads; name the primary, or several hosts with target_session_attrs=read-write"
    )]
    Replica {
        /// Hosts and database.
        database: String,
    },
    /// The server lacks what we need.
    #[error("PostgreSQL at {database} is version {version}; 13 is the oldest that will do")]
    TooOld {
        /// Hosts and database.
        database: String,
        /// Its major version.
        version: i32,
    },
    /// The tables cannot be brought to what this version needs.
    #[error("cannot migrate the database at {database}; its user must be allowed to make tables in it")]
    MigratePostgres {
        /// Hosts and database.
        database: String,
        /// Why.
        source: Cause,
    },
}
