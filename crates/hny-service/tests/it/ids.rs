//! The primary keys of links: the node a process leases, and what the clock may do.

use std::collections::BTreeSet;
use std::time::Duration;

use hny_codes::snowflake::{Id, Node, StartError};
use hny_domain::{Clock, Timestamp};
use hny_service::{Error, IdsError};
use hny_store::{NodeGrant, NodeWish, Store};

use crate::service::{Choice, Database, START, Service, random};

const ANY: NodeWish = NodeWish { datacenter: None, worker: None };
const FIXED: NodeWish = NodeWish { datacenter: Some(3), worker: Some(7) };
const HOUR: Duration = Duration::from_hours(1);

/// A service whose codes need no foresight: it makes ids as `node` by `clock`.
fn service(store: &Store, node: NodeWish, clock: &Clock) -> Service {
    let codes: Vec<_> = (0..400).map(|_| drawn()).collect();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let choice = Choice { words: crate::words::Words::of(&codes), node, clock: clock.clone(), ..Choice::default() };
    Service::new(store, random(7), choice)
}

/// A code that no other service of these tests draws.
fn drawn() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static LAST: AtomicU64 = AtomicU64::new(0);
    hny_codes::base62::encode_padded(LAST.fetch_add(1, Ordering::Relaxed), 7).to_string()
}

async fn id(service: &Service) -> Id {
    Id::try_from(service.link().await.id.0.cast_unsigned()).unwrap()
}

fn node(datacenter: u8, worker: u8) -> Node {
    Node::new(datacenter, worker).unwrap()
}

fn at(clock: &Clock) -> u64 {
    u64::try_from(clock.now().as_millis()).unwrap()
}

/// START and so long.
fn later(by: Duration) -> Timestamp {
    START.after(by)
}

#[tokio::test]
async fn ids_ascend_and_tell_when_and_by_whom() {
    let clock = Clock::standing(START);
    let service = service(&Database::new().store().await, FIXED, &clock);
    let mut last = id(&service).await;
    assert_eq!((last.unix_ms(), last.node()), (at(&clock), node(3, 7)));
    for round in 0..100 {
        clock.advance(Duration::from_millis(round % 3));
        let next = id(&service).await;
        assert!(next > last && next.unix_ms() == at(&clock), "{last} {next}");
        last = next;
    }
}

#[tokio::test]
async fn a_small_step_back_of_the_clock_is_waited_for() {
    let clock = Clock::standing(START);
    let service = service(&Database::new().store().await, ANY, &clock);
    let before = id(&service).await;
    clock.set(Timestamp::from_millis(START.as_millis() - 3));
    let waiting = tokio::spawn({
        let service = service.clone();
        async move { id(&service).await }
    });
    // Long enough for whoever does not wait to be done.
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!waiting.is_finished());
    clock.advance(Duration::from_millis(3));
    let after = waiting.await.unwrap();
    assert!(after > before && after.unix_ms() == before.unix_ms());
}

#[tokio::test]
async fn a_great_step_back_of_the_clock_is_not() {
    let clock = Clock::standing(START);
    let service = service(&Database::new().store().await, ANY, &clock);
    let before = id(&service).await;
    clock.set(Timestamp::from_millis(START.as_millis() - 3_600_000));
    let after = id(&service).await;
    assert!(after > before);
    clock.advance(Duration::from_millis(20));
    let last = id(&service).await;
    assert!(last > after && last.unix_ms() == before.unix_ms() + 20, "time goes on where it was");
}

#[tokio::test]
async fn a_step_forward_of_the_clock_renews_the_lease() {
    let clock = Clock::standing(START);
    let service = service(&Database::new().store().await, ANY, &clock);
    let before = id(&service).await;
    clock.set(later(HOUR));
    let after = id(&service).await;
    assert_eq!((after.unix_ms(), after.node()), (before.unix_ms() + 3_600_000, before.node()));
}

