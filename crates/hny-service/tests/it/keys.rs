//! API keys: until when they open anything, and when they were used.

use std::sync::Arc;
use std::time::Duration;

use hny_domain::{ApiKey, BaseUrl, Caller, Clock, Domains, Grant, KeyInput, Role, Timestamp};
use hny_service::{IssuedKey, KeyError, Keys, Randomness};
use hny_store::Store;
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::service::{Database, START};

const MINUTE: i64 = 60_000;

fn after(minutes: i64) -> Timestamp {
    Timestamp::from_millis(START.as_millis() + minutes * MINUTE)
}

/// The verbs at this time.
fn keys(store: &Store, now: Timestamp) -> Keys {
    let base = Arc::new(BaseUrl::parse("https://hny.example").unwrap());
    Keys::new(
        store.clone(),
        Arc::new(Domains::one(base)),
        Clock::standing(now),
        Randomness::new(StdRng::seed_from_u64(1)),
    )
}

async fn issue(store: &Store, expires_at: Option<&str>) -> IssuedKey {
    let input = KeyInput { name: Some("key"), role: Some("editor"), expires_at, ..KeyInput::default() };
    keys(store, START).issue(Caller::Operator, input).await.unwrap()
}

async fn shown(store: &Store, key: &ApiKey) -> ApiKey {
    keys(store, START).find(Caller::Operator, key.id).await.unwrap()
}

/// Waits until the last use is noted.
async fn used(store: &Store, key: &ApiKey, at: Timestamp) {
    let noted = async {
        while shown(store, key).await.last_used_at != Some(at) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), noted).await.expect("the use is noted");
}

#[tokio::test]
async fn a_key_opens_what_it_was_given_until_it_ends() {
    let store = Database::new().store().await;
    let end = after(1);
    let IssuedKey { key, text } = issue(&store, Some(&end.to_string())).await;
    let just_before = Timestamp::from_millis(end.as_millis() - 1);
    for now in [START, just_before] {
        let caller = keys(&store, now).authenticate(&text).await.unwrap();
        assert_eq!(caller, Caller::Key(key.id, Grant::of(Role::Editor)));
    }
    for now in [end, after(2)] {
        assert!(matches!(keys(&store, now).authenticate(&text).await, Err(KeyError::Expired)));
    }
}

#[tokio::test]
async fn each_reason_not_to_open_is_its_own() {
    let store = Database::new().store().await;
    let IssuedKey { text, .. } = issue(&store, None).await;
    let other = issue(&store, None).await;
    let keys = keys(&store, START);
    keys.revoke(Caller::Operator, other.key.id).await.unwrap();
    assert!(matches!(keys.authenticate(&other.text).await, Err(KeyError::Revoked)));
    assert!(matches!(keys.authenticate("hny_1_x").await, Err(KeyError::Malformed)));
    store.close().await;
    assert!(matches!(keys.authenticate(&text).await, Err(KeyError::Store(_))));
}

#[tokio::test]
async fn a_use_is_noted_once_in_five_minutes() {
    let store = Database::new().store().await;
    let IssuedKey { key, text } = issue(&store, None).await;
    assert_eq!(shown(&store, &key).await.last_used_at, None);
    let grain = |minutes: i64| Timestamp::from_millis(after(minutes).as_millis().div_euclid(5 * MINUTE) * 5 * MINUTE);
    keys(&store, START).authenticate(&text).await.unwrap();
    used(&store, &key, grain(0)).await;
    for minutes in [7, 12] {
        keys(&store, after(minutes)).authenticate(&text).await.unwrap();
        used(&store, &key, grain(minutes)).await;
    }
    // A clock that is behind takes nothing back.
    let behind = keys(&store, START);
    behind.authenticate(&text).await.unwrap();
    assert!(behind.authenticate("hny_1_x").await.is_err());
    assert_eq!(shown(&store, &key).await.last_used_at, Some(grain(12)));
}

#[tokio::test]
async fn a_key_that_is_refused_is_not_used() {
    let store = Database::new().store().await;
    let IssuedKey { key, text } = issue(&store, Some(&after(1).to_string())).await;
    keys(&store, after(1)).authenticate(&text).await.unwrap_err();
    // What a refused call would have noted would be noted before this one's.
    let other = issue(&store, None).await;
    keys(&store, after(10)).authenticate(&other.text).await.unwrap();
    let grain = Timestamp::from_millis(after(10).as_millis().div_euclid(5 * MINUTE) * 5 * MINUTE);
    used(&store, &other.key, grain).await;
    assert_eq!(shown(&store, &key).await.last_used_at, None);
}
