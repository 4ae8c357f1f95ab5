//! The SQL for what is not kept.

use std::sync::Arc;

use hny_domain::{Caller, Click, Link, LinkId, Timestamp};

use super::Postgres;
use super::change::{BEGIN, First, LIMIT, Question, Verdict, change};
use super::failure::Failure;
use super::key::only;
use super::line::Line;
use super::row;
use super::session::Session;
use super::tally;
use super::visitor_key::number;
use crate::statistics_sql::click_columns;
use crate::stored_click::{DAY, day};
use crate::tally::Tally;
use crate::{Deletion, Removed, StoreError};

impl Postgres {
    pub(crate) async fn remove_clicks_of_deleted(&self, limit: u32) -> Result<u64, StoreError> {
        let line = Arc::clone(&self.counting);
        self.run(async move {
            let limit = i64::from(limit);
            let line = line.lock().await;
            let mut removed = 0;
            for sql in LEFTOVERS {
                let question = Question { first: First::Begin, sql, parameters: &[&limit] };
                removed += change(&line, &question, |_, rows| Ok(Verdict::Keep(row::number(only(rows)?, 0)?))).await?;
                if removed > 0 {
                    break;
                }
            }
            Ok(removed)
        })
        .await
    }

    pub(crate) async fn remove_clicks_before(
        &self,
        cut: Timestamp,
        after: Option<LinkId>,
        limit: u32,
    ) -> Result<Removed, StoreError> {
        let line = Arc::clone(&self.counting);
        let removed = self.run(async move { remove_before(&*line.lock().await, day(cut), after, limit).await }).await;
        self.ranking.note();
        removed
    }

    pub(crate) async fn remove_expired_links(
        &self,
        before: Timestamp,
        now: Timestamp,
        limit: u32,
        begins: bool,
    ) -> Result<u64, StoreError> {
        let rows = self.changes.lock().await.ask(EXPIRED, &[&before.as_millis(), &i64::from(limit)]).await?;
        let mut removed = 0;
        for row in &rows {
            // It may have been given more time meanwhile.
            let is_over = move |link: &Link| link.expires_at.is_some_and(|end| end < before);
            let deleted = self.delete_link_if(row::place(row)?, Caller::Operator, now, begins, is_over).await?;
            removed += u64::from(matches!(deleted, Deletion::Deleted(_)));
        }
        Ok(removed)
    }
}

/// Removes rows of deleted links from a table, and says how many. In the order of its key: the server shall go by that, and not read the
/// whole table where no link has any.
macro_rules! leftovers {
    ($table:literal, $order:literal) => {
        concat!(
            "WITH removed AS (
                DELETE FROM ",
            $table,
            " WHERE ctid = ANY (ARRAY(
                    SELECT c.ctid
                    FROM clicks_to_remove r
                    CROSS JOIN LATERAL (SELECT t.ctid FROM ",
            $table,
            " t WHERE t.link = r.link ORDER BY ",
            $order,
            " LIMIT $1) c
                    LIMIT $1
                )) RETURNING 1
            )
            SELECT count(*) FROM removed"
        )
    };
}

/// What deleted links have, a statement for each table. The note that they have some goes last: not before all are through who may not
/// have seen that the link is deleted, and what they have added is removed, too. One snapshot shows both.
const LEFTOVERS: [&str; 5] = [
    leftovers!("clicks", "t.at, t.id"),
    leftovers!("click_quarters", "t.quarter"),
    leftovers!("click_days", "t.dimension, t.day"),
    leftovers!("click_lanes", "t.lane"),
    "WITH noted AS (
        UPDATE clicks_to_remove SET until = pg_snapshot_xmax(pg_current_snapshot())
        WHERE link IN (SELECT link FROM clicks_to_remove WHERE until IS NULL ORDER BY link LIMIT $1)
        RETURNING 1
    ), removed AS (
        DELETE FROM clicks_to_remove r
        WHERE link = ANY (ARRAY(
                SELECT link FROM clicks_to_remove WHERE until <= pg_snapshot_xmin(pg_current_snapshot()) LIMIT $1
            ))
            AND NOT EXISTS (SELECT FROM clicks c WHERE c.link = r.link)
            AND NOT EXISTS (SELECT FROM click_quarters c WHERE c.link = r.link)
            AND NOT EXISTS (SELECT FROM click_days c WHERE c.link = r.link)
            AND NOT EXISTS (SELECT FROM click_lanes c WHERE c.link = r.link)
        RETURNING 1
    )
    SELECT greatest((SELECT count(*) FROM noted), (SELECT count(*) FROM removed))",
];

