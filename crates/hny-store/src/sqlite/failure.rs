//! Which errors of SQLite are worth another try, and what to tell whoever opens a file.

use std::path::Path;
use std::sync::Arc;

use rusqlite::{Error, ErrorCode};
use thiserror::Error as ThisError;

use crate::{OpenError, StoreError};

/// What a call gets after [`crate::Store::close`].
#[derive(Debug, ThisError)]
#[error("the store is closed")]
pub(super) struct Closed;

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        if is_passing(&error) { Self::Unavailable(Arc::new(error)) } else { Self::Broken(Arc::new(error)) }
    }
}

impl From<Closed> for StoreError {
    fn from(closed: Closed) -> Self {
        Self::Unavailable(Arc::new(closed))
    }
}

/// Whether the same statement may succeed later without anybody changing the program or mending the file.
fn is_passing(error: &Error) -> bool {
    use ErrorCode::{
        CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, FileLockingProtocolFailed, OperationAborted,
        OperationInterrupted, OutOfMemory, PermissionDenied, ReadOnly, SystemIoFailure,
    };
    matches!(
        error.sqlite_error_code(),
        Some(
            CannotOpen
                | DatabaseBusy
                | DatabaseLocked
                | DiskFull
                | FileLockingProtocolFailed
                | OperationAborted
                | OperationInterrupted
                | OutOfMemory
                | PermissionDenied
                | ReadOnly
                | SystemIoFailure
        )
    )
}

/// What went wrong with the file at `path`, for whoever opens it.
pub(super) fn while_opening(path: &Path, error: Error) -> OpenError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => OpenError::NotADatabase { path, source: Arc::new(error) },
        Some(ErrorCode::ReadOnly) => OpenError::ReadOnly { path },
        _ => OpenError::Open { path, source: Arc::new(error) },
    }
}
