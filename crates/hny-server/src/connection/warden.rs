//! The warden: one task that watches over all connections.
//!
//! A timer for each connection or request would cost every redirect a clock reading and a place in the timer wheel. The warden
//! keeps one rough clock that all connections read, and looks at each of them a few times a second.

use std::sync::Arc;

use hny_domain::Clock;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::Limits;
use super::phase::Phase;
use super::shared::{Shared, TICK};

/// The handle by which connections come under watch.
#[derive(Debug)]
pub(crate) struct Warden {
    shared: Arc<Shared>,
    newcomers: UnboundedSender<Arc<Phase>>,
    closed: CancellationToken,
}

impl Warden {
    /// A warden, and its work, which is to be run beside the connections until they are gone.
    pub(crate) fn new(limits: Limits, clock: Clock) -> (Self, impl Future<Output = ()>) {
        let shared = Arc::new(Shared::new(clock));
        let (newcomers, arrivals) = mpsc::unbounded_channel();
        let closed = CancellationToken::new();
        let watch =
            Watch { shared: Arc::clone(&shared), arrivals, closed: closed.clone(), limits, connections: Vec::new() };
        (Self { shared, newcomers, closed }, watch.run())
    }

    /// From now on every answer is the last one on its connection.
    pub(crate) fn begin_to_close(&self) {
        self.shared.begin_to_close();
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
        self.shared.close();
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
