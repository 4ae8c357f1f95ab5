//! How often links were followed: questions, and their answers from wherever clicks are kept.

mod calendar;
mod cursor;
mod period;
mod question;
mod series;

use std::cmp::Reverse;

use hny_domain::{Click, Dimension, Grid, Group, LinkId, Quarter, Report, Scope, Span, Total};
use hny_store::{Store, StoreError};
use thiserror::Error;

pub use calendar::Interval;
pub use cursor::{Cursor, CursorError};
pub use question::{Question, QuestionInput, span_of};
use series::Series;

#[cfg(feature = "clickhouse")]
use crate::clickhouse::{ClickHouse, ClickHouseError};

/// The most groups that a report has: visitors choose what referrer they send, and so how many there are.
const MOST_GROUPS: usize = 1_000;

/// Answers questions about clicks. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Statistics(Source);

/// Where clicks are kept.
#[derive(Debug, Clone)]
enum Source {
    /// Beside the links.
    Store(Store),
    /// In a database of their own.
    #[cfg(feature = "clickhouse")]
    ClickHouse(Box<ClickHouse>),
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum StatisticsError {
    /// The store gives none.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// ClickHouse gives none.
    #[cfg(feature = "clickhouse")]
    #[error(transparent)]
    ClickHouse(#[from] ClickHouseError),
}

/// Some of the visits of a link, of every kind, by time.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The visits.
    pub clicks: Vec<Click>,
    /// Behind which of them the next page begins; `None` where there was nothing more.
    pub next: Option<Cursor>,
}

impl Statistics {
    /// Those of the clicks in `store`.
    pub const fn of_store(store: Store) -> Self {
        Self(Source::Store(store))
    }

    /// Those of the clicks that were shipped there.
    #[cfg(feature = "clickhouse")]
    pub fn of_clickhouse(clickhouse: ClickHouse) -> Self {
        Self(Source::ClickHouse(Box::new(clickhouse)))
    }

    /// The answer to a question. All of it is about the same clicks, but for those that come while it is made.
    pub async fn of(&self, scope: Scope, question: &Question) -> Result<Report, StatisticsError> {
        let quarters = self.quarters(scope, question).await?;
        let Series { buckets: series, counts, uniques } = Series::of(&quarters, question.starts());
        let total = Total { clicks: counts.clicks, uniques, robots: counts.robots };
        let groups = match question.group_by() {
            Some(dimension) => most(self.groups(scope, dimension, question.span_of_groups()).await?),
            None => Vec::new(),
        };
        Ok(Report { total, series, groups })
    }

    /// The visits of a link, of every kind, at most `limit` of them; from behind `after` on, if it is given.
    pub async fn clicks(
        &self,
        link: LinkId,
        span: Span,
        after: Option<Cursor>,
        limit: u32,
    ) -> Result<Page, StatisticsError> {
        // One more shows whether there is another page.
        let (after, most) = (after.map(Cursor::position), limit.saturating_add(1));
        let mut clicks = match &self.0 {
            Source::Store(store) => store.clicks(link, span, after, most).await?,
            #[cfg(feature = "clickhouse")]
            Source::ClickHouse(clickhouse) => clickhouse.clicks(link, span, after, most).await?,
        };
        let page = usize::try_from(limit).unwrap_or(usize::MAX);
        let has_more = clicks.len() > page;
        clicks.truncate(page);
        let next = clicks.last().filter(|_| has_more).map(Cursor::of);
        Ok(Page { clicks, next })
    }

    /// What the pieces of the series are made of: none of these lies in two.
    async fn quarters(&self, scope: Scope, question: &Question) -> Result<Vec<Quarter>, StatisticsError> {
        let span = question.span();
        match &self.0 {
            Source::Store(store) => Ok(store.quarters(scope, span, Grid::of(question.starts())).await?),
            #[cfg(feature = "clickhouse")]
            Source::ClickHouse(clickhouse) => Ok(clickhouse.quarters(scope, span).await?),
        }
    }

    async fn groups(&self, scope: Scope, dimension: Dimension, span: Span) -> Result<Vec<Group>, StatisticsError> {
        match &self.0 {
            Source::Store(store) => Ok(store.groups(scope, dimension, span).await?),
            #[cfg(feature = "clickhouse")]
            Source::ClickHouse(clickhouse) => Ok(clickhouse.groups(scope, dimension, span).await?),
        }
    }
}

/// The greatest groups, by clicks and then by value, with what is unknown behind the others: in whatever order they were kept.
fn most(mut groups: Vec<Group>) -> Vec<Group> {
    groups.sort_unstable_by(|one, other| {
        let order = |group: &Group| (Reverse(group.clicks), group.value.is_none());
        order(one).cmp(&order(other)).then_with(|| one.value.cmp(&other.value))
    });
    groups.truncate(MOST_GROUPS);
    groups
}

#[cfg(test)]
mod tests;
