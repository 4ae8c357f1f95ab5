//! The generation of a shared cache.

use std::time::Duration;

use hny_domain::{Caller, Edit};
use hny_store::{CacheGeneration, Insertion, Store};

use crate::database::{Database, NOW, code, contract, insert, new_link};

contract![
    a_generation_grows,
    a_run_raises_it_once,
    another_process_sees_it,
    many_may_meet_a_new_run,
    a_change_begins_one_where_that_is_asked_for,
];

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

async fn a_change_begins_one_where_that_is_asked_for(database: Database) {
    let store = database.store().await;
    let beginning = store.beginning_generations();
    let number = async || store.read_cache_generation().await.unwrap().number;
    let link = insert(&store, new_link("a")).await;
    assert_eq!(number().await, 0);
    insert(&beginning, new_link("b")).await;
    assert_eq!(number().await, 1);
    let edit = async |store: &Store| {
        let edited = store.edit_link(link.domain, &link.code, Edit::default(), Caller::Operator, NOW).await.unwrap();
        assert!(edited.link().is_some());
    };
    edit(&store).await;
    assert_eq!(number().await, 1);
    edit(&beginning).await;
    assert_eq!(number().await, 2);
    let delete =
        async || beginning.delete_link(link.domain, &link.code, Caller::Operator, NOW).await.unwrap().is_some();
    assert_eq!((delete().await, number().await), (true, 3));
    // What changes nothing begins none.
    assert_eq!((delete().await, number().await), (false, 3));
    assert_eq!(beginning.insert_link(new_link("b")).await.unwrap(), Insertion::CodeTaken);
    let nothing = beginning.edit_link(link.domain, &code("c"), Edit::default(), Caller::Operator, NOW).await.unwrap();
    assert_eq!((nothing.link(), number().await), (None, 3));
    see(&store, &generation(3, None)).await;
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
