//! API keys: stored, found, listed, revoked.

use hny_domain::{KeyId, Role};
use hny_store::NewKey;

use crate::database::{Database, LATER, NOW, contract, insert_key};

contract![
    a_key_comes_out_as_it_went_in,
    there_is_no_key_without_one,
    keys_are_listed_by_id,
    a_revoked_key_stays_and_says_since_when,
    a_log_does_not_show_the_hash,
];

async fn a_key_comes_out_as_it_went_in(database: Database) {
    let store = database.store().await;
    let secret_hash = std::array::from_fn(|index| u8::try_from(index).unwrap());
    let new = NewKey { name: "Zoë's \"key\"".to_owned(), role: Role::Admin, secret_hash, now: NOW };
    let key = store.insert_key(new).await.unwrap();
    assert_eq!((key.name.as_str(), key.role), ("Zoë's \"key\"", Role::Admin));
    assert_eq!((key.created_at, key.revoked_at, key.secret_hash), (NOW, None, secret_hash));
    assert!(store.find_key(key.id).await.unwrap() == Some(key.clone()));
    assert!(database.store().await.find_key(key.id).await.unwrap() == Some(key), "read by another process");
}

async fn there_is_no_key_without_one(database: Database) {
    let store = database.store().await;
    for id in [0, 1, -1, i64::MAX] {
        assert!(store.find_key(KeyId(id)).await.unwrap().is_none());
        assert!(!store.revoke_key(KeyId(id), NOW).await.unwrap());
    }
    assert!(store.list_keys().await.unwrap().is_empty());
}

async fn keys_are_listed_by_id(database: Database) {
    let store = database.store().await;
    let mut made = Vec::new();
    for name in ["b", "a", "a"] {
        made.push(insert_key(&store, name).await);
    }
    assert!(made.is_sorted_by(|left, right| left.id < right.id));
    assert_eq!(store.list_keys().await.unwrap(), made);
}

async fn a_revoked_key_stays_and_says_since_when(database: Database) {
    let store = database.store().await;
    let key = insert_key(&store, "key").await;
    let other = insert_key(&store, "other").await;
    assert!(store.revoke_key(key.id, NOW).await.unwrap());
    assert!(store.revoke_key(key.id, LATER).await.unwrap(), "again is fine");
    let revoked = store.find_key(key.id).await.unwrap().unwrap();
    assert_eq!(revoked.revoked_at, Some(NOW), "the first time counts");
    assert_eq!(store.list_keys().await.unwrap(), [revoked, other]);
}

async fn a_log_does_not_show_the_hash(database: Database) {
    let key = insert_key(&database.store().await, "key").await;
    assert!(!format!("{key:?}").contains("7, 7"), "{key:?}");
}
