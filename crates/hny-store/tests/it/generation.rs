//! The generation of a shared cache.

use std::time::Duration;

use hny_store::{CacheGeneration, Store};

use crate::database::{Database, contract};

contract![a_generation_grows, a_run_raises_it_once, another_process_sees_it, many_may_meet_a_new_run];

fn generation(number: u64, run_id: Option<&str>) -> CacheGeneration {
    CacheGeneration { number, run_id: run_id.map(Into::into) }
}

async fn raise(store: &Store, run_id: Option<&str>) -> CacheGeneration {
    store.raise_cache_generation(run_id).await.unwrap()
}

/// Returns when `store` has seen the generation.
async fn see(store: &Store, generation: &CacheGeneration) {
    let seen = async {
        while store.cache_generation() != *generation {
            tokio::task::yield_now().await;
        }
    };
    // The second that is promised.
    tokio::time::timeout(Duration::from_secs(1), seen).await.unwrap();
}

async fn a_generation_grows(database: Database) {
    let store = database.store().await;
    assert_eq!(store.cache_generation(), generation(0, None));
    assert_eq!(raise(&store, None).await, generation(1, None));
    assert_eq!(raise(&store, Some("first")).await, generation(2, Some("first")));
    assert_eq!(raise(&store, None).await, generation(3, Some("first")), "the run stays");
    assert_eq!(store.read_cache_generation().await.unwrap(), generation(3, Some("first")));
    see(&store, &generation(3, Some("first"))).await;
    assert_eq!(database.store().await.cache_generation(), generation(3, Some("first")), "seen at start");
}

async fn a_run_raises_it_once(database: Database) {
    let store = database.store().await;
    assert_eq!(raise(&store, Some("first")).await, generation(1, Some("first")));
    assert_eq!(raise(&store, Some("first")).await, generation(1, Some("first")));
    assert_eq!(raise(&store, Some("second")).await, generation(2, Some("second")));
    assert_eq!(raise(&store, Some("first")).await, generation(3, Some("first")), "one that comes back is another");
}

async fn another_process_sees_it(database: Database) {
    let (here, there) = (database.store().await, database.store().await);
    raise(&there, Some("run")).await;
    see(&here, &generation(1, Some("run"))).await;
}

async fn many_may_meet_a_new_run(database: Database) {
    let stores = [database.store().await, database.store().await];
    let raised: Vec<_> = (0..20)
        .map(|number| {
            let store = stores[number % 2].clone();
            tokio::spawn(async move { raise(&store, Some("run")).await })
        })
        .collect();
    for raised in raised {
        assert_eq!(raised.await.unwrap(), generation(1, Some("run")));
    }
}
