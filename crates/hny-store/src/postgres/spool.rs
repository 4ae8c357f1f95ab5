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
            let question = Question { first: First::Begin, sql: OPEN, parameters: &[&id] };
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

/// The row is written in any case, so that it is answered.
const OPEN: &str = "
    INSERT INTO spools AS s (id, position) VALUES ($1, 0)
    ON CONFLICT (id) DO UPDATE SET position = s.position
    RETURNING position";

const FORGET: &str = "DELETE FROM spools WHERE id = $1";
