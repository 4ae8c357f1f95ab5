//! The SQL for the generation of a shared cache.

use rusqlite::{Connection, Result};

use super::Sqlite;
use crate::{CacheGeneration, StoreError};

impl Sqlite {
    pub(crate) fn read_generation(&self) -> Result<CacheGeneration, StoreError> {
        self.read(read)
    }

    pub(crate) async fn raise_generation(&self, run_id: Option<String>) -> Result<CacheGeneration, StoreError> {
        let raised = self.change(move |sql, _| Ok(raise(sql, run_id.as_deref())?)).await?;
        self.generation().note(&raised);
        Ok(raised)
    }
}

/// The generation that holds.
pub(super) fn read(sql: &Connection) -> Result<CacheGeneration> {
    sql.prepare_cached("SELECT generation, run_id FROM cache_generation")?.query_row([], |row| {
        let run_id = row.get::<_, Option<String>>(1)?;
        Ok(CacheGeneration { number: row.get::<_, i64>(0)?.cast_unsigned(), run_id: run_id.map(Into::into) })
    })
}

/// Raises it, with a run only if that is another. `IS NOT` also tells a run from none.
pub(super) fn raise(sql: &Connection, run_id: Option<&str>) -> Result<CacheGeneration> {
    sql.prepare_cached(
        "UPDATE cache_generation SET generation = generation + 1, run_id = coalesce(?1, run_id)
         WHERE ?1 IS NULL OR run_id IS NOT ?1",
    )?
    .execute([run_id])?;
    read(sql)
}
