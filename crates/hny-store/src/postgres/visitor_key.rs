//! The SQL for visitor keys.

use std::sync::Arc;

use super::Postgres;
use super::change::{First, Question, Verdict, change};
use super::key::only;
use super::row;
use crate::StoreError;

impl Postgres {
    pub(crate) async fn visitor_key(&self, day: i64, fresh: [u8; 32]) -> Result<[u8; 32], StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let (day, fresh) = (number(day), fresh.as_slice());
            let question = Question { first: First::Begin, sql: SHARE, parameters: &[&day, &fresh] };
            let decide = |_: &_, rows: &[_]| {
                let key = row::get::<&[u8]>(only(rows)?, 0)?.try_into().map_err(row::corrupt)?;
                Ok(Verdict::Keep(key))
            };
            change(&*line.lock().await, &question, decide).await
        })
        .await
    }

    /// What is removed stays in the server's files until it has cleaned the table up, which it is set to do at once, and in its log
    /// and in copies of it as long as the operator keeps these.
    pub(crate) async fn remove_visitor_keys(&self, before_day: i64) -> Result<u64, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let day = number(before_day);
            let question = Question { first: First::Begin, sql: REMOVE, parameters: &[&day] };
            change(&*line.lock().await, &question, |_, rows| Ok(Verdict::Keep(rows.len() as u64))).await
        })
        .await
    }
}

/// The row is written in any case, so that it is answered.
const SHARE: &str = "
    INSERT INTO visitor_keys AS k (day, key) VALUES ($1, $2)
    ON CONFLICT (day) DO UPDATE SET key = k.key
    RETURNING key";

const REMOVE: &str = "DELETE FROM visitor_keys WHERE day < $1 RETURNING day";

/// A day or a quarter, as the database has it. None that a timestamp can be is too great.
pub(super) fn number(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}
