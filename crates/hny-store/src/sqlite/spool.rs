//! The SQL for spools.

use rusqlite::{Connection, Result};

use super::Sqlite;
use crate::{DatabaseId, SpoolId, SpoolStep, StoreError};

impl Sqlite {
    pub(crate) fn database_id(&self) -> Result<DatabaseId, StoreError> {
        self.read(|sql| {
            let id = sql.query_row("SELECT value FROM database_id", [], |row| row.get(0));
            Ok(DatabaseId(id.map(i64::cast_unsigned)?))
        })
    }

    pub(crate) async fn open_spool(&self, spool: SpoolId) -> Result<u64, StoreError> {
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

fn open(sql: &Connection, SpoolId(spool): SpoolId) -> Result<u64> {
    let id = spool.cast_signed();
    sql.execute("INSERT INTO spools (id, position) VALUES (?1, 0) ON CONFLICT (id) DO NOTHING", [id])?;
    sql.query_row("SELECT position FROM spools WHERE id = ?1", [id], |row| row.get(0)).map(i64::cast_unsigned)
}

/// Whether the clicks of a spool were stored so far as the step says; then it is noted that they are further now.
pub(super) fn step(sql: &Connection, SpoolStep { spool, from, to }: SpoolStep) -> Result<bool> {
    let mut statement = sql.prepare_cached("UPDATE spools SET position = ?3 WHERE id = ?1 AND position = ?2")?;
    Ok(statement.execute((spool.0.cast_signed(), from.cast_signed(), to.cast_signed()))? > 0)
}
