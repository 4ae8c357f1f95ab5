//! A block on its way into ClickHouse.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use hny_domain::{Click, Clock, LinkId};
use hny_store::{Home, Store, StoreError};
use thiserror::Error;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::clickhouse::{Block, ClickHouse, ClickHouseError};

/// How many links are asked for at a time.
pub(super) const LINKS_AT_ONCE: usize = 5_000;

/// Between two attempts.
const REST: Duration = Duration::from_millis(500);

/// A block that is under way. Dropped, it is not sent any more.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) end: i64,
    pub(super) task: JoinHandle<u64>,
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// When the thread that is the member of the group was last seen to be alive.
#[derive(Debug, Clone)]
pub(super) struct Pulse {
    clock: Clock,
    last: Arc<AtomicU64>,
}

/// Whoever stood still for longer may have lost its partitions to others.
const LONGEST_STILL: Duration = Duration::from_secs(20);

impl Pulse {
    pub(super) fn new(clock: Clock) -> Self {
        let pulse = Self { clock, last: Arc::default() };
        pulse.beat();
        pulse
    }

    /// Whether it was alive until now; and it is.
    pub(super) fn beat(&self) -> bool {
        let was_alive = self.is_alive();
        let now = u64::try_from(self.clock.monotonic().as_millis()).unwrap_or(u64::MAX);
        self.last.store(now, Ordering::Release);
        was_alive
    }

    fn is_alive(&self) -> bool {
        let last = Duration::from_millis(self.last.load(Ordering::Acquire));
        self.clock.monotonic().saturating_sub(last) < LONGEST_STILL
    }
}

/// What brings blocks on their way.
#[derive(Clone)]
pub(super) struct Carrier {
    pub(super) clickhouse: ClickHouse,
    pub(super) store: Store,
    pub(super) pulse: Pulse,
}

/// Why one of the two databases did not do it.
#[derive(Debug, Error)]
pub(super) enum Trouble {
    #[error(transparent)]
    ClickHouse(#[from] ClickHouseError),
    #[error("the homes of links cannot be looked up: {0}")]
    Store(#[from] StoreError),
}

impl Carrier {
    /// Sends a block until it has arrived; how many clicks it had.
    pub(super) async fn carry(self, token: String, clicks: Vec<Click>) -> u64 {
        loop {
            // A process that was stopped and goes on must not send before it is known whether it is still a member.
            if self.pulse.is_alive() {
                match self.try_to_carry(&token, &clicks).await {
                    Ok(count) => return count,
                    Err(error) => tracing::warn!(%error, token, "a block of clicks did not arrive; it is sent again"),
                }
            }
            sleep(REST).await;
        }
    }

    async fn try_to_carry(&self, token: &str, clicks: &[Click]) -> Result<u64, Trouble> {
        let homes = homes(&self.store, clicks.iter().map(|click| click.link).collect()).await?;
        let with_home = |click: &Click| Some((click.clone(), *homes.get(&click.link)?));
        let clicks: Vec<_> = clicks.iter().filter_map(with_home).collect();
        let count = clicks.len() as u64;
        self.clickhouse.add(&Block { token: token.to_owned(), clicks }).await?;
        Ok(count)
    }
}

/// Those of these links that are there, with their homes.
pub(super) async fn homes(store: &Store, links: BTreeSet<LinkId>) -> Result<BTreeMap<LinkId, Home>, StoreError> {
    let links: Vec<LinkId> = links.into_iter().collect();
    let mut homes = BTreeMap::new();
    for some in links.chunks(LINKS_AT_ONCE) {
        homes.extend(store.homes(some.to_vec()).await?);
    }
    Ok(homes)
}
