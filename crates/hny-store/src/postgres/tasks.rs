//! The tasks of an open database, and how they end.

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What runs for a store. Cheap to clone; all clones are the same one.
#[derive(Debug, Clone, Default)]
pub(super) struct Tasks {
    /// No more work is taken.
    pub(super) closing: CancellationToken,
    /// Work that is finished and answered before the connections are closed.
    pub(super) work: TaskTracker,
    /// What keeps things up ends.
    pub(super) closed: CancellationToken,
    /// What keeps things up: connections, looks at the database.
    pub(super) background: TaskTracker,
}

impl Tasks {
    pub(super) async fn end(&self) {
        self.closing.cancel();
        self.work.close();
        self.work.wait().await;
        self.closed.cancel();
        self.background.close();
        self.background.wait().await;
    }
}
