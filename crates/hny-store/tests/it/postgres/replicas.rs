//! Replicas that lag, go away and come back.

use std::time::{Duration, Instant};

use hny_domain::edit::Patch;
use hny_domain::{Caller, DomainId, EditInput};
use hny_store::{Insertion, NewLink, OpenError, Store, StoreError};
use hny_testkit::Postgres;

use crate::database::{NOW, code, draft, edit, insert, new_link, with_replicas};

const BEFORE: &str = "https://example.com/before";
const AFTER: &str = "https://example.com/after";

/// Every other node shows a change within this time.
const PROMISE: Duration = Duration::from_secs(1);

/// A primary with its tables, and a replica of it with these settings.
async fn pair(settings: &str) -> (Postgres, Postgres) {
    let primary = Postgres::start();
    open(&primary, &[]).await.close().await;
    let replica = primary.replica(settings);
    (primary, replica)
}

async fn open(primary: &Postgres, replicas: &[&Postgres]) -> Store {
    let replicas: Vec<_> = replicas.iter().map(|replica| replica.url("postgres")).collect();
    Store::open(with_replicas(&primary.url("postgres"), &replicas)).await.unwrap()
}

async fn lead(store: &Store, text: &str) -> Result<Option<String>, StoreError> {
    store.find_lead(DomainId::BASE, &code(text), |lead| lead.target.to_owned()).await
}

async fn target(store: &Store, text: &str) -> Option<String> {
    lead(store, text).await.unwrap()
}

fn leads_to(text: &str, target: &str) -> NewLink {
    NewLink { draft: draft(target), ..new_link(text) }
}

async fn change_target(store: &Store, text: &str, target: &str) {
    let wish = edit(EditInput { original_url: Patch::Set(target), ..EditInput::default() });
    let edited = store.edit_link(DomainId::BASE, &code(text), wish, Caller::Operator, NOW).await.unwrap();
    assert!(edited.link().is_some());
}

async fn delete(store: &Store, text: &str) {
    assert!(store.delete_link(DomainId::BASE, &code(text), Caller::Operator, NOW).await.unwrap().is_some());
}

