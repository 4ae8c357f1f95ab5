//! From Kafka to ClickHouse, each click counted once.
//!
//! Processes share the partitions of the topic as a consumer group. Of each partition one block is under way at a time, and before it is
//! sent, the group is told that it will be: the offset where it begins is committed, with where it ends beside it
//! (`ship/plan.rs`). Whoever gets the partition next, after whatever end, reads the plan, makes the same block of the same messages and
//! sends it by the same name, and ClickHouse takes what it has not taken yet. Only when it has all is the end committed.
//!
//! After anything that Kafka does not answer as it should, the process leaves the group and begins anew: it is never in doubt what it
//! has.

mod block;
mod dead;
mod failure;
mod flight;
mod membership;
mod message;
mod partition;
mod plan;
mod session;
mod sweep;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use hny_domain::Clock;
use hny_store::Store;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::timeout;

pub use failure::ShipFailure;

use crate::clickhouse::ClickHouse;
use crate::sink::kafka::KafkaAddress;
use session::Session;

/// How long it waits after a failure before it begins anew.
const REST: Duration = Duration::from_secs(1);

/// What carries clicks from a topic of Kafka to ClickHouse.
pub struct Shipping {
    /// Where clicks come from.
    pub kafka: KafkaAddress,
    /// Where they go.
    pub clickhouse: ClickHouse,
    /// Who knows which links are there, and whose they are.
    pub store: Store,
    /// The time.
    pub clock: Clock,
}

/// What was shipped.
#[derive(Debug, Default)]
pub struct Shipped {
    clicks: AtomicU64,
    dead: AtomicU64,
}

impl Shipped {
    /// How many clicks ClickHouse has taken.
    pub fn clicks(&self) -> u64 {
        self.clicks.load(Ordering::Relaxed)
    }

    /// How many messages were none, and are in the topic for dead letters now.
    pub fn dead(&self) -> u64 {
        self.dead.load(Ordering::Relaxed)
    }
}

/// Tells a thread that it shall end.
#[derive(Debug, Default)]
pub(crate) struct Stop {
    is_told: AtomicBool,
    bell: Notify,
}

impl Stop {
    fn tell(&self) {
        self.is_told.store(true, Ordering::Release);
        self.bell.notify_waiters();
    }

    pub(crate) fn is_told(&self) -> bool {
        self.is_told.load(Ordering::Acquire)
    }

    /// Waits until it is told, or for this long; whether it is told.
    pub(crate) async fn wait(&self, time: Duration) -> bool {
        let told = self.bell.notified();
        // Between the two it might be told.
        if !self.is_told() {
            let _ = timeout(time, told).await;
        }
        self.is_told()
    }
}

impl Shipping {
    /// Ships until `stop` comes, and ends when all that is under way has arrived, or does not. What is left then is in Kafka.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Arc<Shipped> {
        let (shipped, told) = (Arc::<Shipped>::default(), Arc::<Stop>::default());
        let sweeping = sweep::run(self.clickhouse.clone(), self.store.clone(), Arc::clone(&told));
        let sweeping = tokio::spawn(sweeping);
        let (counts, ending, runtime) = (Arc::clone(&shipped), Arc::clone(&told), Handle::current());
        let mut shipping = tokio::task::spawn_blocking(move || self.ship(&counts, &ending, &runtime));
        tokio::select! {
            () = stop => told.tell(),
            _ = &mut shipping => return shipped,
        }
        let _ = (shipping.await, sweeping.await);
        shipped
    }

    /// Is a member of the group for as long as that goes well, again and again.
    fn ship(&self, shipped: &Arc<Shipped>, stop: &Stop, runtime: &Handle) {
        while !stop.is_told() {
            let ended = Session::join(self, shipped, runtime).and_then(|mut session| session.run(stop));
            if let Err(failure) = ended {
                tracing::warn!(error = %failure, "clicks cannot be shipped now; they wait in Kafka");
                runtime.block_on(stop.wait(REST));
            }
        }
    }
}
