//! Removing from ClickHouse what belongs to links that are gone, in small steps, round after round.
//!
//! It does not follow deletions but looks at what is there: so it also finds what came late, or was under way when its link was
//! deleted.

use std::sync::Arc;
use std::time::Duration;

use hny_domain::LinkId;
use hny_store::Store;

use super::Stop;
use super::flight::{LINKS_AT_ONCE, Trouble, homes};
use crate::clickhouse::ClickHouse;

/// Between two steps, so that neither database notices.
const BETWEEN_STEPS: Duration = Duration::from_millis(500);

/// Between two rounds.
const BETWEEN_ROUNDS: Duration = Duration::from_secs(5);

/// Goes round until it is told to stop.
pub(super) async fn run(clickhouse: ClickHouse, store: Store, stop: Arc<Stop>) {
    let mut after = None;
    while !stop.is_told() {
        after = match step(&clickhouse, &store, after).await {
            Ok(after) => after,
            Err(error) => {
                tracing::warn!(%error, "clicks of deleted links cannot be removed now");
                None
            }
        };
        stop.wait(if after.is_some() { BETWEEN_STEPS } else { BETWEEN_ROUNDS }).await;
    }
}

/// Looks at some links; the last of them, or none when there are no more.
async fn step(clickhouse: &ClickHouse, store: &Store, after: Option<LinkId>) -> Result<Option<LinkId>, Trouble> {
    let links = clickhouse.links_after(after, LINKS_AT_ONCE).await?;
    let there = homes(store, links.iter().copied().collect()).await?;
    let gone: Vec<LinkId> = links.iter().copied().filter(|link| !there.contains_key(link)).collect();
    clickhouse.remove(&gone).await?;
    if !gone.is_empty() {
        tracing::info!(links = gone.len(), "clicks of deleted links were removed");
    }
    Ok(links.last().copied())
}
