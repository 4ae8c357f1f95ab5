//! What can go wrong, named by what can be done about it.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

/// A cause. Shared, because one failed commit fails every change that was in it.
pub type Cause = Arc<dyn Error + Send + Sync>;

/// Why an operation failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// Not now: busy, disk full, read-only, an I/O error, or closed. Nothing was changed; the same call may succeed later.
    #[error("the database is not available")]
    Unavailable(#[source] Cause),
    /// Never: a fault of ours, or a row that this version cannot read. Nothing was changed.
    #[error("the database refused an operation or returned what it should not hold")]
    Broken(#[source] Cause),
}

/// Why the store could not be opened. Every message names the file and what to do.
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
}
