//! The contract for statistics: what is answered about the clicks that were taken.
//!
//! A visitor counts once per UTC day over all links of the scope, in the quarter and group of its first click of that day. Quarters,
//! groups and clicks agree. What belongs to a deleted link is not shown. Days are UTC days.

use hny_domain::{
    Click, ClickId, Dimension, Grid, Group, KindCounts, LinkId, Quarter, Scope, Span, Timestamp, VisitKind,
};

use crate::store::Engine;
use crate::{Store, StoreError, stored_click};

impl Store {
    /// The visits in each slot of a span, in the order of time, without slots in which nothing happened. The first begins with the span.
    pub async fn quarters(&self, scope: Scope, span: Span, grid: Grid) -> Result<Vec<Quarter>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.quarters(scope, span, grid).await,
            Engine::Postgres(postgres) => postgres.quarters(scope, span, grid).await,
        }
    }

    /// The clicks of a span by what they say in a dimension, most clicks first, then by value. Those by kind are visits of every
    /// kind, and have uniques for persons only.
    pub async fn groups(&self, scope: Scope, dimension: Dimension, span: Span) -> Result<Vec<Group>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.groups(scope, dimension, span).await,
            Engine::Postgres(postgres) => postgres.groups(scope, dimension, span).await,
        }
    }

    /// The visits of a link in a span, of every kind, by time and number: at most `limit`, from behind the one with `after` on.
    pub async fn clicks(
        &self,
        link: LinkId,
        span: Span,
        after: Option<(Timestamp, ClickId)>,
        limit: u32,
    ) -> Result<Vec<Click>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.clicks(link, span, after, limit).await,
            Engine::Postgres(postgres) => postgres.clicks(link, span, after, limit).await,
        }
    }
}

/// The visits of a span by kind, from its quarters.
pub(crate) fn by_kind(quarters: &[Quarter]) -> Vec<Group> {
    let group = |kind: VisitKind| Group {
        value: Some(kind.name().into()),
        clicks: quarters.iter().map(|quarter| of_kind(quarter.counts, kind)).sum(),
        uniques: if kind == VisitKind::Person { quarters.iter().map(|quarter| quarter.uniques).sum() } else { 0 },
    };
    let mut groups: Vec<_> = VisitKind::ALL.into_iter().map(group).filter(|group| group.clicks > 0).collect();
    groups.sort_by(|one, other| other.clicks.cmp(&one.clicks).then_with(|| one.value.cmp(&other.value)));
    groups
}

fn of_kind(counts: KindCounts, kind: VisitKind) -> u64 {
    match kind {
        VisitKind::Person => counts.clicks,
        VisitKind::Robot => counts.robots,
        VisitKind::Prefetch => counts.prefetches,
        VisitKind::Probe => counts.probes,
    }
}

/// Where the slot of a quarter begins, within a span.
pub(crate) fn slot_start(quarter: i64, span: Span, grid: Grid) -> Timestamp {
    stored_click::quarter_start(grid.slot_start(quarter)).max(span.from)
}

/// Where a page of clicks begins: at this time, and behind this time and number.
pub(crate) fn page_start(span: Span, after: Option<(Timestamp, ClickId)>) -> (i64, (i64, i64)) {
    let after = after.map_or((i64::MIN, i64::MIN), |(at, id)| (at.as_millis(), stored_click::id(id)));
    (span.from.as_millis().max(after.0), after)
}
