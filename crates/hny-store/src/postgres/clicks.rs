//! The SQL for counts of clicks.

use std::collections::BTreeMap;
use std::sync::Arc;

use hny_domain::LinkId;

use super::Postgres;
use super::change::{First, Question, Verdict, change};
use super::key::only;
use super::row;
use crate::{SpoolMark, SpoolStep, StoreError};

impl Postgres {
    pub(crate) async fn add_clicks(&self, clicks: Vec<(LinkId, u64)>, step: SpoolStep) -> Result<bool, StoreError> {
        let (links, counts): (Vec<i64>, Vec<i64>) = sums(clicks).into_iter().unzip();
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let (spool, from, to) = (step.spool.0.cast_signed(), columns(step.from), columns(step.to));
            let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 9] =
                [&links, &counts, &spool, &from.0, &from.1, &from.2, &to.0, &to.1, &to.2];
            let question = Question { first: First::Begin, sql: ADD, parameters: &parameters };
            let decide = |_: &_, moved: &[_]| {
                let is_next = row::get(only(moved)?, 0)?;
                Ok(if is_next { Verdict::Keep(true) } else { Verdict::Leave(false) })
            };
            change(&*line.lock().await, &question, decide).await
        })
        .await
    }

    pub(crate) async fn clicks_of(&self, link: LinkId) -> Result<u64, StoreError> {
        let rows = self.readers.ask(COUNT, &[&link.0]).await?;
        Ok(rows.first().map_or(Ok(0), |row| row::number(row, 0))?)
    }
}

/// Nothing is added unless the mark of the spool moves. In the order of their ids, so that two nodes never wait for each other.
const ADD: &str = "
    WITH moved AS (
        UPDATE spools SET position = $7, until = $8, link = $9
        WHERE id = $3 AND position = $4 AND until = $5 AND link = $6
        RETURNING id
    ), added AS (
        INSERT INTO click_counts AS c (link, clicks)
        SELECT l.id, a.clicks FROM unnest($1::bigint[], $2::bigint[]) AS a (link, clicks) JOIN links l ON l.id = a.link
        WHERE l.deleted_at IS NULL AND EXISTS (SELECT FROM moved)
        ORDER BY l.id
        ON CONFLICT (link) DO UPDATE SET clicks =
            CASE WHEN c.clicks > 9223372036854775807 - excluded.clicks THEN 9223372036854775807 ELSE c.clicks + excluded.clicks END
    )
    SELECT EXISTS (SELECT FROM moved)";

/// A click may be added while its link is deleted, and stay; a deleted link has no clicks all the same.
const COUNT: &str = "
    SELECT c.clicks FROM click_counts c JOIN links l ON l.id = c.link WHERE c.link = $1 AND l.deleted_at IS NULL";

fn columns(mark: SpoolMark) -> (i64, i64, i64) {
    (mark.position.cast_signed(), mark.until.cast_signed(), mark.link.0)
}

/// One number for each link, by ascending id.
fn sums(clicks: Vec<(LinkId, u64)>) -> BTreeMap<i64, i64> {
    let mut sums = BTreeMap::new();
    for (link, count) in clicks.into_iter().filter(|(_, count)| *count > 0) {
        let sum: &mut i64 = sums.entry(link.0).or_default();
        *sum = sum.saturating_add(i64::try_from(count).unwrap_or(i64::MAX));
    }
    sums
}
