//! The warden: one task that watches over all connections.
//!
//! A timer for each connection or request would cost every redirect a clock reading and a place in the timer wheel. The warden
//! keeps one rough clock that all connections read, and looks at each of them a few times a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

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
}

/// What every connection reads.
#[derive(Debug)]
pub(super) struct Shared {
    start: Instant,
    /// Milliseconds since `start`, at most a tick old while there is a connection.
    recent_ms: AtomicU64,
    is_closing: AtomicBool,
}

impl Shared {
    /// The time, read now.
    pub(super) fn now_ms(&self) -> u64 {
        let now_ms = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.recent_ms.store(now_ms, Ordering::Relaxed);
        now_ms
    }

    /// The time, at most a tick old.
    pub(super) fn recent_ms(&self) -> u64 {
        self.recent_ms.load(Ordering::Relaxed)
    }

    /// Whether the node is closing.
    pub(super) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }
}

impl Warden {
    /// A warden, and its work, which is to be run beside the connections until they are gone. When `closing` is cancelled,
    /// every connection hears of it at once.
    pub(crate) fn new(limits: Limits, closing: CancellationToken) -> (Self, impl Future<Output = ()>) {
        let shared = Arc::new(Shared {
            start: Instant::now(),
            recent_ms: AtomicU64::new(0),
            is_closing: AtomicBool::new(closing.is_cancelled()),
        });
        let (newcomers, arrivals) = mpsc::unbounded_channel();
        let watch = Watch { shared: Arc::clone(&shared), arrivals, limits, connections: Vec::new() };
        (Self { shared, newcomers }, watch.run(closing))
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
    limits: Limits,
    connections: Vec<Arc<Phase>>,
}

impl Watch {
    async fn run(mut self, closing: CancellationToken) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = closing.cancelled(), if !self.shared.is_closing() => self.close(),
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

    /// Says that the node is closing, and wakes everyone. Who arrives later sees it by itself.
    fn close(&mut self) {
        self.shared.is_closing.store(true, Ordering::Relaxed);
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
