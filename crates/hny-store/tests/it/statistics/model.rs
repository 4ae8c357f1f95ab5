//! Statistics as they should be: counted from all clicks, one by one, in their order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hny_domain::{
    Click, ClickId, Dimension, DomainId, Grid, Group, KeyId, KindCounts, Link, LinkId, Quarter, Scope, Span, Timestamp,
    VisitKind, VisitorId,
};
use hny_store::{Home, Store};

const DAY: i64 = 86_400_000;
const QUARTER: i64 = 900_000;

/// The pieces of a series, by the quarters with which they begin; how many quarters their slots have, and with which one begins: each
/// quarter alone, days, days of a zone, hours that begin before the hour, and all together.
const GRIDS: [(&[i64], i64, i64); 5] = [
    (&[0, 1, 2], 1, 0),
    (&[0, 96, 192], 96, 0),
    (&[0, 3, 99, 195], 96, 3),
    (&[0, 7, 11, 15], 4, 3),
    (&[0], 1 << 40, 0),
];

/// All clicks that were taken, and whose their links are.
#[derive(Debug, Default)]
pub(crate) struct Model {
    clicks: BTreeMap<(Timestamp, ClickId, LinkId), Click>,
    homes: BTreeMap<LinkId, Home>,
}

impl Model {
    pub(crate) fn add(&mut self, link: &Link) {
        self.homes.insert(link.id, Home { owner: link.owner, domain: link.domain });
    }

    pub(crate) fn take(&mut self, clicks: &[Click]) {
        for click in clicks {
            self.clicks.insert((click.at, click.id, click.link), click.clone());
        }
    }

    /// Forgets a link, and what belongs to it.
    pub(crate) fn delete(&mut self, link: LinkId) {
        self.homes.remove(&link);
        self.clicks.retain(|(_, _, of), _| *of != link);
    }

    pub(crate) fn remove_before(&mut self, cut: Timestamp) {
        self.clicks.retain(|(at, _, _), _| *at >= cut);
    }

    pub(crate) fn links(&self) -> impl Iterator<Item = LinkId> {
        self.homes.keys().copied()
    }

    /// The visits of a scope, each with whether it is its visitor's first.
    fn visits(&self, scope: Scope) -> Vec<(&Click, bool)> {
        let is_in = |link: LinkId| match scope {
            Scope::Link(one) => link == one,
            Scope::Owner(owner) => self.homes.get(&link).is_some_and(|home| home.owner == Some(owner)),
            Scope::Domain(domain) => self.homes.get(&link).is_some_and(|home| home.domain == domain),
            Scope::All => true,
        };
        let mut met = BTreeSet::<(i64, VisitorId)>::new();
        let clicks = self.clicks.values().filter(|click| is_in(click.link));
        let visits = clicks.map(|click| {
            let is_person = click.kind == VisitKind::Person;
            let visitor = click.visitor.filter(|_| is_person);
            (click, visitor.is_some_and(|visitor| met.insert((click.at.as_millis().div_euclid(DAY), visitor))))
        });
        visits.collect()
    }

    fn visits_in(&self, scope: Scope, span: Span) -> Vec<(&Click, bool)> {
        let mut visits = self.visits(scope);
        visits.retain(|(click, _)| (span.from..span.to).contains(&click.at));
        visits
    }

    /// In slots of so many quarters, one of which begins with the quarter `first`.
    fn quarters(&self, scope: Scope, span: Span, step: i64, first: i64) -> Vec<Quarter> {
        let mut quarters = BTreeMap::new();
        for (click, is_first) in self.visits_in(scope, span) {
            let quarter = click.at.as_millis().div_euclid(QUARTER);
            let slot = first + (quarter - first).div_euclid(step) * step;
            let start = Timestamp::from_millis(slot.saturating_mul(QUARTER)).max(span.from);
            let none = Quarter { start, counts: KindCounts::default(), uniques: 0 };
            let quarter: &mut Quarter = quarters.entry(start).or_insert(none);
            let counts = &mut quarter.counts;
            *match click.kind {
                VisitKind::Person => &mut counts.clicks,
                VisitKind::Robot => &mut counts.robots,
                VisitKind::Prefetch => &mut counts.prefetches,
                VisitKind::Probe => &mut counts.probes,
            } += 1;
            quarter.uniques += u64::from(is_first);
        }
        quarters.into_values().collect()
    }

    fn groups(&self, scope: Scope, dimension: Dimension, span: Span) -> Vec<Group> {
        let mut counts = BTreeMap::<Option<Arc<str>>, (u64, u64)>::new();
        for (click, is_first) in self.visits_in(scope, span) {
            if click.kind == VisitKind::Person || dimension == Dimension::Kind {
                let (clicks, uniques) = counts.entry(click.value(dimension).map(Into::into)).or_default();
                *clicks += 1;
                *uniques += u64::from(is_first);
            }
        }
        let groups = counts.into_iter().map(|(value, (clicks, uniques))| Group { value, clicks, uniques });
        let mut groups: Vec<_> = groups.collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.clicks));
        groups
    }

    /// Whether a store answers the same.
    pub(crate) async fn check(&self, store: &Store, spans: &[Span]) {
        for scope in
            self.links().map(Scope::Link).chain(self.owner_scopes()).chain(self.domain_scopes()).chain([Scope::All])
        {
            for &span in spans {
                self.check_scope(store, scope, span).await;
            }
        }
        for link in self.links() {
            let count =
                self.visits(Scope::Link(link)).iter().filter(|(click, _)| click.kind == VisitKind::Person).count();
            assert_eq!(store.clicks_of(link).await.unwrap(), count as u64, "{link:?}");
        }
    }

    fn owner_scopes(&self) -> impl Iterator<Item = Scope> {
        let owners: BTreeSet<i64> = self.homes.values().filter_map(|home| Some(home.owner?.0)).collect();
        owners.into_iter().map(|owner| Scope::Owner(KeyId(owner)))
    }

    fn domain_scopes(&self) -> impl Iterator<Item = Scope> {
        let domains: BTreeSet<u32> = self.homes.values().map(|home| home.domain.0).collect();
        domains.into_iter().map(|domain| Scope::Domain(DomainId(domain)))
    }

    async fn check_scope(&self, store: &Store, scope: Scope, span: Span) {
        for (starts, step, first) in GRIDS {
            let starts: Vec<_> = starts.iter().map(|quarter| Timestamp::from_millis(quarter * QUARTER)).collect();
            let quarters = store.quarters(scope, span, Grid::of(&starts)).await.unwrap();
            assert_eq!(quarters, self.quarters(scope, span, step, first), "{scope:?} {span:?} {starts:?}");
        }
        for dimension in Dimension::ALL {
            let groups = store.groups(scope, dimension, span).await.unwrap();
            assert_eq!(groups, self.groups(scope, dimension, span), "{dimension:?} {scope:?} {span:?}");
        }
        if let Scope::Link(link) = scope {
            let clicks = store.clicks(link, span, None, u32::MAX).await.unwrap();
            let expected: Vec<_> = self.visits_in(scope, span).into_iter().map(|(click, _)| click.clone()).collect();
            assert_eq!(clicks, expected, "{scope:?} {span:?}");
        }
    }
}
