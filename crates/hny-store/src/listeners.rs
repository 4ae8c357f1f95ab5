//! Who wants to hear of changes.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{PoisonError, RwLock};

use crate::Change;
use crate::known_versions::KnownVersions;

/// Hears of changes.
pub(crate) type Listener = Box<dyn Fn(&[Change]) + Send + Sync>;

/// All who listen. What they hear of is known from then on.
#[derive(Default)]
pub(crate) struct Listeners {
    known: KnownVersions,
    listeners: RwLock<Vec<Listener>>,
}

impl Listeners {
    /// What is known of the versions of links.
    pub(crate) fn known(&self) -> &KnownVersions {
        &self.known
    }

    pub(crate) fn add(&self, listener: Listener) {
        self.listeners.write().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    /// Tells everybody. A listener that panics takes neither the calling thread nor the other listeners with it.
    pub(crate) fn call(&self, changes: &[Change]) {
        if changes.is_empty() {
            return;
        }
        // First: who forgets a copy on hearing of a change does not get an old one again.
        self.known.note(changes);
        for listener in self.listeners.read().unwrap_or_else(PoisonError::into_inner).iter() {
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
