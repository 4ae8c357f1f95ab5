//! One change on its way to the writer thread.

use std::fmt;

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::StoreError;
use crate::sqlite::change_log::ChangeLog;

/// What a job does inside the transaction.
pub(super) type Work = Box<dyn FnOnce(&Connection, &mut ChangeLog) -> Result<(), StoreError> + Send>;

/// Work, and whom to tell how it ended.
pub(super) struct Job {
    pub(super) work: Work,
    pub(super) verdict: oneshot::Sender<Result<(), StoreError>>,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").finish_non_exhaustive()
    }
}
