//! The SQL for spools.

use hny_domain::LinkId;
use rusqlite::{Connection, Result, Row};

use super::Sqlite;
use crate::{DatabaseId, SpoolId, SpoolMark, SpoolStep, StoreError};

impl Sqlite {
    pub(crate) fn database_id(&self) -> Result<DatabaseId, StoreError> {
        self.read(|sql| {
            let id = sql.query_row("SELECT value FROM database_id", [], |row| row.get(0));
            Ok(DatabaseId(id.map(i64::cast_unsigned)?))
        })
    }

    pub(crate) async fn open_spool(&self, spool: SpoolId) -> Result<SpoolMark, StoreError> {
        self.change(move |sql, _| Ok(open(sql, spool)?)).await
    }

    pub(crate) async fn forget_spool(&self, spool: SpoolId) -> Result<(), StoreError> {
        self.change(move |sql, _| {
            sql.execute("DELETE FROM spools WHERE id = ?1", [spool.0.cast_signed()])?;
            Ok(())
        })
        .await
    }
}

fn open(sql: &Connection, spool: SpoolId) -> Result<SpoolMark> {
    let (id, start) = (spool.0.cast_signed(), columns(SpoolMark::at(0)));
    sql.execute(
        "INSERT INTO spools (id, position, until, link) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO NOTHING",
        (id, start.0, start.1, start.2),
    )?;
    sql.query_row("SELECT position, until, link FROM spools WHERE id = ?1", [id], mark)
}

/// Whether the clicks of a spool were counted so far as the step says; then it is noted that they are further now.
pub(super) fn step(sql: &Connection, SpoolStep { spool, from, to }: SpoolStep) -> Result<bool> {
    let (from, to) = (columns(from), columns(to));
    let mut statement = sql.prepare_cached(
        "UPDATE spools SET position = ?5, until = ?6, link = ?7
         WHERE id = ?1 AND position = ?2 AND until = ?3 AND link = ?4",
    )?;
    Ok(statement.execute((spool.0.cast_signed(), from.0, from.1, from.2, to.0, to.1, to.2))? > 0)
}

fn columns(mark: SpoolMark) -> (i64, i64, i64) {
    (mark.position.cast_signed(), mark.until.cast_signed(), mark.link.0)
}

fn mark(row: &Row<'_>) -> Result<SpoolMark> {
    let position = |column| row.get(column).map(i64::cast_unsigned);
    Ok(SpoolMark { position: position(0)?, until: position(1)?, link: LinkId(row.get(2)?) })
}
