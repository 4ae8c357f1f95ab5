//! The SQL for counts of clicks.

use hny_domain::LinkId;
use rusqlite::{Connection, OptionalExtension as _, Result};

use super::{Sqlite, spool};
use crate::{SpoolStep, StoreError};

impl Sqlite {
    pub(crate) async fn add_clicks(&self, clicks: Vec<(LinkId, u64)>, step: SpoolStep) -> Result<bool, StoreError> {
        // Also before: whoever hears that a file was replaced counts the same clicks again, and that file may come back.
        self.identity.check()?;
        self.change(move |sql, _| {
            let is_next = spool::step(sql, step)?;
            if is_next {
                add(sql, &clicks)?;
            }
            Ok(is_next)
        })
        .await
    }

    pub(crate) fn clicks_of(&self, link: LinkId) -> Result<u64, StoreError> {
        self.read(|sql| count(sql, link))
    }
}

/// Most links that are followed were followed before, and a row says that the link is there: one look at one small table.
/// (A sum beyond the greatest integer would be a REAL, which the table refuses.)
const RAISE: &str = "
    UPDATE click_counts SET clicks = CASE WHEN clicks > 9223372036854775807 - ?2 THEN 9223372036854775807 ELSE clicks + ?2 END
    WHERE link = ?1";

/// The first click of a link.
const BEGIN: &str = "
    INSERT INTO click_counts (link, clicks) SELECT id, ?2 FROM links WHERE id = ?1 AND deleted_at IS NULL";

fn add(sql: &Connection, clicks: &[(LinkId, u64)]) -> Result<()> {
    let (mut raise, mut begin) = (sql.prepare_cached(RAISE)?, sql.prepare_cached(BEGIN)?);
    for &(link, count) in clicks.iter().filter(|(_, count)| *count > 0) {
        let row = (link.0, i64::try_from(count).unwrap_or(i64::MAX));
        if raise.execute(row)? == 0 {
            begin.execute(row)?;
        }
    }
    Ok(())
}

fn count(sql: &Connection, link: LinkId) -> Result<u64> {
    let mut statement = sql.prepare_cached("SELECT clicks FROM click_counts WHERE link = ?1")?;
    let count: Option<i64> = statement.query_row([link.0], |row| row.get(0)).optional()?;
    Ok(count.map_or(0, i64::cast_unsigned))
}

#[cfg(test)]
mod tests;
