//! The keys of visitor ids.

use crate::database::{Database, contract};

contract![the_first_one_gives_the_key, of_many_at_once_all_get_the_same, keys_of_old_days_are_destroyed];

async fn the_first_one_gives_the_key(database: Database) {
    let (here, there) = (database.store().await, database.store().await);
    assert_eq!(here.visitor_key(20_000, [1; 32]).await.unwrap(), [1; 32]);
    assert_eq!(there.visitor_key(20_000, [2; 32]).await.unwrap(), [1; 32]);
    assert_eq!(there.visitor_key(20_001, [2; 32]).await.unwrap(), [2; 32], "each day has its own");
    assert_eq!(database.store().await.visitor_key(20_001, [3; 32]).await.unwrap(), [2; 32]);
}

async fn of_many_at_once_all_get_the_same(database: Database) {
    let mut asking = Vec::new();
    for fresh in 0..4 {
        let store = database.store().await;
        asking.push(tokio::spawn(async move { store.visitor_key(1, [fresh; 32]).await.unwrap() }));
    }
    let mut keys = Vec::new();
    for asked in asking {
        keys.push(asked.await.unwrap());
    }
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
}

async fn keys_of_old_days_are_destroyed(database: Database) {
    let store = database.store().await;
    for day in 1..=5 {
        store.visitor_key(day, [1; 32]).await.unwrap();
    }
    assert_eq!(store.remove_visitor_keys(4).await.unwrap(), 3);
    assert_eq!(store.remove_visitor_keys(4).await.unwrap(), 0);
    assert_eq!(store.visitor_key(3, [2; 32]).await.unwrap(), [2; 32], "the old one is gone");
    assert_eq!(store.visitor_key(4, [2; 32]).await.unwrap(), [1; 32], "this one is not old enough");
}
