//! The SQL for claims.

use hny_domain::{LinkId, VisitId};
use rusqlite::{Connection, OptionalExtension as _, Result};

use super::Sqlite;
use crate::StoreError;

impl Sqlite {
    pub(crate) async fn claim_click(&self, link: LinkId, visit: Option<VisitId>) -> Result<bool, StoreError> {
        // Whoever comes to a link that is used up keeps nobody from writing.
        if !self.read(|sql| has_left(sql, link, visit.as_ref()))? {
            return Ok(false);
        }
        self.change(move |sql, _| Ok(claim(sql, link, visit.as_ref())?)).await
    }

    pub(crate) fn has_clicks_left(&self, link: LinkId) -> Result<bool, StoreError> {
        self.read(|sql| has_left(sql, link, None))
    }
}

/// A row is written if there is one left, or if it was granted to this visit before.
const CLAIM: &str = "
    INSERT INTO claims (link, used, last_visit) SELECT id, 1, ?2 FROM links WHERE id = ?1 AND max_clicks IS NOT NULL
    ON CONFLICT (link) DO UPDATE SET
        used = used + NOT coalesce(last_visit = excluded.last_visit, 0), last_visit = excluded.last_visit
    WHERE used < (SELECT max_clicks FROM links WHERE id = excluded.link) OR last_visit = excluded.last_visit";

/// Whether there is one left, or this visit was granted the last.
const HAS_LEFT: &str = "
    SELECT l.max_clicks IS NULL OR l.max_clicks > coalesce(c.used, 0) OR coalesce(c.last_visit = ?2, 0)
    FROM links l LEFT JOIN claims c ON c.link = l.id WHERE l.id = ?1 AND l.deleted_at IS NULL";

fn claim(sql: &Connection, link: LinkId, visit: Option<&VisitId>) -> Result<bool> {
    let is_granted = sql.prepare_cached(CLAIM)?.execute((link.0, visit.map(VisitId::as_str)))? > 0;
    // Without a limit there is no row, and one left.
    Ok(is_granted || has_left(sql, link, visit)?)
}

fn has_left(sql: &Connection, link: LinkId, visit: Option<&VisitId>) -> Result<bool> {
    let mut statement = sql.prepare_cached(HAS_LEFT)?;
    let has_left = statement.query_row((link.0, visit.map(VisitId::as_str)), |row| row.get(0)).optional()?;
    Ok(has_left.unwrap_or(false))
}
