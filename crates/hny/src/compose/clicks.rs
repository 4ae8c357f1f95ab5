//! The click road of a service.

#[cfg(feature = "clickhouse")]
use hny_clicks::clickhouse::ClickHouse;
use hny_clicks::{Countries, Recorder, Spooling, Statistics, Upkeep, VisitorKey, VisitorKeys, Visitors};
use hny_store::{SpoolId, Store, StoreError};
use rand::TryRng;
use rand::rngs::SysRng;

use super::{ComposeError, Verbs};
use crate::config::{Clicks, Config};

/// Where clicks are recorded, and what has to be done about them as long as the service runs.
pub struct ClickRoad {
    /// To be closed before the database is.
    pub recorder: Recorder,
    /// To be run, and ended before the database is closed.
    pub upkeep: Upkeep,
}

/// Starts to record clicks, to where the settings say.
pub async fn click_road(config: &Config, verbs: &Verbs) -> Result<ClickRoad, ComposeError> {
    let keys = VisitorKeys::new(draw_key().ok_or(ComposeError::Randomness)?);
    let retention = hny_clicks::Retention { clicks: config.retention.clicks, expired: config.retention.expired };
    let mut upkeep = Upkeep::new(verbs.store.clone(), verbs.clock.clone(), keys.clone(), draw_key, retention);
    if config.clicks == Clicks::Discard {
        return Ok(ClickRoad { recorder: Recorder::discarding(), upkeep });
    }
    fetch_keys(&mut upkeep).await?;
    let (clock, threads) = (verbs.clock.clone(), config.http.threads.get());
    let (spooling, visitors) = (spooling(config, verbs).await?, visitors(config, keys)?);
    let recorder = match &config.clicks {
        #[cfg(feature = "kafka")]
        Clicks::Kafka(address) => Recorder::handing_over(address.clone(), spooling, visitors, clock, threads)?,
        Clicks::Store | Clicks::Discard => Recorder::counting(verbs.store.clone(), spooling, visitors, clock, threads)?,
    };
    Ok(ClickRoad { recorder, upkeep })
}

/// What answers questions about clicks: whatever has them.
pub(super) fn statistics(config: &Config, store: &Store) -> Statistics {
    match &config.clickhouse.0 {
        #[cfg(feature = "clickhouse")]
        Some(address) => Statistics::of_clickhouse(ClickHouse::at(address)),
        _ => Statistics::of_store(store.clone()),
    }
}

/// Without them the first visitors would be told apart by each node for itself; but a database that takes no changes now holds
/// nobody up.
async fn fetch_keys(upkeep: &mut Upkeep) -> Result<(), ComposeError> {
    match upkeep.fetch_keys().await {
        Err(error @ StoreError::Unavailable(_)) => {
            tracing::warn!(%error, "visitors are told apart by this node alone until the database takes changes");
            Ok(())
        }
        fetched => Ok(fetched?),
    }
}

fn visitors(config: &Config, keys: VisitorKeys) -> Result<Visitors, ComposeError> {
    let countries = match &config.visitors.countries {
        Some(path) => Countries::of_file(path)?,
        None => Countries::compiled_in(),
    };
    Ok(Visitors { kept: config.visitors.kept, keys, countries })
}

async fn spooling(config: &Config, verbs: &Verbs) -> Result<Spooling, ComposeError> {
    Ok(Spooling {
        folder: config.spool.folder.clone(),
        limit: config.spool.limit,
        database: verbs.store.database_id().await?,
        spool: SpoolId(SysRng.try_next_u64().map_err(|_| ComposeError::Randomness)?),
    })
}

/// Draws a secret; `None` when the system has no randomness to give.
fn draw_key() -> Option<VisitorKey> {
    let mut key = VisitorKey::default();
    SysRng.try_fill_bytes(&mut key).ok().map(|()| key)
}
