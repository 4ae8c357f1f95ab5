//! How many clicks there were, and what became of them.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many clicks there were, as far as they have left their rings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// All that were recorded; those that were lost are among them. It never falls.
    pub recorded: u64,
    /// Lost because the ring of their thread was full.
    pub lost_buffer_full: u64,
    /// Lost because the store did not take them: the oldest of too many, or what was left at the end.
    pub lost_store_down: u64,
    /// Those that are not yet counted in the store.
    pub pending: u64,
}

/// The same, while it changes. All but the first are written by the writer alone, some times a second; what is on the hot road is
/// touched only by a click that is lost.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    buffer_full: AtomicU64,
    gathered: AtomicU64,
    store_down: AtomicU64,
    pending: AtomicU64,
}

impl Tally {
    /// A click did not fit into its ring.
    pub(crate) fn refused(&self) {
        self.buffer_full.fetch_add(1, Ordering::Relaxed);
    }

    /// So many clicks left their rings.
    pub(crate) fn gathered(&self, clicks: usize) {
        self.gathered.fetch_add(clicks as u64, Ordering::Release);
    }

    /// So many were given up.
    pub(crate) fn given_up(&self, clicks: u64) {
        self.store_down.fetch_add(clicks, Ordering::Relaxed);
    }

    /// So many are not in the store yet.
    pub(crate) fn pending(&self, clicks: u64) {
        self.pending.store(clicks, Ordering::Relaxed);
    }

    /// All of it, with so many clicks still in the rings.
    pub(crate) fn counts(&self, in_rings: usize) -> Counts {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let gathered = self.gathered.load(Ordering::Acquire);
        let lost_buffer_full = read(&self.buffer_full);
        Counts {
            // Not those in the rings: between a ring and here they would be missing for a moment, and a counter must not fall.
            recorded: gathered + lost_buffer_full,
            lost_buffer_full,
            lost_store_down: read(&self.store_down),
            pending: read(&self.pending) + in_rings as u64,
        }
    }
}

impl Counts {
    /// All that were lost.
    pub const fn lost(&self) -> u64 {
        self.lost_buffer_full + self.lost_store_down
    }
}
