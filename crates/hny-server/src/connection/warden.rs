//! The warden: one task that watches over all connections.
//!
//! A timer for each connection or request would cost every redirect a clock reading and a place in the timer wheel. The warden
//! keeps one rough clock that all connections read, and looks at each of them a few times a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use hny_domain::Clock;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::Limits;
use super::phase::Phase;

/// How often the warden looks, and how old its time may be.
pub(super) const TICK: Duration = Duration::from_millis(200);

/// The handle by which connections come under watch.
#[derive(Debug)]
pub(crate) struct Warden {
    shared: Arc<Shared>,
    newcomers: UnboundedSender<Arc<Phase>>,
    closed: CancellationToken,
}

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

    /// Whether the node is closing: every answer is the last one on its connection.
    pub(super) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    /// Whether the node is closed: nothing new begins.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }
}

impl Warden {
    /// A warden, and its work, which is to be run beside the connections until they are gone.
    pub(crate) fn new(limits: Limits, clock: Clock) -> (Self, impl Future<Output = ()>) {
        let shared = Arc::new(Shared {
            start: Instant::now(),
            clock,
            recent_ms: AtomicU64::new(0),
            recent_second: AtomicU64::new(0),
            is_closing: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
        });
        let (newcomers, arrivals) = mpsc::unbounded_channel();
        let closed = CancellationToken::new();
        let watch =
            Watch { shared: Arc::clone(&shared), arrivals, closed: closed.clone(), limits, connections: Vec::new() };
        (Self { shared, newcomers, closed }, watch.run())
    }

    /// From now on every answer is the last one on its connection.
    pub(crate) fn begin_to_close(&self) {
        self.shared.is_closing.store(true, Ordering::Relaxed);
    }

    /// From now on nothing new begins, and connections on which nothing runs are closed.
    pub(crate) fn close(&self) {
        self.begin_to_close();
        self.closed.cancel();
    }

    /// Takes a new connection under watch.
    pub(crate) fn watch(&self) -> Arc<Phase> {
        let phase = Arc::new(Phase::new(Arc::clone(&self.shared)));
        // Fails only when the warden is gone, and then the process is, too.
        let _ = self.newcomers.send(Arc::clone(&phase));
        phase
    }
}

/// What the warden's task owns.
struct Watch {
    shared: Arc<Shared>,
    arrivals: UnboundedReceiver<Arc<Phase>>,
    closed: CancellationToken,
    limits: Limits,
    connections: Vec<Arc<Phase>>,
}

impl Watch {
    async fn run(mut self) {
        let closed = self.closed.clone();
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = closed.cancelled(), if !self.shared.is_closed() => self.close(),
                // Without a connection there is nothing to look at, and the process may sleep.
                arrival = self.arrivals.recv(), if self.connections.is_empty() => match arrival {
                    Some(phase) => self.connections.push(phase),
                    None => return,
                },
                _ = ticks.tick(), if !self.connections.is_empty() => self.look(),
            }
        }
    }

    fn look(&mut self) {
        self.take_arrivals();
        let (now_ms, limits) = (self.shared.now_ms(), self.limits);
        self.connections.retain(|phase| phase.look(now_ms, limits));
    }

    /// Says that the node is closed, and wakes everyone. Who arrives later sees it by itself.
    fn close(&mut self) {
        self.shared.is_closed.store(true, Ordering::Relaxed);
        self.take_arrivals();
        for phase in &self.connections {
            phase.wake();
        }
    }

    fn take_arrivals(&mut self) {
        while let Ok(phase) = self.arrivals.try_recv() {
            self.connections.push(phase);
        }
    }
}
