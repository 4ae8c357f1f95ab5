//! Where counts go.

use std::pin::Pin;

use hny_domain::LinkId;
use hny_store::{SpoolId, SpoolMark, SpoolStep, Store, StoreError};

/// Links with the number of their clicks, each link once, by ascending id.
pub(crate) type Rows = Vec<(LinkId, u64)>;

/// What a sink answers.
pub(crate) type Answer<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// Takes rows, and keeps with them how far the clicks of each spool are counted.
pub(crate) trait Sink: Send {
    /// How far the clicks of a spool are counted.
    fn open(&self, spool: SpoolId) -> Answer<SpoolMark>;

    /// Takes rows and the step that they are: all of it, or after an error nothing. `false`, and nothing, when the clicks of the
    /// spool are not counted as far as the step says.
    fn take(&self, rows: Rows, step: SpoolStep) -> Answer<bool>;

    /// Forgets a spool that is gone.
    fn forget(&self, spool: SpoolId) -> Answer<()>;
}

/// The counts beside the links.
impl Sink for Store {
    fn open(&self, spool: SpoolId) -> Answer<SpoolMark> {
        let store = self.clone();
        Box::pin(async move { store.open_spool(spool).await })
    }

    fn take(&self, rows: Rows, step: SpoolStep) -> Answer<bool> {
        let store = self.clone();
        Box::pin(async move { store.add_clicks(rows, step).await })
    }

    fn forget(&self, spool: SpoolId) -> Answer<()> {
        let store = self.clone();
        Box::pin(async move { store.forget_spool(spool).await })
    }
}
