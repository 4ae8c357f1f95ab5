//! What has to be done about clicks from time to time: the keys of the days, and what is kept no longer.

use std::time::Duration;

use hny_domain::{Clock, LinkId};
use hny_store::{Store, StoreError};
use tokio::time::sleep;

use crate::visitor::keys::{VisitorKey, VisitorKeys};

/// How often it is looked whether there is something to do.
const BETWEEN_ROUNDS: Duration = Duration::from_secs(20);

/// How often what has grown too old is looked for.
const BETWEEN_REMOVALS: Duration = Duration::from_hours(6);

/// How much is removed at a time: some milliseconds of work for a database.
const AT_ONCE: u32 = 1_000;

/// How long there is rest between two such steps, for everybody else.
const REST: Duration = Duration::from_millis(100);

/// How long something is kept; `None` is for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Clicks.
    pub clicks: Option<Duration>,
    /// Links that have expired.
    pub expired: Option<Duration>,
}

/// Sees to the keys of the days, and removes what is kept no longer. Every node does; what one has done, another finds done.
#[derive(Debug)]
pub struct Upkeep {
    store: Store,
    clock: Clock,
    keys: VisitorKeys,
    /// Draws a secret; `None` when there is no randomness.
    draw: fn() -> Option<VisitorKey>,
    retention: Retention,
    next_removal: Duration,
    has_failed: bool,
}

impl Upkeep {
    /// Nothing is done yet.
    pub fn new(
        store: Store,
        clock: Clock,
        keys: VisitorKeys,
        draw: fn() -> Option<VisitorKey>,
        retention: Retention,
    ) -> Self {
        Self { store, clock, keys, draw, retention, next_removal: Duration::ZERO, has_failed: false }
    }

    /// Fetches the keys of today and tomorrow.
    pub async fn fetch_keys(&mut self) -> Result<(), StoreError> {
        self.keys.fetch(&self.store, self.clock.now(), self.draw).await
    }

    /// Works until it is dropped. What fails is tried again.
    pub async fn run(mut self) {
        loop {
            match self.round().await {
                Ok(()) => self.has_failed = false,
                Err(error) if !self.has_failed => {
                    tracing::warn!(%error, "what is kept no longer cannot be removed now; it is tried again");
                    self.has_failed = true;
                }
                Err(error) => tracing::debug!(%error, "what is kept no longer still cannot be removed"),
            }
            sleep(BETWEEN_ROUNDS).await;
        }
    }

    async fn round(&mut self) -> Result<(), StoreError> {
        self.fetch_keys().await?;
        while self.store.remove_clicks_of_deleted(AT_ONCE).await? > 0 {
            sleep(REST).await;
        }
        if self.clock.monotonic() >= self.next_removal {
            self.remove_old_clicks().await?;
            self.remove_expired_links().await?;
            self.next_removal = self.clock.monotonic() + BETWEEN_REMOVALS;
        }
        Ok(())
    }

    async fn remove_old_clicks(&self) -> Result<(), StoreError> {
        let Some(kept) = self.retention.clicks else { return Ok(()) };
        let before = self.clock.now().before(kept);
        let (mut after, mut all) = (None::<LinkId>, 0);
        loop {
            let removed = self.store.remove_clicks_before(before, after, AT_ONCE).await?;
            all += removed.clicks;
            match removed.next {
                Some(link) => after = Some(link),
                None => break,
            }
            sleep(REST).await;
        }
        if all > 0 {
            tracing::info!(clicks = all, "clicks were removed that were kept long enough");
        }
        Ok(())
    }

    async fn remove_expired_links(&self) -> Result<(), StoreError> {
        let Some(kept) = self.retention.expired else { return Ok(()) };
        let mut all = 0;
        loop {
            let now = self.clock.now();
            match self.store.remove_expired_links(now.before(kept), now, AT_ONCE).await? {
                0 => break,
                links => all += links,
            }
            sleep(REST).await;
        }
        if all > 0 {
            tracing::info!(links = all, "links were deleted that had expired long ago");
        }
        Ok(())
    }
}
