//! The SQL for counts of clicks.

use std::collections::BTreeMap;
use std::sync::Arc;

use hny_domain::LinkId;

use super::Postgres;
use super::change::{First, Question, Verdict, change};
use super::row;
use crate::StoreError;

impl Postgres {
    pub(crate) async fn add_clicks(&self, clicks: Vec<(LinkId, u64)>) -> Result<(), StoreError> {
        let (links, counts): (Vec<i64>, Vec<i64>) = sums(clicks).into_iter().unzip();
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let question = Question { first: First::Begin, sql: ADD, parameters: &[&links, &counts] };
            change(&*line.lock().await, &question, |_, _| Ok(Verdict::Keep(()))).await
        })
        .await
    }

    pub(crate) async fn clicks_of(&self, link: LinkId) -> Result<u64, StoreError> {
        let rows = self.readers.ask(COUNT, &[&link.0]).await?;
        Ok(rows.first().map_or(Ok(0), |row| row::number(row, 0))?)
    }
}

/// In the order of their ids, so that two nodes never wait for each other.
const ADD: &str = "
    INSERT INTO click_counts AS c (link, clicks)
    SELECT l.id, a.clicks FROM unnest($1::bigint[], $2::bigint[]) AS a (link, clicks) JOIN links l ON l.id = a.link
    WHERE l.deleted_at IS NULL
    ORDER BY l.id
    ON CONFLICT (link) DO UPDATE SET clicks =
        CASE WHEN c.clicks > 9223372036854775807 - excluded.clicks THEN 9223372036854775807 ELSE c.clicks + excluded.clicks END";

/// A click may be added while its link is deleted, and stay; a deleted link has no clicks all the same.
const COUNT: &str = "
    SELECT c.clicks FROM click_counts c JOIN links l ON l.id = c.link WHERE c.link = $1 AND l.deleted_at IS NULL";

/// One number for each link, by ascending id.
fn sums(clicks: Vec<(LinkId, u64)>) -> BTreeMap<i64, i64> {
    let mut sums = BTreeMap::new();
    for (link, count) in clicks.into_iter().filter(|(_, count)| *count > 0) {
        let sum: &mut i64 = sums.entry(link.0).or_default();
        *sum = sum.saturating_add(i64::try_from(count).unwrap_or(i64::MAX));
    }
    sums
}