/// Ids up to one hour ahead exist then, so nobody else may be this node before that hour is over.
#[tokio::test]
async fn a_clock_that_was_ahead_for_a_while_leaves_its_mark() {
    let database = Database::new();
    let clock = Clock::standing(START);
    let dying = service(&database.store().await, FIXED, &clock);
    id(&dying).await;
    clock.set(later(HOUR));
    let ahead = id(&dying).await;
    clock.set(START);
    // The heartbeat.
    clock.advance(Duration::from_secs(1));
    let heartbeat = tokio::spawn({
        let ids = dying.ids.clone();
        async move { ids.keep().await }
    });
    let store = database.store().await;
    let end = ahead.unix_ms() + 3_000;
    while lease(&store, FIXED, &clock).await != (NodeGrant::Taken { until_ms: end }) {
        tokio::task::yield_now().await;
    }
    heartbeat.abort();
    drop(dying);
    clock.advance(Duration::from_secs(10));
    let next = service(&store, FIXED, &clock);
    assert!(matches!(next.ids.lease().await, Err(IdsError::Clock(StartError::BehindMark { .. }))));
    clock.advance(HOUR);
    assert!(id(&next).await > ahead);
}

async fn lease(store: &Store, wish: NodeWish, clock: &Clock) -> NodeGrant {
    store.lease_node(wish, "a test", at(clock), at(clock) + 3_000).await.unwrap()
}

#[tokio::test]
async fn a_restart_with_an_earlier_clock_makes_no_ids_and_says_why() {
    let database = Database::new();
    let clock = Clock::standing(START);
    let first = service(&database.store().await, FIXED, &clock);
    let last = id(&first).await;
    first.ids.release().await;
    clock.set(Timestamp::from_millis(START.as_millis() - 3_600_000));
    let second = service(&database.store().await, FIXED, &clock);
    for _ in 0..2 {
        let error = second.create().await.unwrap_err();
        let Error::Ids(why @ IdsError::Clock(StartError::BehindMark { .. })) = &error else { panic!("{error:?}") };
        assert!(why.to_string().contains("the clock is 3600000 ms behind"), "{why}");
        assert!(error.is_temporary());
    }
    clock.set(START);
    clock.advance(Duration::from_millis(1));
    assert!(id(&second).await > last, "once the clock is right");
}

#[tokio::test]
async fn a_clock_before_2020_makes_no_ids() {
    let clock = Clock::standing(Timestamp::from_millis(1_000));
    let error = service(&Database::new().store().await, ANY, &clock).create().await.unwrap_err();
    assert!(matches!(error, Error::Ids(IdsError::Clock(StartError::BeforeEpoch { now_ms: 1_000 }))), "{error:?}");
}

