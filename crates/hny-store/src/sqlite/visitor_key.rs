//! The SQL for visitor keys.

use rusqlite::Result;

use super::Sqlite;
use crate::StoreError;

impl Sqlite {
    pub(crate) async fn visitor_key(&self, day: i64, fresh: [u8; 32]) -> Result<[u8; 32], StoreError> {
        self.change(move |sql, _| {
            sql.execute(
                "INSERT INTO visitor_keys (day, key) VALUES (?1, ?2) ON CONFLICT (day) DO NOTHING",
                (day, fresh),
            )?;
            Ok(sql.query_row("SELECT key FROM visitor_keys WHERE day = ?1", [day], |row| row.get(0))?)
        })
        .await
    }

    /// The page is overwritten (`secure_delete`, see the connection of the writer). Its older copies stay in the log until they are
    /// overwritten there: the log is written back every 16 MiB and begun anew, and it is removed when the last process ends.
    pub(crate) async fn remove_visitor_keys(&self, before_day: i64) -> Result<u64, StoreError> {
        self.change(move |sql, _| Ok(sql.execute("DELETE FROM visitor_keys WHERE day < ?1", [before_day])? as u64))
            .await
    }
}
