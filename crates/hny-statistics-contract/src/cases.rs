//! The cases. Each begins with a counter that has nothing.

#![expect(clippy::missing_panics_doc, reason = "a case that does not hold panics")]

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use hny_domain::{
    Click, ClickId, Dimension, DomainId, Group, KindCounts, LinkId, Quarter, Scope, Span, Timestamp, Traits, VisitKind,
    VisitorId,
};
use proptest::test_runner::TestRunner;

use crate::Counter;
use crate::model::Model;
use crate::random::{self, draw};

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

/// A click by a person of whom nothing is known.
fn click(link: LinkId, at: Timestamp) -> Click {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let id = ClickId(LAST.fetch_add(1, Ordering::Relaxed) + 1);
    Click { id, link, at, kind: VisitKind::Person, visitor: None, traits: Traits::default() }
}

fn click_by(visitor: u64, link: LinkId, at: Timestamp) -> Click {
    Click { visitor: Some(VisitorId(visitor)), ..click(link, at) }
}

fn by_browser(browser: &str, mut click: Click) -> Click {
    click.traits.browser = Some(browser.into());
    click
}

/// A link of nobody.
async fn link(counter: &impl Counter) -> LinkId {
    counter.new_link(None, DomainId::BASE).await
}

/// The minute of each quarter, its clicks and its uniques.
async fn quarters(counter: &impl Counter, scope: Scope, minutes: Range<i64>) -> Vec<(i64, u64, u64)> {
    let brief =
        |quarter: Quarter| ((quarter.start.as_millis() - MIDNIGHT) / MINUTE, quarter.counts.clicks, quarter.uniques);
    counter.quarters(scope, span(minutes)).await.into_iter().map(brief).collect()
}

/// Each browser, its clicks and its uniques.
async fn browsers(counter: &impl Counter, scope: Scope, minutes: Range<i64>) -> Vec<(String, u64, u64)> {
    let brief = |group: Group| (group.value.as_deref().unwrap_or("?").to_owned(), group.clicks, group.uniques);
    counter.groups(scope, Dimension::Browser, span(minutes)).await.into_iter().map(brief).collect()
}

fn named(rows: &[(&str, u64, u64)]) -> Vec<(String, u64, u64)> {
    rows.iter().map(|(name, clicks, uniques)| ((*name).to_owned(), *clicks, *uniques)).collect()
}

/// Where there are no clicks there is nothing, and no error.
pub async fn nothing_is_answered_of_nothing(counter: &impl Counter) {
    let link = link(counter).await;
    let nothing = [Scope::Owner(counter.new_key().await), Scope::Domain(counter.new_domain().await)];
    for scope in [Scope::Link(link), Scope::Link(LinkId(-1)), Scope::All].into_iter().chain(nothing) {
        assert_eq!(counter.quarters(scope, span(0..1440)).await, []);
        for dimension in Dimension::ALL {
            assert_eq!(counter.groups(scope, dimension, span(0..1440)).await, []);
        }
    }
    assert_eq!(counter.clicks(link, span(0..1440), None, 10).await, []);
}

/// A visitor counts again on the next UTC day.
pub async fn a_day_begins_at_midnight_utc(counter: &impl Counter) {
    let link = link(counter).await;
    let last = Timestamp::from_millis(MIDNIGHT + DAY - 1);
    counter.take(vec![click_by(1, link, last), click_by(1, link, at(1440)), click_by(1, link, at(1440))]).await;
    assert_eq!(quarters(counter, Scope::Link(link), -1440..4000).await, [(1425, 1, 1), (1440, 2, 1)]);
    assert_eq!(browsers(counter, Scope::Link(link), 0..1440).await, named(&[("?", 1, 1)]));
    assert_eq!(browsers(counter, Scope::Link(link), 1440..2880).await, named(&[("?", 2, 1)]));
}

/// Clicks do not come in their order; the unique is in the bucket of the first all the same.
pub async fn an_earlier_click_that_comes_late_is_the_first(counter: &impl Counter) {
    let link = link(counter).await;
    counter.take(vec![by_browser("Late", click_by(1, link, at(600)))]).await;
    counter.take(vec![by_browser("Later", click_by(1, link, at(700)))]).await;
    let early = by_browser("Early", click_by(1, link, at(60)));
    counter.take(vec![by_browser("Between", click_by(1, link, at(300))), early]).await;
    for scope in [Scope::Link(link), Scope::All] {
        let counts = [(60, 1, 1), (300, 1, 0), (600, 1, 0), (690, 1, 0)];
        assert_eq!(quarters(counter, scope, 0..1440).await, counts, "{scope:?}");
        let groups = named(&[("Between", 1, 0), ("Early", 1, 1), ("Late", 1, 0), ("Later", 1, 0)]);
        assert_eq!(browsers(counter, scope, 0..1440).await, groups, "{scope:?}");
        let some = named(&[("Between", 1, 0), ("Late", 1, 0), ("Later", 1, 0)]);
        assert_eq!(browsers(counter, scope, 75..1440).await, some, "the first click is before");
    }
}

