//! A clock that is put by an hour, also over midnight (UTC) and back, on the whole road into each database.

use std::collections::BTreeSet;

use hny_domain::{Caller, Click, Code, CodeOrigin, DomainId, Draft, Grid, LinkId, Scope, Span, Target};
use hny_store::{Insertion, NewLink, PostgresUrl, Settings, Terms};
use hny_testkit::Postgres;

use super::*;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// Half an hour before a midnight.
const EVENING: i64 = 22_000 * DAY - HOUR / 2;

/// What the clock shows, one after the other.
const TIMES: [i64; 6] = [EVENING, EVENING + HOUR, EVENING, EVENING - HOUR, EVENING + HOUR, EVENING + 2 * HOUR];

/// How many people follow the link after each step, everybody from an address of their own.
const PEOPLE: u8 = 20;

async fn new_link(store: &Store) -> LinkId {
    let link = NewLink {
        id: LinkId(7),
        domain: DomainId::BASE,
        code: Code::parse("followed").unwrap(),
        origin: CodeOrigin::Custom,
        draft: Draft::plain(Target::parse("https://example.com/").unwrap()),
        caller: Caller::Operator,
        now: Timestamp::from_millis(EVENING),
        terms: Terms::default(),
    };
    assert!(matches!(store.insert_link(link).await, Ok(Insertion::Inserted(_))));
    LinkId(7)
}

/// Everybody follows the link at this time.
fn follow(recorder: &Recorder, link: LinkId, at: i64) {
    for person in 0..PEOPLE {
        let network = [203, 0, 113, person].into();
        recorder.record(Visited { link, at: Timestamp::from_millis(at), network, ..Visited::of(0) });
    }
}

/// Has everybody follow a link after each step of the clock, and some whose visits began before it. All clicks that are in the store
/// then.
async fn follow_while_the_clock_is_put(store: &Store) -> Vec<Click> {
    let (folder, link) = (TempDir::new().unwrap(), new_link(store).await);
    let clock = Clock::standing(Timestamp::from_millis(EVENING));
    let keys = VisitorKeys::new([7; 32]);
    let (database, folder) = (store.database_id().await.unwrap(), folder.path().to_owned());
    let spooling = Spooling { folder, limit: LIMIT, database, spool: SpoolId(1) };
    let visitors = Visitors { kept: Kept::ALL, keys: keys.clone(), countries: Countries::compiled_in() };
    let recorder = Recorder::counting(store.clone(), spooling, visitors, clock.clone(), 2).unwrap();
    let (mut before, mut all, mut drawn) = (EVENING, 0, 0);
    for now in TIMES {
        clock.set(Timestamp::from_millis(now));
        // As the upkeep of a node does it.
        let draw = || {
            drawn += 1;
            Some([drawn; 32])
        };
        keys.fetch(store, clock.now(), draw).await.unwrap();
        for at in [before, now] {
            follow(&recorder, link, at);
        }
        all += 2 * u64::from(PEOPLE);
        until_written(&recorder, all);
        before = now;
    }
    recorder.close().await;
    assert_eq!(recorder.counts(), Counts { recorded: all, ..Counts::default() });
    store.clicks(link, ALWAYS, None, 10_000).await.unwrap()
}

const ALWAYS: Span = Span { from: Timestamp::from_millis(0), to: Timestamp::from_millis(3_600_000_000_000) };

async fn assert_counted_by_their_own_day(store: Store) {
    let clicks = follow_while_the_clock_is_put(&store).await;
    let mut expected = [&TIMES[..1], &TIMES[..5], &TIMES[..]].concat();
    expected.sort_unstable();
    let times: Vec<_> = expected.iter().flat_map(|&at| vec![at; PEOPLE.into()]).collect();
    assert_eq!(clicks.iter().map(|click| click.at.as_millis()).collect::<Vec<_>>(), times, "each is there once");
    let midnight = Timestamp::from_millis(EVENING / DAY * DAY + DAY);
    let (one, next): (Vec<_>, Vec<_>) = clicks.iter().partition(|click| click.at < midnight);
    let [one, next] = [one, next].map(|clicks| clicks.iter().map(|click| click.visitor).collect::<BTreeSet<_>>());
    assert_eq!((one.len(), next.len()), (PEOPLE.into(), PEOPLE.into()), "everybody is one person on each day");
    assert!(one.is_disjoint(&next), "and another one on the next, as each day has a key");
    let quarters = store.quarters(Scope::Link(LinkId(7)), ALWAYS, Grid::QUARTERS).await.unwrap();
    let sum = |of: fn(&hny_domain::Quarter) -> u64| quarters.iter().map(of).sum::<u64>();
    assert_eq!(sum(|quarter| quarter.counts.clicks), times.len() as u64);
    assert_eq!(sum(|quarter| quarter.uniques), 2 * u64::from(PEOPLE));
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_is_put_over_midnight_counts_each_click_on_its_own_day_in_sqlite() {
    let folder = TempDir::new().unwrap();
    let settings = Settings::Sqlite { path: folder.path().join("hny.db"), readers: 1 };
    assert_counted_by_their_own_day(Store::open(settings).await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_is_put_over_midnight_counts_each_click_on_its_own_day_in_postgres() {
    let server = Postgres::start();
    let primary = PostgresUrl::parse(&server.url("postgres")).unwrap();
    let settings = Settings::Postgres { primary, replicas: Vec::new(), readers: 1 };
    assert_counted_by_their_own_day(Store::open(settings).await.unwrap()).await;
}
