//! Statistics as they should be: counted from all clicks, one by one, in their order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hny_domain::{
    Click, ClickId, Dimension, DomainId, Group, KeyId, KindCounts, LinkId, Quarter, Scope, Span, Timestamp, VisitKind,
    VisitorId,
};

use crate::Counter;

const DAY: i64 = 86_400_000;
const QUARTER: i64 = 900_000;

/// All clicks that were taken, and whose their links are.
#[derive(Debug, Default)]
pub struct Model {
    clicks: BTreeMap<(Timestamp, ClickId, LinkId), Click>,
    links: BTreeMap<LinkId, (Option<KeyId>, DomainId)>,
}

impl Model {
    /// There is a link.
    pub fn add(&mut self, link: LinkId, owner: Option<KeyId>, domain: DomainId) {
        self.links.insert(link, (owner, domain));
    }

    /// These clicks were taken. Those that were taken before do not count again.
    pub fn take(&mut self, clicks: &[Click]) {
        for click in clicks {
            self.clicks.insert((click.at, click.id, click.link), click.clone());
        }
    }

    /// A link is deleted, and what belongs to it.
    pub fn delete(&mut self, link: LinkId) {
        self.links.remove(&link);
        self.clicks.retain(|(_, _, of), _| *of != link);
    }

    /// What came before is forgotten.
    pub fn remove_before(&mut self, cut: Timestamp) {
        self.clicks.retain(|(at, _, _), _| *at >= cut);
    }

    /// The links that are there.
    pub fn links(&self) -> impl Iterator<Item = LinkId> {
        self.links.keys().copied()
    }

    /// All scopes in which there could be a click.
    pub fn scopes(&self) -> Vec<Scope> {
        let owners: BTreeSet<i64> = self.links.values().filter_map(|(owner, _)| Some(owner.as_ref()?.0)).collect();
        let domains: BTreeSet<u32> = self.links.values().map(|(_, domain)| domain.0).collect();
        let owners = owners.into_iter().map(|owner| Scope::Owner(KeyId(owner)));
        let domains = domains.into_iter().map(|domain| Scope::Domain(DomainId(domain)));
        self.links().map(Scope::Link).chain(owners).chain(domains).chain([Scope::All]).collect()
    }

    fn is_in(&self, scope: Scope, link: LinkId) -> bool {
        let home = self.links.get(&link);
        match scope {
            Scope::Link(one) => link == one,
            Scope::Owner(key) => home.is_some_and(|(owner, _)| *owner == Some(key)),
            Scope::Domain(id) => home.is_some_and(|(_, domain)| *domain == id),
            Scope::All => true,
        }
    }

    /// The visits of a scope within a span, each with whether it is its visitor's first on its day.
    fn visits(&self, scope: Scope, span: Span) -> Vec<(&Click, bool)> {
        let mut met = BTreeSet::<(i64, VisitorId)>::new();
        let clicks = self.clicks.values().filter(|click| self.is_in(scope, click.link));
        let visits = clicks.map(|click| {
            let visitor = click.visitor.filter(|_| click.kind == VisitKind::Person);
            (click, visitor.is_some_and(|visitor| met.insert((click.at.as_millis().div_euclid(DAY), visitor))))
        });
        visits.filter(|(click, _)| (span.from..span.to).contains(&click.at)).collect()
    }

    /// Each quarter of an hour in which there was a visit.
    #[must_use]
    pub fn quarters(&self, scope: Scope, span: Span) -> Vec<Quarter> {
        self.slots(scope, span, 1, 0)
    }

    /// The same in slots of so many quarters, one of which begins with the quarter `first`.
    #[must_use]
    pub fn slots(&self, scope: Scope, span: Span, step: i64, first: i64) -> Vec<Quarter> {
        let mut slots = BTreeMap::new();
        for (click, is_first) in self.visits(scope, span) {
            let quarter = click.at.as_millis().div_euclid(QUARTER);
            let slot = first + (quarter - first).div_euclid(step) * step;
            let start = Timestamp::from_millis(slot.saturating_mul(QUARTER)).max(span.from);
            let none = Quarter { start, counts: KindCounts::default(), uniques: 0 };
            let slot: &mut Quarter = slots.entry(start).or_insert(none);
            *count(&mut slot.counts, click.kind) += 1;
            slot.uniques += u64::from(is_first);
        }
        slots.into_values().collect()
    }

    /// Each value that a click had, the most frequent first.
    #[must_use]
    pub fn groups(&self, scope: Scope, dimension: Dimension, span: Span) -> Vec<Group> {
        let mut counts = BTreeMap::<Option<Arc<str>>, (u64, u64)>::new();
        for (click, is_first) in self.visits(scope, span) {
            if click.kind == VisitKind::Person || dimension == Dimension::Kind {
                let (clicks, uniques) = counts.entry(click.value(dimension).map(Into::into)).or_default();
                *clicks += 1;
                *uniques += u64::from(is_first);
            }
        }
        let groups = counts.into_iter().map(|(value, (clicks, uniques))| Group { value, clicks, uniques });
        let mut groups: Vec<_> = groups.collect();
        groups.sort_by_key(|group| Reverse(group.clicks));
        groups
    }

    /// The visits of a link, in their order.
    #[must_use]
    pub fn clicks(&self, link: LinkId, span: Span) -> Vec<Click> {
        self.visits(Scope::Link(link), span).into_iter().map(|(click, _)| click.clone()).collect()
    }

    /// How many clicks a link has had: visits by persons.
    #[must_use]
    pub fn clicks_of(&self, link: LinkId) -> u64 {
        let persons = self.clicks.values().filter(|click| click.link == link && click.kind == VisitKind::Person);
        persons.count() as u64
    }

    /// Asks everything.
    ///
    /// # Panics
    ///
    /// When an answer is another.
    pub async fn check(&self, counter: &impl Counter, spans: &[Span]) {
        for scope in self.scopes() {
            for &span in spans {
                assert_eq!(counter.quarters(scope, span).await, self.quarters(scope, span), "{scope:?} {span:?}");
                for dimension in Dimension::ALL {
                    let groups = counter.groups(scope, dimension, span).await;
                    assert_eq!(groups, self.groups(scope, dimension, span), "{dimension:?} {scope:?} {span:?}");
                }
            }
        }
        for link in self.links() {
            for &span in spans {
                let clicks = counter.clicks(link, span, None, u32::MAX).await;
                assert_eq!(clicks, self.clicks(link, span), "{link:?} {span:?}");
            }
        }
    }
}

fn count(counts: &mut KindCounts, kind: VisitKind) -> &mut u64 {
    match kind {
        VisitKind::Person => &mut counts.clicks,
        VisitKind::Robot => &mut counts.robots,
        VisitKind::Prefetch => &mut counts.prefetches,
        VisitKind::Probe => &mut counts.probes,
    }
}
