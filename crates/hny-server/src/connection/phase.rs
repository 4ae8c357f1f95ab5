//! What a connection is doing, and since when.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Waker;
use std::time::Duration;

use super::Limits;
use super::shared::{Shared, TICK};
use crate::redirect::{Date, Ending};

/// What a connection is doing: the kind in the lowest three bits, above it the warden's time when that began.
#[derive(Debug)]
pub(crate) struct Phase {
    shared: Arc<Shared>,
    state: AtomicU64,
    is_over: AtomicBool,
    /// Wakes whoever serves the connection.
    waker: Mutex<Waker>,
}

/// Waiting for the first byte of a request, after another.
const IDLE: u64 = 0;
/// Some of a request's head has arrived.
const READING: u64 = 1;
/// A request is being answered; its own limits hold.
const SERVING: u64 = 2;
/// Waiting for the first byte of all.
const NEW: u64 = 3;
/// The connection is closed.
const ENDED: u64 = 4;

const KIND_BITS: u32 = 3;
const KIND_MASK: u64 = (1 << KIND_BITS) - 1;

/// How long after it was opened a connection may bring its first byte when the node is closing. Whoever connects to ask for
/// something asks at once; what comes later than this was opened just in case.
const FIRST_BYTE: Duration = Duration::from_secs(1);

impl Phase {
    /// A connection that was just opened.
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let state = AtomicU64::new(shared.now_ms() << KIND_BITS | NEW);
        Self { shared, state, is_over: AtomicBool::new(false), waker: Mutex::new(Waker::noop().clone()) }
    }

    /// Bytes have arrived.
    pub(super) fn received(&self) {
        if matches!(self.kind(), NEW | IDLE) {
            self.enter(READING);
        }
    }

    /// A request's head is complete.
    pub(super) fn serving(&self) {
        self.state.store(SERVING, Ordering::Relaxed);
    }

    /// The request is answered.
    pub(super) fn answered(&self) {
        self.enter(IDLE);
    }

    /// The client has taken some of an answer that is made while it is sent: so long as it goes on, it is not idle.
    pub(super) fn sent(&self) {
        if self.kind() == IDLE {
            self.enter(IDLE);
        }
    }

    /// The connection is closed.
    pub(super) fn end(&self) {
        self.state.store(ENDED, Ordering::Relaxed);
    }

    /// Whether a request is on its way, or may be: some of its head has arrived, or nothing ever has.
    pub(super) fn expects_request(&self) -> bool {
        matches!(self.kind(), NEW | READING)
    }

    /// Whether the node is closing, so that the next answer is the last one.
    pub(super) fn is_closing(&self) -> bool {
        self.shared.is_closing()
    }

    /// How an answer ends that is given now.
    pub(super) fn ending(&self, is_last: bool) -> Ending {
        Ending { is_last, date: Date::of(self.shared.recent_second()) }
    }

    /// Whether nothing new may begin.
    pub(super) fn is_closed(&self) -> bool {
        self.shared.is_closed()
    }

    /// Whether the client has taken too long.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Has the warden wake whoever serves the connection from now on.
    pub(super) fn waken_by(&self, waker: &Waker) {
        self.waker.lock().unwrap_or_else(PoisonError::into_inner).clone_from(waker);
    }

    /// Wakes the connection, so that it looks at what has changed.
    pub(super) fn wake(&self) {
        self.waker.lock().unwrap_or_else(PoisonError::into_inner).wake_by_ref();
    }

    /// Ends the connection if its client has taken too long; whether there is still something to watch.
    pub(super) fn look(&self, now_ms: u64, limits: Limits) -> bool {
        let state = self.state.load(Ordering::Relaxed);
        let limit = match state & KIND_MASK {
            ENDED => return false,
            SERVING => return true,
            READING => limits.read_timeout,
            NEW if self.is_closing() => limits.idle_timeout.min(FIRST_BYTE),
            _ => limits.idle_timeout,
        };
        // The time when it began may be a tick old, and nobody shall have less than the limit.
        let waited = Duration::from_millis(now_ms.saturating_sub(state >> KIND_BITS));
        if waited <= limit + TICK {
            return true;
        }
        self.is_over.store(true, Ordering::Release);
        self.wake();
        false
    }

    fn kind(&self) -> u64 {
        self.state.load(Ordering::Relaxed) & KIND_MASK
    }

    fn enter(&self, kind: u64) {
        self.state.store(self.shared.recent_ms() << KIND_BITS | kind, Ordering::Relaxed);
    }
}
