//! The answers by the plainest way to count.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use hny_domain::{
    Click, ClickId, Dimension, Group, KindCounts, LinkId, QUARTER, Quarter, Scope, Span, Timestamp, VisitKind,
};

use crate::engine::home;

fn is_in(scope: Scope, click: &Click) -> bool {
    match scope {
        Scope::Link(link) => click.link == link,
        Scope::Owner(key) => home(click.link).owner == Some(key),
        Scope::Domain(domain) => home(click.link).domain == domain,
        Scope::All => true,
    }
}

fn within(span: Span, click: &Click) -> bool {
    span.from <= click.at && click.at < span.to
}

fn quarter(at: Timestamp) -> i64 {
    let length = i64::try_from(QUARTER.as_millis()).unwrap();
    at.as_millis() / length * length
}

/// The first click of each visitor on each day.
fn firsts(clicks: &[Click], scope: Scope) -> Vec<&Click> {
    let mut firsts: HashMap<(i64, u64), &Click> = HashMap::new();
    for click in clicks.iter().filter(|click| is_in(scope, click) && click.kind == VisitKind::Person) {
        let Some(visitor) = click.visitor else { continue };
        let first = firsts.entry((click.at.as_millis() / 86_400_000, visitor.0)).or_insert(click);
        if (click.at, click.id) < (first.at, first.id) {
            *first = click;
        }
    }
    firsts.into_values().collect()
}

pub(crate) fn quarters(clicks: &[Click], scope: Scope, span: Span) -> Vec<Quarter> {
    let mut quarters = BTreeMap::<i64, (KindCounts, u64)>::new();
    for click in clicks.iter().filter(|click| is_in(scope, click) && within(span, click)) {
        let counts = &mut quarters.entry(quarter(click.at)).or_default().0;
        *match click.kind {
            VisitKind::Person => &mut counts.clicks,
            VisitKind::Robot => &mut counts.robots,
            VisitKind::Prefetch => &mut counts.prefetches,
            VisitKind::Probe => &mut counts.probes,
        } += 1;
    }
    for first in firsts(clicks, scope).into_iter().filter(|click| within(span, click)) {
        quarters.entry(quarter(first.at)).or_default().1 += 1;
    }
    let quarters = quarters.into_iter();
    quarters
        .map(|(start, (counts, uniques))| Quarter { start: Timestamp::from_millis(start), counts, uniques })
        .collect()
}

pub(crate) fn groups(clicks: &[Click], scope: Scope, dimension: Dimension, span: Span) -> Vec<Group> {
    let mut groups = BTreeMap::<Option<Arc<str>>, (u64, u64)>::new();
    let counts = |click: &&Click| dimension == Dimension::Kind || click.kind == VisitKind::Person;
    for click in clicks.iter().filter(|click| is_in(scope, click) && within(span, click)).filter(counts) {
        groups.entry(click.value(dimension).map(Arc::from)).or_default().0 += 1;
    }
    for first in firsts(clicks, scope).into_iter().filter(|click| within(span, click)) {
        groups.entry(first.value(dimension).map(Arc::from)).or_default().1 += 1;
    }
    let groups = groups.into_iter().map(|(value, (clicks, uniques))| Group { value, clicks, uniques });
    let mut groups: Vec<_> = groups.collect();
    groups.sort_by_key(|group| Reverse(group.clicks));
    groups
}

pub(crate) fn page(
    clicks: &[Click],
    link: LinkId,
    span: Span,
    after: Option<(Timestamp, ClickId)>,
    limit: u32,
) -> Vec<Click> {
    let mut of_link: Vec<_> = clicks.iter().filter(|click| click.link == link && within(span, click)).collect();
    of_link.sort_by_key(|click| (click.at, click.id));
    let behind = of_link.into_iter().filter(|click| Some((click.at, click.id)) > after);
    behind.take(limit as usize).cloned().collect()
}
