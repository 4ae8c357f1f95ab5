//! The SQL for what is not kept.

use hny_domain::{Click, Code, DomainId, LinkId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Result};

use super::change_log::ChangeLog;
use super::{Sqlite, link, row, tally};
use crate::rights::Rights;
use crate::statistics_sql::click_columns;
use crate::stored_click::{DAY, day, id};
use crate::tally::Tally;
use crate::{Removed, StoreError};

impl Sqlite {
    pub(crate) async fn remove_clicks_of_deleted(&self, limit: u32) -> Result<u64, StoreError> {
        self.change(move |sql, _| Ok(remove_of_deleted(sql, i64::from(limit))?)).await
    }

    pub(crate) async fn remove_clicks_before(
        &self,
        cut: Timestamp,
        after: Option<LinkId>,
        limit: u32,
    ) -> Result<Removed, StoreError> {
        self.change(move |sql, _| Ok(remove_before(sql, day(cut), after, limit)?)).await
    }

    pub(crate) async fn remove_expired_links(
        &self,
        before: Timestamp,
        now: Timestamp,
        limit: u32,
        begins: bool,
    ) -> Result<u64, StoreError> {
        self.change_links(begins, move |sql, log| Ok(remove_expired(sql, log, before, now, limit)?)).await
    }
}

/// What a deleted link has, a statement for each table. The note that it has some goes last.
const LEFTOVERS: [&str; 4] = [
    "DELETE FROM clicks WHERE link = ?1 AND (link, at, id) IN (SELECT link, at, id FROM clicks WHERE link = ?1 LIMIT ?2)",
    "DELETE FROM click_quarters WHERE link = ?1
        AND quarter IN (SELECT quarter FROM click_quarters WHERE link = ?1 ORDER BY quarter LIMIT ?2)",
    "DELETE FROM click_days WHERE link = ?1 AND (dimension, day, value) IN
        (SELECT dimension, day, value FROM click_days WHERE link = ?1 LIMIT ?2)",
    "DELETE FROM clicks_to_remove WHERE link = ?1 AND ?2 > 0",
];

fn remove_of_deleted(sql: &Connection, limit: i64) -> Result<u64> {
    let mut left = limit;
    while left > 0 {
        let mut next = sql.prepare_cached("SELECT link FROM clicks_to_remove LIMIT 1")?;
        let Some(link) = next.query_row([], |row| row.get::<_, i64>(0)).optional()? else { break };
        for statement in LEFTOVERS {
            let removed = sql.prepare_cached(statement)?.execute((link, left))?;
            left -= i64::try_from(removed).unwrap_or(left);
            if left <= 0 {
                break;
            }
        }
    }
    Ok((limit - left).cast_unsigned())
}

/// The first click of the first link behind one.
const NEXT: &str = "SELECT link, at FROM clicks WHERE link > ?1 ORDER BY link, at LIMIT 1";

fn remove_before(sql: &Connection, cut: i64, after: Option<LinkId>, limit: u32) -> Result<Removed> {
    let mut after = after.map_or(i64::MIN, |LinkId(link)| link);
    for _ in 0..limit {
        let next = sql.prepare_cached(NEXT)?.query_row([after], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)));
        let Some((link, oldest)) = next.optional()? else { return Ok(Removed { clicks: 0, next: None }) };
        if oldest < cut.saturating_mul(DAY) {
            let clicks = remove_oldest(sql, LinkId(link), cut, limit)?;
            // It may have more.
            let next = if clicks < u64::from(limit) { link } else { link - 1 };
            return Ok(Removed { clicks, next: Some(LinkId(next)) });
        }
        after = link;
    }
    Ok(Removed { clicks: 0, next: Some(LinkId(after)) })
}

const OLDEST: &str = concat!(
    "SELECT ",
    click_columns!(""),
    ", is_first FROM clicks WHERE link = ?1 AND at < ?2 ORDER BY at, id LIMIT ?3"
);

/// Removes the oldest clicks of a link, and what was counted of them.
fn remove_oldest(sql: &Connection, link: LinkId, cut: i64, limit: u32) -> Result<u64> {
    let mut oldest = sql.prepare_cached(OLDEST)?;
    let oldest =
        oldest.query_map((link.0, cut.saturating_mul(DAY), limit), |row| Ok((row::click(row, link)?, row.get(10)?)))?;
    let oldest: Vec<(Click, bool)> = oldest.collect::<Result<_>>()?;
    let Some((last, _)) = oldest.last() else { return Ok(0) };
    sql.prepare_cached("DELETE FROM clicks WHERE link = ?1 AND (at, id) <= (?2, ?3)")?.execute((
        link.0,
        last.at.as_millis(),
        id(last.id),
    ))?;
    tally::add(sql, &Tally::of_removed(&oldest))?;
    remove_empty(sql, link, day(last.at))?;
    Ok(oldest.len() as u64)
}

/// Removes what counts nothing any more, up to a day.
fn remove_empty(sql: &Connection, link: LinkId, last_day: i64) -> Result<()> {
    sql.prepare_cached(
        "DELETE FROM click_quarters
         WHERE link = ?1 AND quarter < (?2 + 1) * 96 AND clicks + robots + prefetches + probes = 0",
    )?
    .execute((link.0, last_day))?;
    let mut days =
        sql.prepare_cached("DELETE FROM click_days WHERE link = ?1 AND dimension = ?3 AND day <= ?2 AND clicks = 0")?;
    for dimension in 0..6 {
        days.execute((link.0, last_day, dimension))?;
    }
    Ok(())
}

const EXPIRED: &str =
    "SELECT domain, code FROM links WHERE deleted_at IS NULL AND expires_at IS NOT NULL AND expires_at < ?1 LIMIT ?2";

fn remove_expired(sql: &Connection, log: &mut ChangeLog, before: Timestamp, now: Timestamp, limit: u32) -> Result<u64> {
    let mut expired = sql.prepare_cached(EXPIRED)?;
    let expired = expired.query_map((before.as_millis(), limit), row::place)?;
    let expired: Vec<(DomainId, Code)> = expired.collect::<Result<_>>()?;
    let mut removed = 0;
    for (domain, code) in expired {
        if let Some(link) = link::find_own(sql, domain, &code, Rights::ALL)? {
            link::delete(sql, log, &link, now)?;
            removed += 1;
        }
    }
    Ok(removed)
}
