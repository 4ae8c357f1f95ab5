//! The SQL for receipts.

use std::collections::HashMap;
use std::sync::Arc;

use hny_domain::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::Postgres;
use super::change::{First, Question, Verdict, change};
use super::failure::Failure;
use super::key::only;
use super::row;
use crate::StoreError;
use crate::receipt::{Answer, Fingerprint, Receipt, RequestId};

impl Postgres {
    pub(crate) async fn receipt_secret(&self) -> Result<[u8; 32], StoreError> {
        let rows = self.readers.ask("SELECT secret FROM receipt_secret", &[]).await?;
        Ok(hash(only(&rows)?, 0)?)
    }

    pub(crate) async fn find_receipts(
        &self,
        requests: Vec<RequestId>,
    ) -> Result<HashMap<RequestId, Receipt>, StoreError> {
        let requests: Vec<_> = requests.iter().map(|RequestId(request)| request.as_slice()).collect();
        Ok(found(&self.readers.ask(FIND, &[&requests]).await?)?)
    }

    pub(crate) async fn keep_receipt(
        &self,
        request: RequestId,
        receipt: Receipt,
        now: Timestamp,
    ) -> Result<Option<Receipt>, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let mut rows = Rows::default();
            rows.push(request, &receipt, now);
            let question = Question { first: First::Begin, sql: KEEP, parameters: &rows.parameters() };
            let kept = change(&*line.lock().await, &question, |_, rows| Ok(Verdict::Keep(!rows.is_empty()))).await?;
            if kept {
                return Ok(None);
            }
            Ok(found(&line.lock().await.ask(FIND, &[&vec![request.0.as_slice()]]).await?)?.remove(&request))
        })
        .await
    }

    pub(crate) async fn remove_receipts(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let (before, limit) = (before.as_millis(), i64::from(limit));
            let question = Question { first: First::Begin, sql: REMOVE, parameters: &[&before, &limit] };
            change(&*line.lock().await, &question, |_, rows| Ok(Verdict::Keep(rows.len() as u64))).await
        })
        .await
    }
}

pub(super) const FIND: &str = "
    SELECT request, fingerprint, status, location, version, body FROM receipts WHERE request = ANY ($1::bytea[])";

macro_rules! insert {
    () => {
        "INSERT INTO receipts (request, fingerprint, status, location, version, body, created_at)
        SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::smallint[], $4::text[], $5::bigint[], $6::text[], $7::bigint[])"
    };
}

/// Writes receipts of requests that have none.
pub(super) const INSERT: &str = insert!();

/// Of many who ask at once, one is first.
const KEEP: &str = concat!(insert!(), " ON CONFLICT (request) DO NOTHING RETURNING id");

/// Of the oldest, so that nobody looks at the others.
const REMOVE: &str = "
    DELETE FROM receipts WHERE created_at < $1 AND id = ANY (ARRAY(SELECT id FROM receipts ORDER BY id LIMIT $2))
    RETURNING id";

/// The columns of many receipts, as [`INSERT`] takes them.
#[derive(Default)]
pub(super) struct Rows {
    requests: Vec<Vec<u8>>,
    fingerprints: Vec<Vec<u8>>,
    statuses: Vec<i16>,
    locations: Vec<Option<String>>,
    versions: Vec<Option<i64>>,
    bodies: Vec<String>,
    times: Vec<i64>,
}

impl Rows {
    pub(super) fn push(&mut self, RequestId(request): RequestId, receipt: &Receipt, now: Timestamp) {
        let Receipt { fingerprint, answer } = receipt.clone();
        self.requests.push(request.to_vec());
        self.fingerprints.push(fingerprint.0.to_vec());
        self.statuses.push(answer.status.cast_signed());
        self.locations.push(answer.location);
        self.versions.push(answer.version.map(|version| version.0.cast_signed()));
        self.bodies.push(answer.body);
        self.times.push(now.as_millis());
    }

    pub(super) fn parameters(&self) -> [&(dyn ToSql + Sync); 7] {
        [&self.requests, &self.fingerprints, &self.statuses, &self.locations, &self.versions, &self.bodies, &self.times]
    }
}

/// The receipts in the rows of [`FIND`].
pub(super) fn found(rows: &[Row]) -> Result<HashMap<RequestId, Receipt>, Failure> {
    rows.iter().map(|row| Ok((RequestId(hash(row, 0)?), receipt(row)?))).collect()
}

fn receipt(row: &Row) -> Result<Receipt, Failure> {
    let version = |version: i64| hny_domain::Version(version.cast_unsigned());
    Ok(Receipt {
        fingerprint: Fingerprint(hash(row, 1)?),
        answer: Answer {
            status: row::get::<i16>(row, 2)?.cast_unsigned(),
            location: row::get(row, 3)?,
            version: row::get::<Option<i64>>(row, 4)?.map(version),
            body: row::get(row, 5)?,
        },
    })
}

fn hash(row: &Row, column: usize) -> Result<[u8; 32], Failure> {
    row::get::<&[u8]>(row, column)?.try_into().map_err(row::corrupt)
}
