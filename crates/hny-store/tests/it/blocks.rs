//! Blocks: added, listed, removed, recorded, and seen by other processes.

use std::time::Duration;

use hny_domain::KeyId;
use hny_store::blocks::Signature;
use hny_store::{Block, BlocksVersion, Store};

use crate::database::{Database, LATER, NOW, contract, insert_key};

contract![
    a_rule_is_there_once,
    rules_are_listed_by_their_bytes,
    a_rule_that_is_gone_is_gone,
    every_change_is_on_record,
    a_refused_change_leaves_no_record,
    another_process_sees_the_version,
    of_many_who_add_a_rule_one_does,
];

const BY_NOBODY: Signature = Signature { by: None, at: NOW };

async fn add(store: &Store, rule: &str) -> bool {
    store.add_block(rule.to_owned(), BY_NOBODY).await.unwrap().1
}

async fn remove(store: &Store, rule: &str) -> bool {
    store.remove_block(rule.to_owned(), BY_NOBODY).await.unwrap()
}

async fn list(store: &Store, after: &str, limit: u32) -> Vec<String> {
    store.list_blocks(after.to_owned(), limit).await.unwrap().into_iter().map(|block| block.rule).collect()
}

async fn a_rule_is_there_once(database: Database) {
    let store = database.store().await;
    let key = insert_key(&store, "key").await.id;
    let first = Signature { by: Some(key), at: NOW };
    let block = Block { rule: "evil.example/b\u{fc}cher?a=1".into(), added_at: NOW, added_by: Some(key) };
    assert_eq!(store.add_block(block.rule.clone(), first).await.unwrap(), (block.clone(), true));
    let again = store.add_block(block.rule.clone(), Signature { by: None, at: LATER }).await.unwrap();
    assert_eq!(again, (block.clone(), false), "the first record stays");
    assert_eq!(database.store().await.list_blocks(String::new(), 10).await.unwrap(), [block]);
}

async fn rules_are_listed_by_their_bytes(database: Database) {
    let store = database.store().await;
    for rule in ["b.example", "a.example/x", "B", "a.example", "a-b.example", "~"] {
        assert!(add(&store, rule).await);
    }
    let sorted = ["B", "a-b.example", "a.example", "a.example/x", "b.example", "~"];
    assert_eq!(list(&store, "", 100).await, sorted);
    assert_eq!(list(&store, "", 2).await, sorted[..2]);
    assert_eq!(list(&store, "a-b.example", 2).await, sorted[2..4]);
    assert_eq!(list(&store, "a.examplf", 9).await, sorted[4..]);
}

async fn a_rule_that_is_gone_is_gone(database: Database) {
    let store = database.store().await;
    assert!(!remove(&store, "evil.example").await);
    assert!(add(&store, "evil.example").await);
    assert!(!remove(&store, "EVIL.example").await && remove(&store, "evil.example").await);
    assert!(!remove(&store, "evil.example").await && list(&store, "", 9).await.is_empty());
    assert!(add(&store, "evil.example").await, "it may come again");
}

async fn every_change_is_on_record(database: Database) {
    let store = database.store().await;
    let key = insert_key(&store, "key").await.id;
    add(&store, "a.example").await;
    add(&store, "a.example").await;
    store.remove_block("a.example".into(), Signature { by: Some(key), at: LATER }).await.unwrap();
    remove(&store, "a.example").await;
    add(&store, "b.example").await;
    let changes = store.block_changes(BlocksVersion(0), 100).await.unwrap();
    let told: Vec<_> =
        changes.iter().map(|one| (one.version.0, one.rule.as_str(), one.is_addition, one.at, one.by)).collect();
    assert_eq!(
        told,
        [
            (1, "a.example", true, NOW, None),
            (2, "a.example", false, LATER, Some(key)),
            (3, "b.example", true, NOW, None)
        ]
    );
    assert_eq!(store.block_changes(BlocksVersion(1), 1).await.unwrap(), changes[1..2]);
    assert_eq!(store.read_blocks_version().await.unwrap(), BlocksVersion(3));
    assert_eq!(*store.watch_blocks().borrow(), BlocksVersion(3), "seen as soon as it is acknowledged");
    assert_eq!(*database.store().await.watch_blocks().borrow(), BlocksVersion(3), "seen at start");
}

async fn a_refused_change_leaves_no_record(database: Database) {
    let store = database.store().await;
    let by = Some(KeyId(999));
    assert!(store.add_block("a.example".into(), Signature { by, at: NOW }).await.is_err(), "there is no such key");
    assert_eq!(store.read_blocks_version().await.unwrap(), BlocksVersion(0));
    assert!(list(&store, "", 9).await.is_empty() && add(&store, "a.example").await);
}

async fn another_process_sees_the_version(database: Database) {
    let (here, there) = (database.store().await, database.store().await);
    let mut seen = here.watch_blocks();
    add(&there, "a.example").await;
    remove(&there, "a.example").await;
    // The second that is promised.
    let both = seen.wait_for(|version| *version == BlocksVersion(2));
    tokio::time::timeout(Duration::from_secs(1), both).await.unwrap().unwrap();
}

async fn of_many_who_add_a_rule_one_does(database: Database) {
    let stores = [database.store().await, database.store().await];
    let adding: Vec<_> = (0..20)
        .map(|number| {
            let store = stores[number % 2].clone();
            tokio::spawn(async move { add(&store, &format!("{}.example", number / 4)).await })
        })
        .collect();
    let mut added = 0;
    for one in adding {
        added += usize::from(one.await.unwrap());
    }
    assert_eq!(added, 5);
    let versions = stores[0].block_changes(BlocksVersion(0), 100).await.unwrap();
    assert_eq!(versions.iter().map(|change| change.version.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
}
