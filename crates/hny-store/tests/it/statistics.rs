//! What is answered about clicks.

pub(crate) mod model;
pub(crate) mod random;

use std::ops::Range;

use hny_domain::{
    Caller, Click, Dimension, DomainId, Grid, Group, KindCounts, Link, LinkId, Quarter, Scope, Span, Timestamp,
    VisitKind,
};
use hny_store::{NewLink, SpoolStep, Store};
use proptest::strategy::{Strategy, ValueTree as _};
use proptest::test_runner::TestRunner;

use crate::database::{
    Database, NOW, caller, click, click_by, contract, delete, insert, insert_key, new_link, new_spool, take,
};
use model::Model;

contract![
    nothing_is_answered_of_nothing,
    a_day_begins_at_midnight_utc,
    an_earlier_click_that_comes_late_is_the_first,
    a_visitor_counts_once_over_all_links,
    kinds_are_counted_apart,
    a_span_may_begin_at_any_quarter,
    a_deleted_link_is_not_shown,
    a_domain_has_the_clicks_of_its_links,
    random_clicks_are_answered_as_the_model_does,
    spools_that_are_taken_at_the_same_time_are_counted_exactly,
];

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;
/// A UTC midnight.
const MIDNIGHT: i64 = 20_000 * DAY;

fn at(minute: i64) -> Timestamp {
    Timestamp::from_millis(MIDNIGHT + minute * MINUTE)
}

fn span(minutes: Range<i64>) -> Span {
    Span { from: at(minutes.start), to: at(minutes.end) }
}

/// The minute of each quarter, its clicks and its uniques.
async fn quarters(store: &Store, scope: Scope, minutes: Range<i64>) -> Vec<(i64, u64, u64)> {
    let brief =
        |quarter: Quarter| ((quarter.start.as_millis() - MIDNIGHT) / MINUTE, quarter.counts.clicks, quarter.uniques);
    store.quarters(scope, span(minutes), Grid::QUARTERS).await.unwrap().into_iter().map(brief).collect()
}

/// Each browser, its clicks and its uniques.
async fn browsers(store: &Store, scope: Scope, minutes: Range<i64>) -> Vec<(String, u64, u64)> {
    let brief = |group: Group| (group.value.as_deref().unwrap_or("?").to_owned(), group.clicks, group.uniques);
    store.groups(scope, Dimension::Browser, span(minutes)).await.unwrap().into_iter().map(brief).collect()
}

fn named(rows: &[(&str, u64, u64)]) -> Vec<(String, u64, u64)> {
    rows.iter().map(|(name, clicks, uniques)| ((*name).to_owned(), *clicks, *uniques)).collect()
}

fn by_browser(browser: &str, mut click: Click) -> Click {
    click.traits.browser = Some(browser.into());
    click
}

async fn nothing_is_answered_of_nothing(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    for scope in [Scope::Link(link), Scope::Link(LinkId(-1)), Scope::All] {
        assert_eq!(store.quarters(scope, span(0..1440), Grid::QUARTERS).await.unwrap(), []);
        for dimension in Dimension::ALL {
            assert_eq!(store.groups(scope, dimension, span(0..1440)).await.unwrap(), []);
        }
    }
    assert_eq!(store.clicks(link, span(0..1440), None, 10).await.unwrap(), []);
}

async fn a_day_begins_at_midnight_utc(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    let last = Timestamp::from_millis(MIDNIGHT + DAY - 1);
    take(&store, vec![click_by(1, link, last), click_by(1, link, at(1440)), click_by(1, link, at(1440))])
        .await
        .unwrap();
    assert_eq!(quarters(&store, Scope::Link(link), -1440..4000).await, [(1425, 1, 1), (1440, 2, 1)]);
    assert_eq!(browsers(&store, Scope::Link(link), 0..1440).await, named(&[("?", 1, 1)]));
    assert_eq!(browsers(&store, Scope::Link(link), 1440..2880).await, named(&[("?", 2, 1)]));
}

async fn an_earlier_click_that_comes_late_is_the_first(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    take(&store, vec![by_browser("Late", click_by(1, link, at(600)))]).await.unwrap();
    take(&store, vec![by_browser("Later", click_by(1, link, at(700)))]).await.unwrap();
    let early = by_browser("Early", click_by(1, link, at(60)));
    take(&store, vec![by_browser("Between", click_by(1, link, at(300))), early]).await.unwrap();
    for scope in [Scope::Link(link), Scope::All] {
        let counts = [(60, 1, 1), (300, 1, 0), (600, 1, 0), (690, 1, 0)];
        assert_eq!(quarters(&store, scope, 0..1440).await, counts, "{scope:?}");
        let groups = named(&[("Between", 1, 0), ("Early", 1, 1), ("Late", 1, 0), ("Later", 1, 0)]);
        assert_eq!(browsers(&store, scope, 0..1440).await, groups, "{scope:?}");
        let some = named(&[("Between", 1, 0), ("Late", 1, 0), ("Later", 1, 0)]);
        assert_eq!(browsers(&store, scope, 75..1440).await, some, "the first click is before");
    }
}