/// Who follows two links of a scope is one visitor of it.
pub async fn a_visitor_counts_once_over_all_links(counter: &impl Counter) {
    let key = counter.new_key().await;
    let a = counter.new_link(Some(key), DomainId::BASE).await;
    let b = counter.new_link(Some(key), DomainId::BASE).await;
    let other = link(counter).await;
    let clicks = [click_by(1, b, at(30)), click_by(1, a, at(45)), click_by(1, other, at(15)), click_by(2, a, at(60))];
    counter.take(clicks.to_vec()).await;
    assert_eq!(quarters(counter, Scope::Link(a), 0..1440).await, [(45, 1, 1), (60, 1, 1)]);
    assert_eq!(quarters(counter, Scope::Owner(key), 0..1440).await, [(30, 1, 1), (45, 1, 0), (60, 1, 1)]);
    assert_eq!(quarters(counter, Scope::All, 0..1440).await, [(15, 1, 1), (30, 1, 0), (45, 1, 0), (60, 1, 1)]);
    assert_eq!(browsers(counter, Scope::Owner(key), 0..1440).await, named(&[("?", 3, 2)]));
    assert_eq!(browsers(counter, Scope::All, 30..1440).await, named(&[("?", 3, 1)]));
}

/// Robots, prefetches and probes are no clicks, and no visitors.
pub async fn kinds_are_counted_apart(counter: &impl Counter) {
    let link = link(counter).await;
    let of = |kind, count| (0..count).map(move |_| Click { kind, ..click_by(1, link, at(0)) });
    let all = of(VisitKind::Person, 1).chain(of(VisitKind::Robot, 3)).chain(of(VisitKind::Prefetch, 1));
    counter.take(all.collect()).await;
    let counts = KindCounts { clicks: 1, robots: 3, prefetches: 1, probes: 0 };
    let quarter = Quarter { start: at(0), counts, uniques: 1 };
    assert_eq!(counter.quarters(Scope::Link(link), span(0..15)).await, [quarter]);
    let group = |kind: &str, clicks, uniques| Group { value: Some(kind.into()), clicks, uniques };
    let kinds = counter.groups(Scope::All, Dimension::Kind, span(0..15)).await;
    assert_eq!(kinds, [group("robot", 3, 0), group("person", 1, 1), group("prefetch", 1, 0)]);
    assert_eq!(browsers(counter, Scope::Link(link), 0..1440).await, named(&[("?", 1, 1)]));
}

/// As for a day in India, which begins at half past.
pub async fn a_span_may_begin_at_any_quarter(counter: &impl Counter) {
    let link = link(counter).await;
    let minutes = [1109, 1110, 1439, 1440, 2549, 2550];
    counter.take(minutes.map(|minute| by_browser("B", click(link, at(minute)))).to_vec()).await;
    for scope in [Scope::Link(link), Scope::All] {
        let counts = [(1110, 1, 0), (1425, 1, 0), (1440, 1, 0), (2535, 1, 0)];
        assert_eq!(quarters(counter, scope, 1110..2550).await, counts);
        assert_eq!(browsers(counter, scope, 1110..2550).await, named(&[("B", 4, 0)]));
    }
}

/// A link that is gone has no clicks, and no part in those of others.
pub async fn a_deleted_link_is_not_shown(counter: &impl Counter) {
    let key = counter.new_key().await;
    let gone = counter.new_link(Some(key), DomainId::BASE).await;
    let stays = counter.new_link(Some(key), DomainId::BASE).await;
    counter.take(vec![click_by(1, gone, at(0)), click_by(1, stays, at(15))]).await;
    counter.delete(gone).await;
    assert_eq!(quarters(counter, Scope::Link(gone), 0..1440).await, []);
    assert_eq!(browsers(counter, Scope::Link(gone), 0..1440).await, []);
    assert_eq!(counter.clicks(gone, span(0..1440), None, 10).await, []);
    for scope in [Scope::Owner(key), Scope::All] {
        assert_eq!(quarters(counter, scope, 0..1440).await, [(15, 1, 1)], "the unique is the other link's now");
        assert_eq!(browsers(counter, scope, 15..1440).await, named(&[("?", 1, 1)]));
    }
}

