//! What a connection is doing, and since when.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use super::Limits;

/// What a connection is doing: the kind in the lowest two bits, above it the milliseconds from `start` to when that began.
#[derive(Debug)]
pub(super) struct Phase {
    start: Instant,
    state: AtomicU64,
    is_closing: AtomicBool,
}

/// Waiting for the first byte of a request, after another.
const IDLE: u64 = 0;
/// Some of a request's head has arrived.
const READING: u64 = 1;
/// A request is being answered; its own limits hold.
const SERVING: u64 = 2;
/// Waiting for the first byte of all.
const NEW: u64 = 3;

const KIND_BITS: u32 = 2;
const KIND_MASK: u64 = (1 << KIND_BITS) - 1;

/// How long after it was opened a connection may bring its first byte when the node is closing. Whoever connects to ask for
/// something asks at once; what comes later than this was opened just in case.
const FIRST_BYTE: Duration = Duration::from_secs(1);

impl Phase {
    /// A connection that was just opened.
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), state: AtomicU64::new(NEW), is_closing: AtomicBool::new(false) }
    }

    /// Bytes have arrived.
    pub(super) fn received(&self) {
        if matches!(self.kind(), NEW | IDLE) {
            self.enter(READING);
        }
    }

    /// The node is closing: the next answer is the last one.
    pub(super) fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
    }

    /// Whether the next answer is the last one.
    pub(super) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    /// Whether a request is on its way, or may be: some of its head has arrived, or nothing ever has.
    pub(super) fn expects_request(&self) -> bool {
        matches!(self.kind(), NEW | READING)
    }

    /// A request's head is complete.
    pub(super) fn serving(&self) {
        self.state.store(SERVING, Ordering::Relaxed);
    }

    /// The request is answered.
    pub(super) fn answered(&self) {
        self.enter(IDLE);
    }

    /// When the client will have taken too long, as things are now; `None` while it is not the client's turn.
    pub(super) fn deadline(&self, limits: Limits) -> Option<Instant> {
        let state = self.state.load(Ordering::Relaxed);
        let since = self.start + Duration::from_millis(state >> KIND_BITS);
        match state & KIND_MASK {
            NEW if self.is_closing() => Some(since + limits.idle_timeout.min(FIRST_BYTE)),
            NEW | IDLE => Some(since + limits.idle_timeout),
            READING => Some(since + limits.read_timeout),
            _ => None,
        }
    }

    fn kind(&self) -> u64 {
        self.state.load(Ordering::Relaxed) & KIND_MASK
    }

    fn enter(&self, kind: u64) {
        let millis = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX >> KIND_BITS);
        self.state.store(millis << KIND_BITS | kind, Ordering::Relaxed);
    }
}
