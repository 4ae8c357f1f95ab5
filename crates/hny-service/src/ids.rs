//! The primary keys of links: Snowflake ids, under a node that this process leases.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use hny_codes::snowflake::{self, Generator, Id, Lease, Next, NextError, Node};
use hny_codes::{Alphabet, RandomCodes};
use hny_domain::Clock;
use hny_store::{NodeGrant, NodeId, NodeLease, NodeWish, Store, StoreError};
use thiserror::Error;

use crate::randomness::Randomness;

/// How long a lease holds. A process that dies keeps its node from others for no longer.
const LEASE: Duration = Duration::from_secs(3);

/// How often a lease is renewed, so that two renewals may fail before it is over.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Makes ids. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Ids(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    clock: Clock,
    wish: NodeWish,
    /// A token of this process.
    holder: String,
    current: RwLock<Option<Arc<Leased>>>,
    leasing: tokio::sync::Mutex<()>,
}

/// A lease, and the ids it allows.
#[derive(Debug)]
struct Leased {
    generator: Generator,
    node: NodeId,
    /// How far the wall clock was ahead of the monotonic one when the lease began: a step of the wall clock does not move the
    /// time by which the lease is renewed.
    anchor: Duration,
}

/// Why there is no id.
#[derive(Debug, Clone, Error)]
pub enum IdsError {
    /// The store cannot lease.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The wished node is another process's.
    #[error("{nodes} is taken by another process; set another HNY_DATACENTER_ID or HNY_WORKER_ID, or leave both unset")]
    Taken {
        /// What was wished for.
        nodes: String,
        /// How long the first of the leases still holds, if its holder is dead.
        left: Duration,
    },
    /// The clock is wrong.
    #[error(transparent)]
    Clock(#[from] snowflake::StartError),
    /// The lease could not be renewed in time, or ids have ended.
    #[error(transparent)]
    Over(#[from] snowflake::NextError),
    /// A node id is out of bounds.
    #[error(transparent)]
    Node(#[from] snowflake::NodeError),
}

impl Ids {
    /// Ids of a node that fits `wish`, leased from `store` when the first id is asked for, or before by [`Ids::lease`].
    pub fn new(
        store: Store,
        clock: Clock,
        wish: NodeWish,
        randomness: &Randomness,
    ) -> Result<Self, snowflake::NodeError> {
        Node::new(wish.datacenter.unwrap_or(0), wish.worker.unwrap_or(0))?;
        let holder = holder_token(randomness);
        let (current, leasing) = (RwLock::default(), tokio::sync::Mutex::default());
        Ok(Self(Arc::new(Inner { store, clock, wish, holder, current, leasing })))
    }

    /// Leases a node now, so that a taken one is found out at the start. A node whose holder died is waited for: its lease ends
    /// within three seconds.
    pub async fn lease(&self) -> Result<(), IdsError> {
        match self.leased().await {
            Err(IdsError::Taken { left, .. }) => {
                // If its holder is dead, the lease will be over then; if it lives, it will have renewed.
                tracing::info!("the node is taken; waiting for the end of its lease");
                tokio::time::sleep(left).await;
                self.leased().await.map(drop)
            }
            other => other.map(drop),
        }
    }

    /// The next id.
    pub(crate) async fn next(&self) -> Result<Id, IdsError> {
        let mut may_renew = true;
        loop {
            let leased = self.leased().await?;
            match leased.generator.next(&Times(&self.0.clock)) {
                Ok(Next::Id(id)) => return Ok(id),
                // All 4,096 of this millisecond are taken, or the clock stepped back a little: time itself is waited for.
                Ok(Next::Wait(wait)) => tokio::time::sleep(wait).await,
                // The process was paused, or the store was away, for longer than a lease holds.
                Err(NextError::LeaseOver { .. }) if may_renew => {
                    may_renew = false;
                    self.renew(&leased).await?;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Renews the lease, once there is one, every second, for as long as the returned future is polled.
    pub async fn keep(&self) {
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        heartbeat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            heartbeat.tick().await;
            if let Some(leased) = self.current()
                && let Err(error) = self.renew(&leased).await
            {
                tracing::debug!(%error, "the lease of the node could not be renewed");
            }
        }
    }

    /// Gives the node back. The mark of its last id stays with it.
    pub async fn release(&self) {
        let Some(leased) = self.set_current(None) else { return };
        let until_ms = leased.generator.high_water_ms();
        let lease = NodeLease { node: leased.node, holder: self.0.holder.clone(), until_ms };
        if let Err(error) = self.0.store.renew_node(lease).await {
            tracing::debug!(%error, "the node could not be given back; its lease ends by itself");
        }
    }

    async fn leased(&self) -> Result<Arc<Leased>, IdsError> {
        if let Some(leased) = self.current() {
            return Ok(leased);
        }
        let _one_at_a_time = self.0.leasing.lock().await;
        match self.current() {
            Some(leased) => Ok(leased),
            None => self.take_node().await,
        }
    }

    async fn take_node(&self) -> Result<Arc<Leased>, IdsError> {
        let now_ms = wall_ms(&self.0.clock);
        let until_ms = now_ms.saturating_add(millis(LEASE));
        let (node, after_ms) = match self.0.store.lease_node(self.0.wish, &self.0.holder, now_ms, until_ms).await? {
            NodeGrant::Granted { node, after_ms } => (node, after_ms),
            NodeGrant::Taken { until_ms } => return Err(self.refusal(until_ms)),
        };
        let lease = Lease { after_ms, until_ms };
        let generator = Generator::new(Node::new(node.datacenter, node.worker)?, lease, &Times(&self.0.clock))?;
        let anchor = Duration::from_millis(wall_ms(&self.0.clock)).saturating_sub(self.0.clock.monotonic());
        let leased = Arc::new(Leased { generator, node, anchor });
        self.set_current(Some(Arc::clone(&leased)));
        tracing::debug!(datacenter = node.datacenter, worker = node.worker, "leased a node");
        Ok(leased)
    }

    /// Why no node could be had: all that fit the wish are held, or marked, until `mark_ms` at least.
    fn refusal(&self, mark_ms: u64) -> IdsError {
        let now_ms = wall_ms(&self.0.clock);
        let left = Duration::from_millis(mark_ms.saturating_sub(now_ms).saturating_add(1));
        if left > LEASE + HEARTBEAT {
            // No process holds a node for so long: the clock was further when the mark was made.
            return snowflake::StartError::BehindMark { now_ms, mark_ms }.into();
        }
        IdsError::Taken { nodes: named(self.0.wish), left }
    }

    /// Has the lease hold from now on. A node that is another process's by now is given up; the next id leases another.
    async fn renew(&self, leased: &Arc<Leased>) -> Result<(), StoreError> {
        let steady_ms = millis(leased.anchor.saturating_add(self.0.clock.monotonic()));
        // Never below an id that was made: the clock may have been ahead for a while.
        let reached_ms = steady_ms.max(wall_ms(&self.0.clock)).max(leased.generator.high_water_ms());
        let until_ms = reached_ms.saturating_add(millis(LEASE));
        let lease = NodeLease { node: leased.node, holder: self.0.holder.clone(), until_ms };
        if self.0.store.renew_node(lease).await? {
            leased.generator.renew(until_ms);
        } else {
            let NodeId { datacenter, worker } = leased.node;
            tracing::warn!(datacenter, worker, "another process has taken the node of this one; leasing another");
            self.give_up(leased);
        }
        Ok(())
    }

    /// Forgets a lease that was lost. Of many who find that out at once, one leases another, which the others must leave alone.
    fn give_up(&self, lost: &Arc<Leased>) {
        let mut current = self.0.current.write().unwrap_or_else(PoisonError::into_inner);
        current.take_if(|leased| Arc::ptr_eq(leased, lost));
    }

    fn current(&self) -> Option<Arc<Leased>> {
        self.0.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_current(&self, leased: Option<Arc<Leased>>) -> Option<Arc<Leased>> {
        std::mem::replace(&mut *self.0.current.write().unwrap_or_else(PoisonError::into_inner), leased)
    }
}

/// The domain's clock as ids read it.
struct Times<'a>(&'a Clock);

impl snowflake::Clock for Times<'_> {
    fn unix_ms(&self) -> u64 {
        wall_ms(self.0)
    }

    fn monotonic_ms(&self) -> u64 {
        millis(self.0.monotonic())
    }
}

fn wall_ms(clock: &Clock) -> u64 {
    // Before 1970 is as good as 1970: ids begin in 2020, and refuse.
    u64::try_from(clock.now().as_millis()).unwrap_or(0)
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn named(wish: NodeWish) -> String {
    match (wish.datacenter, wish.worker) {
        (Some(datacenter), Some(worker)) => format!("node {datacenter}/{worker} (datacenter/worker)"),
        (Some(datacenter), None) => format!("every worker of datacenter {datacenter}"),
        (None, Some(worker)) => format!("worker {worker} of every datacenter"),
        (None, None) => "every node".to_owned(),
    }
}

/// 131 random bits that name this process.
fn holder_token(randomness: &Randomness) -> String {
    #[expect(clippy::expect_used, reason = "the length is a constant within the bounds")]
    let codes = RandomCodes::new(Alphabet::Base62, 22).expect("22 is a length of random codes");
    randomness.draw(codes).to_string()
}