async fn a_visitor_counts_once_over_all_links(database: Database) {
    let store = database.store().await;
    let key = insert_key(&store, "k").await.id;
    let own = |text| NewLink { caller: caller(key), ..new_link(text) };
    let (a, b) = (insert(&store, own("a")).await.id, insert(&store, own("b")).await.id);
    let other = insert(&store, new_link("c")).await.id;
    let clicks = [click_by(1, b, at(30)), click_by(1, a, at(45)), click_by(1, other, at(15)), click_by(2, a, at(60))];
    take(&store, clicks.to_vec()).await.unwrap();
    assert_eq!(quarters(&store, Scope::Link(a), 0..1440).await, [(45, 1, 1), (60, 1, 1)]);
    assert_eq!(quarters(&store, Scope::Owner(key), 0..1440).await, [(30, 1, 1), (45, 1, 0), (60, 1, 1)]);
    assert_eq!(quarters(&store, Scope::All, 0..1440).await, [(15, 1, 1), (30, 1, 0), (45, 1, 0), (60, 1, 1)]);
    assert_eq!(browsers(&store, Scope::Owner(key), 0..1440).await, named(&[("?", 3, 2)]));
    assert_eq!(browsers(&store, Scope::All, 30..1440).await, named(&[("?", 3, 1)]));
}

async fn kinds_are_counted_apart(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    let of = |kind, count| (0..count).map(move |_| Click { kind, ..click_by(1, link, at(0)) });
    let all: Vec<_> =
        of(VisitKind::Person, 1).chain(of(VisitKind::Robot, 3)).chain(of(VisitKind::Prefetch, 1)).collect();
    take(&store, all).await.unwrap();
    let counts = KindCounts { clicks: 1, robots: 3, prefetches: 1, probes: 0 };
    let quarter = Quarter { start: at(0), counts, uniques: 1 };
    assert_eq!(store.quarters(Scope::Link(link), span(0..15), Grid::QUARTERS).await.unwrap(), [quarter]);
    let group = |kind: &str, clicks, uniques| Group { value: Some(kind.into()), clicks, uniques };
    let kinds = store.groups(Scope::All, Dimension::Kind, span(0..15)).await.unwrap();
    assert_eq!(kinds, [group("robot", 3, 0), group("person", 1, 1), group("prefetch", 1, 0)]);
    assert_eq!(browsers(&store, Scope::Link(link), 0..1440).await, named(&[("?", 1, 1)]));
}

/// As for a day in India, which begins at half past.
async fn a_span_may_begin_at_any_quarter(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    let minutes = [1109, 1110, 1439, 1440, 2549, 2550];
    take(&store, minutes.map(|minute| by_browser("B", click(link, at(minute)))).to_vec()).await.unwrap();
    for scope in [Scope::Link(link), Scope::All] {
        let counts = [(1110, 1, 0), (1425, 1, 0), (1440, 1, 0), (2535, 1, 0)];
        assert_eq!(quarters(&store, scope, 1110..2550).await, counts);
        assert_eq!(browsers(&store, scope, 1110..2550).await, named(&[("B", 4, 0)]));
    }
}

async fn a_deleted_link_is_not_shown(database: Database) {
    let store = database.store().await;
    let key = insert_key(&store, "k").await.id;
    let own = |text| NewLink { caller: caller(key), ..new_link(text) };
    let (gone, stays) = (insert(&store, own("a")).await, insert(&store, own("b")).await);
    take(&store, vec![click_by(1, gone.id, at(0)), click_by(1, stays.id, at(15))]).await.unwrap();
    delete(&store, &gone.code).await;
    let unseen = (
        store.quarters(Scope::Link(gone.id), span(0..1440), Grid::QUARTERS).await,
        browsers(&store, Scope::Link(gone.id), 0..1440).await,
    );
    assert_eq!((unseen.0.unwrap(), unseen.1), (vec![], vec![]));
    assert_eq!(store.clicks(gone.id, span(0..1440), None, 10).await.unwrap(), []);
    for scope in [Scope::Owner(key), Scope::All] {
        assert_eq!(quarters(&store, scope, 0..1440).await, [(15, 1, 1)], "the unique is the other link's now");
        assert_eq!(browsers(&store, scope, 15..1440).await, named(&[("?", 1, 1)]));
    }
}

