//! The SQL for receipts.

use std::collections::HashMap;

use hny_domain::{Timestamp, Version};
use rusqlite::{Connection, OptionalExtension as _, Result, Row, named_params};

use super::Sqlite;
use crate::StoreError;
use crate::receipt::{Answer, Fingerprint, Receipt, RequestId};

impl Sqlite {
    pub(crate) fn receipt_secret(&self) -> Result<[u8; 32], StoreError> {
        self.read(|sql| sql.query_row("SELECT secret FROM receipt_secret", [], |row| row.get(0)))
    }

    pub(crate) async fn find_receipts(
        &self,
        requests: Vec<RequestId>,
    ) -> Result<HashMap<RequestId, Receipt>, StoreError> {
        let find_all = move |sql: &Connection| {
            let found = |request| Ok(find(sql, request)?.map(|receipt| (request, receipt)));
            requests.into_iter().filter_map(|request| found(request).transpose()).collect()
        };
        self.read_aside(find_all).await
    }

    pub(crate) async fn keep_receipt(
        &self,
        request: RequestId,
        receipt: Receipt,
        now: Timestamp,
    ) -> Result<Option<Receipt>, StoreError> {
        self.change(move |sql, _| {
            let known = find(sql, request)?;
            if known.is_none() {
                insert(sql, request, &receipt, now)?;
            }
            Ok(known)
        })
        .await
    }

    pub(crate) async fn remove_receipts(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.change(move |sql, _| Ok(sql.prepare_cached(REMOVE)?.execute((before.as_millis(), limit))? as u64)).await
    }
}

const FIND: &str = "SELECT fingerprint, status, location, version, body FROM receipts WHERE request = ?1";

const INSERT: &str = "
    INSERT INTO receipts (request, fingerprint, status, location, version, body, created_at)
    VALUES (:request, :fingerprint, :status, :location, :version, :body, :created_at)";

/// Of the oldest, so that nobody looks at the others.
const REMOVE: &str =
    "DELETE FROM receipts WHERE created_at < ?1 AND id IN (SELECT id FROM receipts ORDER BY id LIMIT ?2)";

pub(super) fn find(sql: &Connection, RequestId(request): RequestId) -> Result<Option<Receipt>> {
    sql.prepare_cached(FIND)?.query_row([request], receipt).optional()
}

pub(super) fn insert(
    sql: &Connection,
    RequestId(request): RequestId,
    Receipt { fingerprint, answer }: &Receipt,
    now: Timestamp,
) -> Result<()> {
    sql.prepare_cached(INSERT)?.execute(named_params! {
        ":request": request,
        ":fingerprint": fingerprint.0,
        ":status": answer.status,
        ":location": answer.location,
        ":version": answer.version.map(|version| version.0.cast_signed()),
        ":body": answer.body,
        ":created_at": now.as_millis(),
    })?;
    Ok(())
}

fn receipt(row: &Row<'_>) -> Result<Receipt> {
    let version: Option<i64> = row.get(3)?;
    Ok(Receipt {
        fingerprint: Fingerprint(row.get(0)?),
        answer: Answer {
            status: row.get(1)?,
            location: row.get(2)?,
            version: version.map(|version| Version(version.cast_unsigned())),
            body: row.get(4)?,
        },
    })
}
