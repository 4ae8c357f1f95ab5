//! How many clicks there were, and what became of them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How many clicks there were, as far as they have left their rings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// All that were recorded; those that were lost are among them. It never falls.
    pub recorded: u64,
    /// Those that are lost.
    pub lost: Losses,
    /// Those that are not yet counted in the store, left behind by other processes or not.
    pub pending: u64,
    /// How long the oldest of them has waited; zero when there are none.
    pub oldest: Duration,
    /// In how many places the spool could not be read.
    pub damaged: u64,
}

/// How many clicks were lost, by what went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Losses {
    /// The ring of their thread was full.
    pub buffer_full: u64,
    /// The disk took nothing: the oldest of too many in memory, or what was left there at the end.
    pub disk_down: u64,
    /// The spool was at its limit: the oldest in it.
    pub spool_full: u64,
}

impl Losses {
    /// All that were lost.
    pub const fn all(&self) -> u64 {
        self.buffer_full + self.disk_down + self.spool_full
    }
}

/// What is counted, while it changes. What is on the hot road is touched only by a click that is lost.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    buffer_full: AtomicU64,
    gathered: AtomicU64,
    is_peak: AtomicBool,
    disk_down: AtomicU64,
    spool_full: AtomicU64,
    damaged: AtomicU64,
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

    /// Whether so many come that visitors need the processors.
    pub(crate) fn note_peak(&self, is_peak: bool) {
        self.is_peak.store(is_peak, Ordering::Relaxed);
    }

    pub(crate) fn is_peak(&self) -> bool {
        self.is_peak.load(Ordering::Relaxed)
    }

    /// So many were given up because the disk did not take them.
    pub(crate) fn not_written(&self, clicks: u64) {
        self.disk_down.fetch_add(clicks, Ordering::Relaxed);
    }

    /// So many were given up because the spool was full.
    pub(crate) fn not_shipped(&self, clicks: u64) {
        self.spool_full.fetch_add(clicks, Ordering::Relaxed);
    }

    /// In so many places the spool could not be read.
    pub(crate) fn damaged(&self, places: u64) {
        self.damaged.fetch_add(places, Ordering::Relaxed);
    }

    /// What was recorded and lost. What is pending is told by those who have it, and asked for after this.
    pub(crate) fn counts(&self) -> Counts {
        let gathered = self.gathered.load(Ordering::Acquire);
        let lost = self.losses();
        // Not those in the rings: between a ring and here they would be missing for a moment, and a counter must not fall.
        let recorded = gathered + lost.buffer_full;
        let damaged = self.damaged.load(Ordering::Relaxed);
        Counts { recorded, lost, damaged, ..Counts::default() }
    }

    pub(crate) fn losses(&self) -> Losses {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Losses {
            buffer_full: read(&self.buffer_full),
            disk_down: read(&self.disk_down),
            spool_full: read(&self.spool_full),
        }
    }
}
