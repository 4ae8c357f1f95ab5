//! `hny ship-clicks`.

use super::failure::Failure;
use crate::config::Config;
use crate::exit::Exit;

/// Brings clicks from Kafka to ClickHouse until it is told to stop.
#[cfg(all(feature = "clickhouse", feature = "kafka"))]
pub(super) fn run(config: &Config) -> Result<Exit, Failure> {
    crate::lifecycle::service_runtime(THREADS).map_err(Failure::Process)?.block_on(shipping::ship(config))
}

/// It waits for others nearly all of the time.
#[cfg(all(feature = "clickhouse", feature = "kafka"))]
const THREADS: usize = 2;

#[cfg(not(all(feature = "clickhouse", feature = "kafka")))]
pub(super) fn run(_: &Config) -> Result<Exit, Failure> {
    Err(Failure::Unset(
        "this program was built without Kafka and ClickHouse: cargo build --release --features clickhouse,kafka",
    ))
}

#[cfg(all(feature = "clickhouse", feature = "kafka"))]
mod shipping {
    use hny_clicks::clickhouse::ClickHouse;
    use hny_clicks::ship::Shipping;
    use hny_domain::Clock;

    use super::{Config, Exit, Failure};
    use crate::compose;
    use crate::config::Clicks;
    use crate::lifecycle;
    use crate::printer::say;

    pub(super) async fn ship(config: &Config) -> Result<Exit, Failure> {
        let Clicks::Kafka(kafka) = &config.clicks else {
            return Err(Failure::Unset(
                "there is no Kafka to take clicks from: set clicks_url (HNY_CLICKS_URL) to kafka://…",
            ));
        };
        let Some(address) = &config.clickhouse.0 else {
            return Err(Failure::Unset(
                "there is no ClickHouse to bring clicks to: set clickhouse_url (HNY_CLICKHOUSE_URL)",
            ));
        };
        let stop = lifecycle::stop_signal().map_err(Failure::Process)?;
        // Not a new one in a wrong folder: to it all links would be gone, and with them their clicks.
        let store = compose::open_existing_store(&config.store).await?;
        let clickhouse = ClickHouse::at(address);
        clickhouse.migrate(config.retention.clicks).await?;
        clickhouse.claim(store.database_id().await.map_err(compose::ComposeError::from)?).await?;
        let shipping = Shipping { kafka: kafka.clone(), clickhouse, store: store.clone(), clock: Clock::system() };
        tracing::info!(version = env!("CARGO_PKG_VERSION"), "started");
        say("hny ships clicks to ClickHouse");
        let shipped = shipping.run(stop.cancelled_owned()).await;
        store.close().await;
        tracing::info!(clicks = shipped.clicks(), dead = shipped.dead(), "stopped");
        Ok(Exit::Done)
    }
}
