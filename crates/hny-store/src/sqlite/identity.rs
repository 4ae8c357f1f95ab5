//! Whether the file is still the one that was opened.
//!
//! A database that is replaced while it is open leaves its connections on the file that was there before: what they write is
//! durable, and nobody will ever find it. So no change is acknowledged without this look at the folder, which takes a
//! microsecond.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::StoreError;
use crate::error::Cause;

/// A file, by its name and by what it was when it was opened.
#[derive(Debug)]
pub(super) struct Identity {
    path: PathBuf,
    device: u64,
    inode: u64,
}

/// The file was replaced or removed.
#[derive(Debug, Error)]
#[error(
    "the database file {path:?} was replaced or removed while it was open; restart this process to use the one that is there now"
)]
pub(super) struct Replaced {
    path: PathBuf,
}

impl Identity {
    /// Of the file at `path`, which was just opened.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        Ok(Self { path: path.to_owned(), device: metadata.dev(), inode: metadata.ino() })
    }

    /// Whether the file at the path is still that file.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let is_same = |metadata: &Metadata| metadata.dev() == self.device && metadata.ino() == self.inode;
        if fs::metadata(&self.path).is_ok_and(|metadata| is_same(&metadata)) {
            return Ok(());
        }
        let replaced: Cause = Arc::new(Replaced { path: self.path.clone() });
        Err(StoreError::Unavailable(replaced))
    }
}