/// Two thousand visits in blocks that have some of the same visitors; asked about also before all of them.
pub async fn many_clicks_are_answered_as_the_model_does(counter: &impl Counter) {
    const BLOCK: usize = 500;
    let mut runner = TestRunner::deterministic();
    let mut model = Model::default();
    let links = some_links(counter, &mut model).await;
    let mut random = Vec::new();
    while random.len() < 4 * BLOCK {
        random.extend(draw(&mut runner, &random::deliveries(links.len())).0);
    }
    let clicks: Vec<_> = random.iter().enumerate().map(|(number, click)| click.click(number, &links)).collect();
    for block in clicks.chunks(BLOCK) {
        model.take(block);
        counter.take(block.to_vec()).await;
    }
    let spans = [draw(&mut runner, &random::spans()), vec![random::before()]].concat();
    model.check(counter, &spans).await;
}

/// Links are counted where they live, whoever made them.
pub async fn a_domain_has_the_clicks_of_its_links(counter: &impl Counter) {
    let (there, empty) = (counter.new_domain().await, counter.new_domain().await);
    let here = link(counter).await;
    let (one, other) = (counter.new_link(None, there).await, counter.new_link(None, there).await);
    let clicks = [click_by(1, here, at(0)), click_by(1, one, at(15)), click_by(1, other, at(30)), click(other, at(45))];
    counter.take(clicks.to_vec()).await;
    let scope = Scope::Domain(there);
    assert_eq!(quarters(counter, scope, 0..1440).await, [(15, 1, 1), (30, 1, 0), (45, 1, 0)]);
    assert_eq!(browsers(counter, scope, 0..1440).await, named(&[("?", 3, 1)]));
    assert_eq!(quarters(counter, Scope::Domain(DomainId::BASE), 0..1440).await, [(0, 1, 1)]);
    assert_eq!(quarters(counter, Scope::Domain(empty), 0..1440).await, []);
    assert_eq!(browsers(counter, Scope::Domain(empty), 0..1440).await, []);
}

/// Pages have every visit once, with all that is kept of it, also of those in the same millisecond.
pub async fn clicks_come_in_pages_as_they_were_kept(counter: &impl Counter) {
    const PAGE: u32 = 7;
    let mut runner = TestRunner::deterministic();
    let mut model = Model::default();
    let links = some_links(counter, &mut model).await;
    let spans = draw(&mut runner, &random::spans());
    let random: Vec<_> = (0..5).flat_map(|_| draw(&mut runner, &random::deliveries(4)).0).collect();
    let clicks: Vec<_> = random.iter().enumerate().map(|(number, click)| click.click(number, &links)).collect();
    model.take(&clicks);
    counter.take(clicks).await;
    for link in links {
        for &span in &spans {
            let (expected, mut seen, mut after) = (model.clicks(link, span), 0, None);
            loop {
                let page = counter.clicks(link, span, after, PAGE).await;
                let rest: Vec<_> = expected[seen..].iter().take(PAGE as usize).cloned().collect();
                assert_eq!(page, rest, "{link:?} {span:?}");
                let Some(last) = page.last() else { break };
                (seen, after) = (seen + page.len(), Some((last.at, last.id)));
            }
        }
    }
}

/// Four links: two of a key, on two domains; one of another key; one of nobody, on the second domain.
pub async fn some_links(counter: &impl Counter, model: &mut Model) -> Vec<LinkId> {
    let there = counter.new_domain().await;
    let (one, other) = (counter.new_key().await, counter.new_key().await);
    let mut links = Vec::new();
    for (owner, domain) in
        [(Some(one), DomainId::BASE), (Some(one), there), (Some(other), DomainId::BASE), (None, there)]
    {
        let link = counter.new_link(owner, domain).await;
        model.add(link, owner, domain);
        links.push(link);
    }
    links
}

/// Whatever comes in whatever order, also after links are deleted.
pub async fn random_clicks_are_answered_as_the_model_does<C: Counter>(counter: &C) {
    let mut runner = TestRunner::deterministic();
    for _ in 0..C::ROUNDS {
        let mut model = Model::default();
        let links = some_links(counter, &mut model).await;
        let (clicks, batches) = draw(&mut runner, &random::deliveries(links.len()));
        let spans = draw(&mut runner, &random::spans());
        let clicks: Vec<_> = clicks.iter().enumerate().map(|(number, click)| click.click(number, &links)).collect();
        for batch in batches {
            let batch: Vec<_> = batch.into_iter().map(|place| clicks[place].clone()).collect();
            model.take(&batch);
            counter.take(batch).await;
        }
        model.check(counter, &spans).await;
        // What the next round does not see.
        for (number, link) in links.into_iter().enumerate() {
            counter.delete(link).await;
            model.delete(link);
            if number == 0 {
                model.check(counter, &spans).await;
            }
        }
    }
}
