//! The SQL for the generation of a shared cache.

use std::sync::Arc;

use super::Postgres;
use super::change::{First, Question, Verdict, change};
use super::failure::Failure;
use super::key::only;
use super::line::Line;
use super::row;
use crate::{CacheGeneration, StoreError};

impl Postgres {
    pub(crate) async fn read_generation(&self) -> Result<CacheGeneration, StoreError> {
        let rows = self.changes.lock().await.ask(READ, &[]).await?;
        Ok(row::generation(only(&rows)?, 0)?)
    }

    pub(crate) async fn raise_generation(&self, run_id: Option<String>) -> Result<CacheGeneration, StoreError> {
        let line = Arc::clone(&self.changes);
        // The poll notes it.
        self.run(async move {
            let question = Question { first: First::Begin, sql: RAISE, parameters: &[&run_id] };
            let decide = |_: &_, rows: &[_]| Ok(Verdict::Keep(row::generation(only(rows)?, 0)?));
            change(&*line.lock().await, &question, decide).await
        })
        .await
    }
}

/// Begins another generation where this is so: a part of statements that change links, so that both are one commit.
macro_rules! begin_generation {
    ($where:literal) => {
        concat!("UPDATE cache_generation SET generation = generation + 1 WHERE ", $where)
    };
}
pub(super) use begin_generation;

/// Begins a generation far beyond the newest that was seen, unless somebody has done so: the database has lost changes, and
/// generations may be among them.
pub(super) async fn leave_behind(line: &Line, seen: u64) -> Result<(), Failure> {
    let question = Question { first: First::Begin, sql: LEAVE_BEHIND, parameters: &[&seen.cast_signed()] };
    change(line, &question, |_, _| Ok(Verdict::Keep(()))).await
}

const LEAVE_BEHIND: &str = "UPDATE cache_generation SET generation = $1 + 1000 WHERE generation <= $1";

const READ: &str = "SELECT generation, run_id FROM cache_generation";

/// The row is written in any case, so that the answer is what holds when this is committed.
const RAISE: &str = "
    UPDATE cache_generation SET
        generation = generation + CASE WHEN $1::text IS NULL OR run_id IS DISTINCT FROM $1::text THEN 1 ELSE 0 END,
        run_id = coalesce($1::text, run_id)
    RETURNING generation, run_id";
