//! Who wants to hear of changes.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{PoisonError, RwLock};

use crate::Change;

/// Hears of changes.
pub(super) type Listener = Box<dyn Fn(&[Change]) + Send + Sync>;

/// All who listen.
#[derive(Default)]
pub(super) struct Listeners(RwLock<Vec<Listener>>);

impl Listeners {
    pub(super) fn add(&self, listener: Listener) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    /// Tells everybody. A listener that panics takes neither the calling thread nor the other listeners with it.
    pub(super) fn call(&self, changes: &[Change]) {
        if changes.is_empty() {
            return;
        }
        for listener in self.0.read().unwrap_or_else(PoisonError::into_inner).iter() {
            if catch_unwind(AssertUnwindSafe(|| listener(changes))).is_err() {
                tracing::error!("a listener for changes of links panicked");
            }
        }
    }
}

impl fmt::Debug for Listeners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listeners").finish_non_exhaustive()
    }
}
