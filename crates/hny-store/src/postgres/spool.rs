//! The SQL for spools. [`super::clicks`] moves their marks.

use std::sync::Arc;

use hny_domain::LinkId;
use tokio_postgres::Row;

use super::Postgres;
use super::change::{First, Question, Verdict, change};
use super::failure::Failure;
use super::key::only;
use super::row;
use crate::{DatabaseId, SpoolId, SpoolMark, StoreError};

impl Postgres {
    pub(crate) async fn database_id(&self) -> Result<DatabaseId, StoreError> {
        // It never changes, so a replica knows it, too, when the primary is away.
        let rows = match self.readers.ask(DATABASE, &[]).await {
            Ok(rows) => rows,
            Err(failure) => self.replicas.ask_any(DATABASE).await.ok_or(failure)?,
        };
        Ok(DatabaseId(row::number(only(&rows)?, 0)?))
    }

    pub(crate) async fn open_spool(&self, spool: SpoolId) -> Result<SpoolMark, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let SpoolMark { position, until, link } = SpoolMark::at(0);
            let (id, position, until) = (spool.0.cast_signed(), position.cast_signed(), until.cast_signed());
            let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 4] = [&id, &position, &until, &link.0];
            let question = Question { first: First::Begin, sql: OPEN, parameters: &parameters };
            change(&*line.lock().await, &question, |_, rows| Ok(Verdict::Keep(mark(only(rows)?)?))).await
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
    INSERT INTO spools AS s (id, position, until, link) VALUES ($1, $2, $3, $4)
    ON CONFLICT (id) DO UPDATE SET position = s.position
    RETURNING position, until, link";

const FORGET: &str = "DELETE FROM spools WHERE id = $1";

fn mark(row: &Row) -> Result<SpoolMark, Failure> {
    Ok(SpoolMark { position: row::number(row, 0)?, until: row::number(row, 1)?, link: LinkId(row::get(row, 2)?) })
}