#[tokio::test]
async fn after_a_pause_the_lease_is_renewed() {
    let clock = Clock::standing(START);
    let service = service(&Database::new().store().await, ANY, &clock);
    let before = id(&service).await;
    clock.advance(HOUR);
    let after = id(&service).await;
    assert_eq!((after.unix_ms(), after.node()), (at(&clock), before.node()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_lost_its_node_leases_one_other() {
    let database = Database::new();
    let clock = Clock::standing(START);
    let paused = service(&database.store().await, ANY, &clock);
    assert_eq!(id(&paused).await.node(), node(0, 0));
    clock.advance(Duration::from_secs(4));
    let other = service(&database.store().await, ANY, &clock);
    assert_eq!(id(&other).await.node(), node(0, 0), "whose lease was over");
    let creates: Vec<_> = (0..100)
        .map(|_| {
            let paused = paused.clone();
            tokio::spawn(async move { id(&paused).await })
        })
        .collect();
    let mut ids = BTreeSet::new();
    for create in creates {
        ids.insert(create.await.unwrap());
    }
    assert_eq!(ids.len(), 100);
    assert!(ids.iter().all(|id| id.node() == node(0, 1)), "{ids:?}");
    let third = service(&database.store().await, ANY, &clock);
    assert_eq!(id(&third).await.node(), node(0, 2), "no node was leased in vain");
}

#[tokio::test]
async fn a_database_that_is_away_for_longer_than_a_lease_stops_ids() {
    let clock = Clock::standing(START);
    let service = service(&Database::new().store().await, ANY, &clock);
    id(&service).await;
    service.store.close().await;
    clock.advance(Duration::from_secs(4));
    let error = service.create().await.unwrap_err();
    assert!(matches!(error, Error::Ids(IdsError::Store(_))) && error.is_temporary(), "{error:?}");
}

#[tokio::test]
async fn a_node_that_is_given_back_is_free_at_once() {
    let database = Database::new();
    let clock = Clock::standing(START);
    let first = service(&database.store().await, FIXED, &clock);
    let last = id(&first).await;
    first.ids.release().await;
    let second = service(&database.store().await, FIXED, &clock);
    second.ids.lease().await.unwrap();
    clock.advance(Duration::from_millis(1));
    assert!(id(&second).await > last);
}

/// Tokio's clock stands still too here, and goes on by itself as soon as everybody waits for it.
#[tokio::test(start_paused = true)]
async fn a_node_that_is_taken_is_refused_by_its_name_after_the_time_of_a_lease() {
    let database = Database::new();
    let clock = Clock::standing(START);
    let holder = service(&database.store().await, FIXED, &clock);
    holder.ids.lease().await.unwrap();
    for (wish, name) in [
        (FIXED, "node 3/7 (datacenter/worker) is taken"),
        (NodeWish { datacenter: Some(3), worker: Some(7) }, "HNY_DATACENTER_ID"),
    ] {
        let start = tokio::time::Instant::now();
        let refused = service(&database.store().await, wish, &clock).ids.lease().await.unwrap_err();
        assert!(refused.to_string().contains(name), "{refused}");
        assert!(start.elapsed() < Duration::from_millis(3_500), "{:?}", start.elapsed());
    }
}

#[tokio::test]
async fn who_asks_for_an_id_does_not_wait_for_a_taken_node() {
    let database = Database::new();
    let clock = Clock::standing(START);
    let holder = service(&database.store().await, FIXED, &clock);
    holder.ids.lease().await.unwrap();
    let other = service(&database.store().await, FIXED, &clock);
    let start = std::time::Instant::now();
    let error = other.create().await.unwrap_err();
    assert!(matches!(error, Error::Ids(IdsError::Taken { .. })) && error.is_temporary(), "{error:?}");
    assert!(start.elapsed() < Duration::from_secs(3), "the time of a lease");
}

#[tokio::test(start_paused = true)]
async fn the_node_of_a_dead_process_is_waited_for() {
    let database = Database::new();
    let clock = Clock::standing(START);
    let dead = service(&database.store().await, FIXED, &clock);
    let last = id(&dead).await;
    drop(dead);
    let next = service(&database.store().await, FIXED, &clock);
    let time = tokio::spawn({
        let clock = clock.clone();
        async move {
            for _ in 0..4 {
                tokio::time::sleep(Duration::from_secs(1)).await;
                clock.advance(Duration::from_millis(1_001));
            }
        }
    });
    next.ids.lease().await.unwrap();
    time.await.unwrap();
    assert!(id(&next).await > last);
}

#[tokio::test(start_paused = true)]
async fn a_heartbeat_keeps_the_node() {
    let database = Database::new();
    let clock = Clock::standing(START);
    let living = service(&database.store().await, FIXED, &clock);
    let first = id(&living).await;
    let heartbeat = tokio::spawn({
        let ids = living.ids.clone();
        async move { ids.keep().await }
    });
    let store = database.store().await;
    for second in 1..=10 {
        clock.advance(Duration::from_secs(1));
        let end = NodeGrant::Taken { until_ms: at(&clock) + 3_000 };
        while lease(&store, FIXED, &clock).await != end {
            // The beat comes by tokio's clock.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(first.unix_ms() + second * 1_000, at(&clock));
    }
    heartbeat.abort();
}
