//! The SQL for spools. [`super::clicks`] moves their positions.

use std::sync::Arc;

use super::Postgres;
use super::change::{First, Question, Verdict, change};
use super::key::only;
use super::row;
use crate::{DatabaseId, SpoolId, StoreError};

impl Postgres {
    pub(crate) async fn database_id(&self) -> Result<DatabaseId, StoreError> {
        // It never changes, so a replica knows it, too, when the primary is away.
        let rows = match self.readers.ask(DATABASE, &[]).await {
            Ok(rows) => rows,
            Err(failure) => self.replicas.ask_any(DATABASE).await.ok_or(failure)?,
        };
        Ok(DatabaseId(row::number(only(&rows)?, 0)?))
    }

    pub(crate) async fn open_spool(&self, spool: SpoolId) -> Result<u64, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let id = spool.0.cast_signed();
            let question = Question { first: First::LockLanes, sql: OPEN, parameters: &[&id] };
            change(&*line.lock().await, &question, |_, rows| Ok(Verdict::Keep(row::number(only(rows)?, 0)?))).await
        })
        .await
    }

    pub(crate) async fn forget_spool(&self, spool: SpoolId) -> Result<(), StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let id = spool.0.cast_signed();
            let question = Question { first: First::Begin, sql: FORGET, parameters: &[&id] };
            change(&*line.lock().await, &question, |_, _| Ok(Verdict::Keep(()))).await
        })
        .await
    }
}

const DATABASE: &str = "SELECT value FROM database_id";

/// The row is written in any case, so that it is answered. The first lane that no other spool has is its own, as long as it is known; those
/// below 16 are for spools that a version from before has opened.
const OPEN: &str = "
    INSERT INTO spools AS s (id, position, lane)
    SELECT $1, 0, min(free.lane)
    FROM (SELECT 16 AS lane UNION ALL SELECT lane + 1 FROM spools WHERE lane IS NOT NULL) AS free
    WHERE NOT EXISTS (SELECT FROM spools o WHERE o.lane = free.lane)
    ON CONFLICT (id) DO UPDATE SET position = s.position, lane = coalesce(s.lane, excluded.lane)
    RETURNING position";

const FORGET: &str = "DELETE FROM spools WHERE id = $1";
