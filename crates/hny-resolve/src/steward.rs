//! Who sees to it that nobody takes what one run of Redis says for what another knew.

use std::time::Duration;

use hny_redis::Redis;
use hny_store::Store;
use tokio::time::sleep;

/// After this time it is tried again to tell the database of a run.
const PAUSE: Duration = Duration::from_millis(500);

/// Has a new generation begin whenever the connection leads to another run of Redis than the one that the generation in force
/// is for: one that was started again, empty or from an old dump, or a replica that took over and has not got everything.
/// Until the database says so, nobody asks it.
pub(crate) async fn keep(redis: Redis, store: Store) {
    let mut settled = None;
    let mut is_told = false;
    loop {
        let run = redis.run_other_than(settled.as_ref()).await;
        match store.raise_cache_generation(Some(run.as_str())).await {
            Ok(generation) => {
                is_told = false;
                tracing::info!(generation = generation.number, "the shared cache is in use");
                settled = Some(run);
            }
            Err(error) => {
                if !is_told {
                    is_told = true;
                    tracing::warn!(%error, "the shared cache is not used until the database knows this run of Redis");
                }
                sleep(PAUSE).await;
            }
        }
    }
}
