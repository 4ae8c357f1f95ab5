//! What the store needs to know before it opens.

use std::path::PathBuf;
use std::thread;

/// Which database, and how much of it to keep open.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The SQLite file. It is made when it is not there; its folder is not. Beside it appear `-wal`, `-shm`, `-lock`
    /// and `-turn`.
    pub path: PathBuf,
    /// How many idle read connections are kept; at least one. More are opened while more are in use. As many as there are
    /// threads that look up links is right: then no lookup ever opens one.
    pub readers: usize,
}

impl Settings {
    /// The file at `path`, with a read connection for every processor.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let readers = thread::available_parallelism().map_or(1, usize::from);
        Self { path: path.into(), readers }
    }
}