/// The first click of each link behind `$1`, up to the first that is older than `$2`.
const WALK: &str = "
    WITH RECURSIVE walk AS (
        (SELECT link, at FROM clicks WHERE link > $1 ORDER BY link, at LIMIT 1)
        UNION ALL
        SELECT n.link, n.at
        FROM walk w CROSS JOIN LATERAL (SELECT link, at FROM clicks WHERE link > w.link ORDER BY link, at LIMIT 1) n
        WHERE w.at >= $2
    )
    SELECT link, at FROM walk LIMIT $3";

const REMOVE: &str = concat!(
    "DELETE FROM clicks
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM clicks WHERE link = $1 AND at < $2 ORDER BY at, id LIMIT $3))
    RETURNING ",
    click_columns!(""),
    ", is_first"
);

/// What was counted of days of which nothing is left: what was taken off in one lane was counted in others.
const REMOVE_COUNTS: &str = "
    WITH days AS (
        DELETE FROM click_days
        WHERE link = $1 AND day < $2 AND NOT EXISTS (SELECT FROM clicks WHERE link = $1 AND at < $2 * 86400000::bigint)
    )
    DELETE FROM click_quarters
    WHERE link = $1 AND quarter < $2 * 96 AND NOT EXISTS (SELECT FROM clicks WHERE link = $1 AND at < $2 * 86400000::bigint)";

const EXPIRED: &str = "
    SELECT domain, code FROM links WHERE deleted_at IS NULL AND expires_at IS NOT NULL AND expires_at < $1 LIMIT $2";

async fn remove_before(line: &Line, cut: i64, after: Option<LinkId>, limit: u32) -> Result<Removed, Failure> {
    let (after, limit) = (after.map_or(i64::MIN, |LinkId(link)| link), i64::from(limit));
    let walked = line.ask(WALK, &[&after, &cut.saturating_mul(DAY), &limit]).await?;
    let Some(reached) = walked.last() else { return Ok(Removed { clicks: 0, next: None }) };
    let (found, oldest): (i64, i64) = (row::get(reached, 0)?, row::get(reached, 1)?);
    if oldest >= cut.saturating_mul(DAY) {
        let is_end = i64::try_from(walked.len()).is_ok_and(|walked| walked < limit);
        return Ok(Removed { clicks: 0, next: (!is_end).then_some(LinkId(found)) });
    }
    let session = line.session().await?;
    // With a transaction that may still be open the connection is good for nothing else.
    let removing = remove_oldest(&session, LinkId(found), cut, limit);
    let clicks = session.within(LIMIT, removing).await.inspect_err(|_| session.give_up())?;
    // It may have more.
    let next = if i64::try_from(clicks).is_ok_and(|clicks| clicks < limit) { found } else { found - 1 };
    Ok(Removed { clicks, next: Some(LinkId(next)) })
}

/// Removes the oldest clicks of a link, and what was counted of them.
async fn remove_oldest(session: &Session, link: LinkId, cut: i64, limit: i64) -> Result<u64, Failure> {
    let (remove, remove_counts) = (session.statement(REMOVE).await?, session.statement(REMOVE_COUNTS).await?);
    let client = session.client();
    client.batch_execute(BEGIN).await?;
    let rows = client.query(&remove, &[&link.0, &cut.saturating_mul(DAY), &limit]).await?;
    let removed = rows.iter().map(|row| Ok((row::click(row, link)?, row::get(row, 10)?)));
    let removed: Vec<(Click, bool)> = removed.collect::<Result<_, Failure>>()?;
    let (link, cut) = (link.0, number(cut));
    let last = async {
        client.execute(&remove_counts, &[&link, &cut]).await?;
        client.batch_execute("COMMIT").await
    };
    tally::add(session, 0, &Tally::of_removed(&removed), last).await?;
    Ok(removed.len() as u64)
}
