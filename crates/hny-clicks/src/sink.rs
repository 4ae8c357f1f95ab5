//! Where counts go.

use std::pin::Pin;

use hny_domain::LinkId;
use hny_store::{Store, StoreError};

/// Links with the number of their clicks, each link once, by ascending id.
pub(crate) type Rows = Vec<(LinkId, u64)>;

/// Whether rows were taken: all of them, or none.
pub(crate) type Answer = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send>>;

/// Takes rows.
pub(crate) type Sink = Box<dyn Fn(Rows) -> Answer + Send>;

/// The counts beside the links.
pub(crate) fn store(store: Store) -> Sink {
    Box::new(move |rows| {
        let store = store.clone();
        Box::pin(async move { store.add_clicks(rows).await })
    })
}
