//! API keys: stored, found, listed, used, revoked.

use hny_domain::{DomainId, Grant, KeyId, Role, Timestamp};
use hny_store::{LastAdmin, NewKey, Revocation, Store};

use crate::database::{Database, LATER, NOW, contract, insert_key};

contract![
    a_key_comes_out_as_it_went_in,
    there_is_no_key_without_one,
    keys_are_listed_by_id,
    a_revoked_key_stays_and_says_since_when,
    the_last_admin_is_kept,
    of_two_admins_that_are_revoked_at_once_one_stays,
    the_latest_use_is_noted,
    a_log_does_not_show_the_hash,
];

fn new_key(grant: Grant) -> NewKey {
    NewKey { name: "a key".to_owned(), grant, expires_at: None, secret_hash: [7; 32], now: NOW }
}

async fn revoke(store: &Store, id: KeyId, last: LastAdmin) -> Revocation {
    store.revoke_key(id, last, NOW).await.unwrap()
}

async fn a_key_comes_out_as_it_went_in(database: Database) {
    let store = database.store().await;
    let secret_hash = std::array::from_fn(|index| u8::try_from(index).unwrap());
    let narrowed = |role, own| Grant::new(role, own, Some(DomainId::BASE)).unwrap();
    let grants = [narrowed(Role::Admin, false), narrowed(Role::Editor, true), narrowed(Role::Reader, false)];
    for grant in Role::ALL.map(Grant::of).into_iter().chain(grants) {
        let name = "Zoë's \"key\"".to_owned();
        let new = NewKey { name: name.clone(), expires_at: Some(LATER), secret_hash, ..new_key(grant) };
        let key = store.insert_key(new).await.unwrap();
        assert_eq!((&key.name, key.grant, key.created_at), (&name, grant, NOW));
        assert_eq!((key.expires_at, key.revoked_at, key.last_used_at), (Some(LATER), None, None));
        for store in [&store, &database.store().await] {
            let found = store.find_key(key.id).await.unwrap().unwrap();
            assert!(found.key == key && found.secret_hash == secret_hash, "{grant:?}");
        }
    }
}

async fn there_is_no_key_without_one(database: Database) {
    let store = database.store().await;
    for id in [0, 1, -1, i64::MAX].map(KeyId) {
        assert!(store.find_key(id).await.unwrap().is_none());
        assert_eq!(revoke(&store, id, LastAdmin::Revoke).await, Revocation::NoSuchKey);
        assert_eq!(revoke(&store, id, LastAdmin::Keep).await, Revocation::NoSuchKey);
        store.note_key_use(id, NOW).await.unwrap();
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
    assert_eq!(revoke(&store, key.id, LastAdmin::Keep).await, Revocation::Revoked);
    let again = store.revoke_key(key.id, LastAdmin::Keep, LATER).await.unwrap();
    assert_eq!(again, Revocation::Revoked, "again is fine");
    let revoked = store.find_key(key.id).await.unwrap().unwrap().key;
    assert_eq!(revoked.revoked_at, Some(NOW));
    assert_eq!(store.list_keys().await.unwrap(), [revoked, other]);
}

async fn the_last_admin_is_kept(database: Database) {
    let store = database.store().await;
    let admin = insert_key(&store, "admin").await.id;
    let over = NewKey { expires_at: Some(NOW), ..new_key(Grant::EVERYTHING) };
    let of_a_domain = new_key(Grant::new(Role::Admin, false, Some(DomainId::BASE)).unwrap());
    for new in [over, of_a_domain, new_key(Grant::of(Role::Editor))] {
        let other = store.insert_key(new).await.unwrap();
        assert_eq!(revoke(&store, admin, LastAdmin::Keep).await, Revocation::LastAdmin, "beside {other:?}");
        assert_eq!(revoke(&store, other.id, LastAdmin::Keep).await, Revocation::Revoked);
    }
    assert_eq!(store.find_key(admin).await.unwrap().unwrap().key.revoked_at, None);
    let second = insert_key(&store, "second").await.id;
    assert_eq!(revoke(&store, admin, LastAdmin::Keep).await, Revocation::Revoked);
    assert_eq!(revoke(&store, second, LastAdmin::Keep).await, Revocation::LastAdmin);
    assert_eq!(revoke(&store, second, LastAdmin::Revoke).await, Revocation::Revoked);
}

async fn of_two_admins_that_are_revoked_at_once_one_stays(database: Database) {
    let stores = [database.store().await, database.store().await];
    for _ in 0..10 {
        let ids = [insert_key(&stores[0], "one").await.id, insert_key(&stores[0], "two").await.id];
        let [one, two] = [(&stores[0], ids[0]), (&stores[1], ids[1])];
        let revoked = tokio::join!(revoke(one.0, one.1, LastAdmin::Keep), revoke(two.0, two.1, LastAdmin::Keep));
        let mut outcomes = [revoked.0, revoked.1].map(|outcome| outcome == Revocation::LastAdmin);
        outcomes.sort_unstable();
        assert_eq!(outcomes, [false, true]);
        for id in ids {
            revoke(&stores[0], id, LastAdmin::Revoke).await;
        }
    }
}

async fn the_latest_use_is_noted(database: Database) {
    let store = database.store().await;
    let (key, other) = (insert_key(&store, "key").await.id, insert_key(&store, "other").await.id);
    let used = async |id| store.find_key(id).await.unwrap().unwrap().key.last_used_at;
    for (at, expected) in [(NOW, NOW), (LATER, LATER), (NOW, LATER), (Timestamp::from_millis(0), LATER)] {
        store.note_key_use(key, at).await.unwrap();
        assert_eq!(used(key).await, Some(expected));
    }
    assert_eq!(used(other).await, None);
}

async fn a_log_does_not_show_the_hash(database: Database) {
    let store = database.store().await;
    let id = insert_key(&store, "key").await.id;
    let key = store.find_key(id).await.unwrap().unwrap();
    let shown = format!("{key:?} {:?}", new_key(Grant::EVERYTHING));
    assert!(shown.contains("key") && !shown.contains("7, 7") && !shown.contains("secret"), "{shown}");
}
