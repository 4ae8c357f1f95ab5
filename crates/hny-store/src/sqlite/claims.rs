//! The SQL for claims.

use hny_domain::{LinkId, VisitId};
use rusqlite::{Connection, OptionalExtension as _, Result};

use super::Sqlite;
use crate::StoreError;

impl Sqlite {
    pub(crate) async fn claim_click(&self, link: LinkId, visit: Option<VisitId>) -> Result<bool, StoreError> {
        self.change(move |sql, _| Ok(claim(sql, link, visit.as_ref())?)).await
    }

    pub(crate) fn has_clicks_left(&self, link: LinkId) -> Result<bool, StoreError> {
        self.read(|sql| has_left(sql, link))
    }
}

/// A row is written if there is one left, or if it was granted to this visit before.
const CLAIM: &str = "
    INSERT INTO claims (link, used, last_visit) SELECT id, 1, ?2 FROM links WHERE id = ?1 AND max_clicks IS NOT NULL
    ON CONFLICT (link) DO UPDATE SET
        used = used + NOT coalesce(last_visit = excluded.last_visit, 0), last_visit = excluded.last_visit
    WHERE used < (SELECT max_clicks FROM links WHERE id = excluded.link) OR last_visit = excluded.last_visit";

const HAS_LEFT: &str = "
    SELECT max_clicks IS NULL OR max_clicks > coalesce((SELECT used FROM claims WHERE link = links.id), 0)
    FROM links WHERE id = ?1 AND deleted_at IS NULL";

fn claim(sql: &Connection, link: LinkId, visit: Option<&VisitId>) -> Result<bool> {
    let visit = visit.map(VisitId::as_str);
    let is_granted = sql.prepare_cached(CLAIM)?.execute((link.0, visit))? > 0;
    // Without a limit there is no row, and one left.
    Ok(is_granted || has_left(sql, link)?)
}

fn has_left(sql: &Connection, link: LinkId) -> Result<bool> {
    Ok(sql.prepare_cached(HAS_LEFT)?.query_row([link.0], |row| row.get(0)).optional()?.unwrap_or(false))
}