/// Waits until `reached` says so, and no longer than `limit`.
async fn within(limit: Duration, mut reached: impl AsyncFnMut() -> bool) {
    let waited = async {
        while !reached().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(limit, waited).await.unwrap();
}

/// Waits until the replica has applied what the primary has.
async fn catch_up(primary: &Postgres, replica: &Postgres) {
    let version = |server: &Postgres| server.try_run("postgres", "SELECT version FROM sequence");
    let goal = version(primary);
    within(Duration::from_secs(20), async || version(replica) == goal).await;
}

/// Waits until the replica is asked: the primary is not there, and a link is found.
async fn is_asked(store: &Store, text: &str) {
    within(Duration::from_secs(20), async || matches!(lead(store, text).await, Ok(Some(_)))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_lags_never_shows_what_is_no_longer_so() {
    let (primary, replica) = pair("recovery_min_apply_delay = '5s'").await;
    let here = open(&primary, &[&replica]).await;
    let there = open(&primary, &[&replica]).await;
    insert(&here, leads_to("old", BEFORE)).await;
    catch_up(&primary, &replica).await;

    insert(&here, leads_to("new", BEFORE)).await;
    assert_eq!(target(&here, "new").await.as_deref(), Some(BEFORE));
    assert_eq!(target(&there, "new").await.as_deref(), Some(BEFORE), "on another node at once");

    change_target(&here, "old", AFTER).await;
    assert_eq!(target(&here, "old").await.as_deref(), Some(AFTER), "one's own change at once");
    within(PROMISE, async || target(&there, "old").await.as_deref() == Some(AFTER)).await;

    delete(&here, "old").await;
    assert_eq!(target(&here, "old").await, None);
    within(PROMISE, async || target(&there, "old").await.is_none()).await;

    insert(&here, leads_to("old", AFTER)).await;
    assert_eq!(target(&here, "old").await.as_deref(), Some(AFTER));
    within(PROMISE, async || target(&there, "old").await.as_deref() == Some(AFTER)).await;

    let applied = replica.run("postgres", "SELECT target FROM links WHERE code = 'old'");
    assert_eq!(applied, BEFORE, "the replica had nothing of this");
    assert_eq!(target(&open(&primary, &[&replica]).await, "old").await.as_deref(), Some(AFTER), "a node just started");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_answer_without_the_primary() {
    let (primary, replica) = pair("").await;
    let store = open(&primary, &[&replica]).await;
    insert(&store, leads_to("a", BEFORE)).await;
    catch_up(&primary, &replica).await;
    primary.crash();
    is_asked(&store, "a").await;
    assert_eq!(target(&store, "a").await.as_deref(), Some(BEFORE));
    store.ping().await.unwrap();
    // Nobody can say that there is no such link, and nothing can be changed.
    assert!(matches!(lead(&store, "b").await, Err(StoreError::Unavailable(_))));
    assert!(matches!(store.insert_link(new_link("b")).await, Err(StoreError::Unavailable(_))));
    primary.start_again();
    within(Duration::from_secs(20), async || matches!(lead(&store, "b").await, Ok(None))).await;
    let made = async || matches!(store.insert_link(new_link("b")).await, Ok(Insertion::Inserted(_)));
    within(Duration::from_secs(20), made).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_replica_has_is_not_believed_when_a_change_is_known() {
    let (primary, replica) = pair("recovery_min_apply_delay = '60s'").await;
    let store = open(&primary, &[]).await;
    insert(&store, leads_to("a", BEFORE)).await;
    store.close().await;
    let replica_of_it = primary.replica("recovery_min_apply_delay = '60s'");
    let store = open(&primary, &[&replica, &replica_of_it]).await;
    change_target(&store, "a", AFTER).await;
    primary.crash();
    for _ in 0..20 {
        let found = lead(&store, "a").await;
        assert!(matches!(found, Err(StoreError::Unavailable(_))), "rather nothing than what was: {found:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_was_away_comes_back() {
    let (primary, replica) = pair("").await;
    let store = open(&primary, &[&replica]).await;
    insert(&store, leads_to("a", BEFORE)).await;
    catch_up(&primary, &replica).await;
    replica.crash();
    for _ in 0..50 {
        assert_eq!(target(&store, "a").await.as_deref(), Some(BEFORE));
    }
    store.ping().await.unwrap();
    replica.start_again();
    catch_up(&primary, &replica).await;
    primary.crash();
    is_asked(&store, "a").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_hangs_holds_nobody_up() {
    let (primary, replica) = pair("").await;
    let store = open(&primary, &[&replica]).await;
    insert(&store, leads_to("a", BEFORE)).await;
    catch_up(&primary, &replica).await;
    replica.pause();
    let start = Instant::now();
    for _ in 0..100 {
        assert_eq!(target(&store, "a").await.as_deref(), Some(BEFORE));
    }
    // At most one of them waited before the primary was asked, perhaps one more at each look at the replica.
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    replica.resume();
    primary.crash();
    is_asked(&store, "a").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_primary_that_hangs_does_not_keep_a_replica_from_answering() {
    let (primary, replica) = pair("").await;
    let store = open(&primary, &[&replica]).await;
    insert(&store, leads_to("a", BEFORE)).await;
    catch_up(&primary, &replica).await;
    primary.pause();
    is_asked(&store, "a").await;
    let start = Instant::now();
    for _ in 0..100 {
        assert_eq!(target(&store, "a").await.as_deref(), Some(BEFORE));
    }
    store.ping().await.unwrap();
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    primary.resume();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_replicas_one_is_enough() {
    let (primary, first) = pair("").await;
    let second = primary.replica("");
    let store = open(&primary, &[&first, &second]).await;
    insert(&store, leads_to("a", BEFORE)).await;
    catch_up(&primary, &first).await;
    catch_up(&primary, &second).await;
    primary.crash();
    is_asked(&store, "a").await;
    first.crash();
    is_asked(&store, "a").await;
    for _ in 0..20 {
        assert_eq!(target(&store, "a").await.as_deref(), Some(BEFORE));
    }
    store.ping().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_a_replica_answers_it_opens_without_the_primary() {
    let (primary, replica) = pair("").await;
    let store = open(&primary, &[]).await;
    insert(&store, leads_to("a", BEFORE)).await;
    let id = store.database_id().await.unwrap();
    catch_up(&primary, &replica).await;
    store.close().await;
    primary.crash();

    let store = open(&primary, &[&replica]).await;
    assert_eq!(store.database_id().await.unwrap(), id);
    let (told, mut changes) = tokio::sync::mpsc::unbounded_channel();
    store.subscribe(move |news| news.iter().for_each(|change| drop(told.send(change.code.clone()))));
    is_asked(&store, "a").await;
    within(PROMISE, async || store.ping().await.is_ok()).await;
    assert!(matches!(lead(&store, "b").await, Err(StoreError::Unavailable(_))));
    assert!(matches!(store.insert_link(new_link("b")).await, Err(StoreError::Unavailable(_))));

    primary.start_again();
    // What another process does first is reported to who has seen the old state.
    let other = open(&primary, &[]).await;
    change_target(&other, "a", AFTER).await;
    let reported = tokio::time::timeout(Duration::from_secs(20), changes.recv()).await.unwrap();
    assert_eq!(reported, Some(code("a")));
    assert_eq!(target(&store, "a").await.as_deref(), Some(AFTER));
    within(Duration::from_secs(20), async || store.insert_link(new_link("b")).await.is_ok()).await;
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_no_replica_answers_either_it_does_not_open() {
    let (primary, replica) = pair("").await;
    primary.crash();
    replica.crash();
    let error = Store::open(with_replicas(&primary.url("postgres"), &[replica.url("postgres")])).await.unwrap_err();
    assert!(matches!(error, OpenError::Unreachable { .. }), "{error:?}");
}
