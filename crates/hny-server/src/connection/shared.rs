//! What all connections of a node read: what time it is, roughly, and whether it is closing.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use hny_domain::Clock;
use tokio::time::Instant;

/// How often the warden looks, and how old its time may be.
pub(super) const TICK: Duration = Duration::from_millis(200);

/// What every connection reads.
#[derive(Debug)]
pub(super) struct Shared {
    start: Instant,
    clock: Clock,
    /// Milliseconds since `start`, at most a tick old while there is a connection.
    recent_ms: AtomicU64,
    /// Seconds since 1970 by the wall clock, as old.
    recent_second: AtomicU64,
    is_closing: AtomicBool,
    is_closed: AtomicBool,
}

impl Shared {
    pub(super) fn new(clock: Clock) -> Self {
        Self {
            start: Instant::now(),
            clock,
            recent_ms: AtomicU64::new(0),
            recent_second: AtomicU64::new(0),
            is_closing: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
        }
    }

    /// The time, read now.
    pub(super) fn now_ms(&self) -> u64 {
        let now_ms = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.recent_ms.store(now_ms, Ordering::Relaxed);
        let second = self.clock.now().as_millis() / 1000;
        self.recent_second.store(u64::try_from(second).unwrap_or_default(), Ordering::Relaxed);
        now_ms
    }

    /// The time, at most a tick old.
    pub(super) fn recent_ms(&self) -> u64 {
        self.recent_ms.load(Ordering::Relaxed)
    }

    /// Seconds since 1970, at most a tick old.
    pub(super) fn recent_second(&self) -> u64 {
        self.recent_second.load(Ordering::Relaxed)
    }

    /// From now on every answer is the last one on its connection.
    pub(super) fn begin_to_close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
    }

    /// From now on nothing new begins.
    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    /// Whether the node is closing: every answer is the last one on its connection.
    pub(super) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    /// Whether the node is closed: nothing new begins.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }
}
