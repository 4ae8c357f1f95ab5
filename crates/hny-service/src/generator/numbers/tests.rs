use std::collections::HashSet;
use std::pin::pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll, Waker};

use hny_codes::CounterCodes;
use hny_domain::{Caller, Code, CodeOrigin, DomainId, Draft, LinkId, Target, Timestamp};
use hny_store::{NewLink, Settings, Terms};
use tempfile::TempDir;

use super::*;

async fn store(folder: &TempDir) -> Store {
    Store::open(Settings::Sqlite { path: folder.path().join("hny.db"), readers: 1 }).await.unwrap()
}

/// The next number, if nobody has to wait for it.
fn at_once(numbers: &Numbers) -> Option<u64> {
    match pin!(numbers.next()).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(number) => Some(number.unwrap()),
        Poll::Pending => None,
    }
}

/// Lets the range that is being fetched arrive.
async fn fetched(numbers: &Numbers) {
    while numbers.0.is_fetching_early.load(Ordering::Acquire) {
        tokio::task::yield_now().await;
    }
}

/// How many numbers were leased until now.
async fn leased(store: &Store) -> u64 {
    store.lease_numbers(1).await.unwrap().start
}

#[tokio::test]
async fn after_the_first_nobody_waits_for_a_number() {
    let folder = TempDir::new().unwrap();
    let store = store(&folder).await;
    let numbers = Numbers::new(store.clone(), 100);
    let mut seen = HashSet::from([numbers.next().await.unwrap()]);
    for _ in 1..2_000 {
        fetched(&numbers).await;
        assert!(seen.insert(at_once(&numbers).expect("a number is there")), "no number comes twice");
    }
    assert_eq!(seen, (0..2_000).collect(), "and none is left out");
    fetched(&numbers).await;
    assert_eq!(leased(&store).await, 2_100, "one range is in reserve");
}

/// Keeps the writer of a store at work, from the moment a link is made until it is let go.
fn held(store: &Store) -> (Receiver<()>, Sender<()>) {
    let (report, begun) = channel();
    let (let_go, until) = channel();
    let until = Mutex::new(until);
    store.subscribe(move |_| {
        report.send(()).unwrap();
        until.lock().unwrap().recv().unwrap();
    });
    let code = CounterCodes::new(7).unwrap().code(1).unwrap();
    let draft = Draft::plain(Target::parse("https://example.com/").unwrap());
    let link = NewLink {
        id: LinkId(1),
        domain: DomainId::BASE,
        code: Code::parse(&code).unwrap(),
        origin: CodeOrigin::Generated,
        draft,
        caller: Caller::Operator,
        now: Timestamp::from_millis(0),
        terms: Terms::default(),
    };
    let store = store.clone();
    tokio::spawn(async move { store.insert_link(link).await });
    (begun, let_go)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_range_is_left_for_those_who_come_while_the_next_is_fetched() {
    let folder = TempDir::new().unwrap();
    let store = store(&folder).await;
    let numbers = Numbers::new(store.clone(), 1_000);
    assert_eq!(numbers.next().await.unwrap(), 0);
    let (begun, let_go) = held(&store);
    begun.recv().unwrap();
    for number in 1..1_000 {
        assert_eq!(at_once(&numbers), Some(number), "while the database is busy");
    }
    assert_eq!(at_once(&numbers), None);
    let_go.send(()).unwrap();
    assert!(numbers.next().await.unwrap() >= 1_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_who_have_none_one_fetches() {
    let folder = TempDir::new().unwrap();
    let store = store(&folder).await;
    let numbers = Numbers::new(store.clone(), 1_000);
    let takes: Vec<_> = (0..200)
        .map(|_| {
            let numbers = numbers.clone();
            tokio::spawn(async move { numbers.next().await.unwrap() })
        })
        .collect();
    let mut seen = HashSet::new();
    for take in takes {
        assert!(seen.insert(take.await.unwrap()));
    }
    assert_eq!(seen, (0..200).collect());
    assert_eq!(leased(&store).await, 1_000);
}

#[tokio::test]
async fn whoever_wants_one_number_leases_one() {
    let folder = TempDir::new().unwrap();
    let store = store(&folder).await;
    let numbers = Numbers::new(store.clone(), 1);
    assert_eq!((numbers.next().await.unwrap(), numbers.next().await.unwrap()), (0, 1));
    fetched(&numbers).await;
    assert_eq!(leased(&store).await, 2);
}

#[tokio::test]
async fn numbers_on_hand_outlast_the_database() {
    let folder = TempDir::new().unwrap();
    let store = store(&folder).await;
    let numbers = Numbers::new(store.clone(), 10);
    assert_eq!(numbers.next().await.unwrap(), 0);
    store.close().await;
    for number in 1..10 {
        assert_eq!(numbers.next().await.unwrap(), number);
    }
    assert!(matches!(numbers.next().await, Err(StoreError::Unavailable(_))));
}