async fn a_domain_has_the_clicks_of_its_links(database: Database) {
    let store = database.store().await;
    let there = database.new_domain("there.example");
    let here = insert(&store, new_link("a")).await.id;
    let on = |text| NewLink { domain: there, ..new_link(text) };
    let (one, other) = (insert(&store, on("a")).await.id, insert(&store, on("b")).await.id);
    let clicks = [click_by(1, here, at(0)), click_by(1, one, at(15)), click_by(1, other, at(30)), click(other, at(45))];
    take(&store, clicks.to_vec()).await.unwrap();
    let scope = Scope::Domain(there);
    assert_eq!(quarters(&store, scope, 0..1440).await, [(15, 1, 1), (30, 1, 0), (45, 1, 0)]);
    assert_eq!(browsers(&store, scope, 0..1440).await, named(&[("?", 3, 1)]));
    assert_eq!(quarters(&store, Scope::Domain(DomainId::BASE), 0..1440).await, [(0, 1, 1)]);
    assert_eq!(quarters(&store, Scope::Domain(DomainId(9)), 0..1440).await, []);
    assert_eq!(browsers(&store, Scope::Domain(DomainId(9)), 0..1440).await, []);
}

/// Four links: two of a key, on two domains; one of another key; one of nobody, on the second domain.
pub(crate) async fn some_links(database: &Database, store: &Store, model: &mut Model, name: &str) -> Vec<Link> {
    let there = database.new_domain(&format!("{name}.example"));
    let (one, other) = (insert_key(store, name).await.id, insert_key(store, name).await.id);
    let homes = [
        (caller(one), DomainId::BASE),
        (caller(one), there),
        (caller(other), DomainId::BASE),
        (Caller::Operator, there),
    ];
    let mut links = Vec::new();
    for (number, (caller, domain)) in homes.into_iter().enumerate() {
        let link = insert(store, NewLink { caller, domain, ..new_link(&format!("{name}{number}")) }).await;
        model.add(&link);
        links.push(link);
    }
    links
}

pub(crate) fn ids(links: &[Link]) -> Vec<LinkId> {
    links.iter().map(|link| link.id).collect()
}

/// A value of a strategy, shown when the test fails.
pub(crate) fn draw<S: Strategy>(runner: &mut TestRunner, strategy: &S) -> S::Value {
    strategy.new_tree(runner).unwrap().current()
}

async fn random_clicks_are_answered_as_the_model_does(database: Database) {
    const ROUNDS: usize = 16;
    let store = database.store().await;
    let mut runner = TestRunner::deterministic();
    let strategy = (random::deliveries(4), random::spans());
    for round in 0..ROUNDS {
        let name = format!("r{round}-");
        let mut model = Model::default();
        let links = some_links(&database, &store, &mut model, &name).await;
        let ((clicks, batches), spans) = draw(&mut runner, &strategy);
        let numbers = ids(&links);
        let clicks: Vec<_> = clicks.iter().enumerate().map(|(number, click)| click.click(number, &numbers)).collect();
        for batch in batches {
            let batch: Vec<_> = batch.into_iter().map(|place| clicks[place].clone()).collect();
            model.take(&batch);
            take(&store, batch).await.unwrap();
        }
        model.check(&store, &spans).await;
        // What the next round does not see.
        for (number, link) in links.into_iter().enumerate() {
            let deleted = store.delete_link(link.domain, &link.code, Caller::Operator, NOW).await.unwrap();
            assert!(deleted.is_some());
            model.delete(link.id);
            if number == 0 {
                model.check(&store, &spans).await;
            }
        }
    }
}

/// Every process hands over its own clicks, of the same links and visitors, in a random order, while the others do.
async fn spools_that_are_taken_at_the_same_time_are_counted_exactly(database: Database) {
    const PROCESSES: usize = 4;
    let store = database.store().await;
    let mut runner = TestRunner::deterministic();
    let mut model = Model::default();
    let links = ids(&some_links(&database, &store, &mut model, "c").await);
    let mut number = 0;
    let mut taking = Vec::new();
    for _ in 0..PROCESSES {
        let mut batches = Vec::new();
        for _ in 0..12 {
            let (clicks, _) = draw(&mut runner, &random::deliveries(4));
            let clicks: Vec<_> = clicks
                .iter()
                .map(|click| {
                    number += 1;
                    click.click(number, &links)
                })
                .collect();
            model.take(&clicks);
            batches.push(clicks);
        }
        let store = database.store().await;
        taking.push(tokio::spawn(take_all(store, batches)));
    }
    for taking in taking {
        taking.await.unwrap();
    }
    model.check(&store, &draw(&mut runner, &random::spans())).await;
}

async fn take_all(store: Store, batches: Vec<Vec<Click>>) {
    let spool = new_spool();
    store.open_spool(spool).await.unwrap();
    for (from, batch) in (0..).zip(batches) {
        assert!(store.take_clicks(batch, SpoolStep { spool, from, to: from + 1 }).await.unwrap());
    }
}
