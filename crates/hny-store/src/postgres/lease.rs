//! The SQL for leases.

use std::ops::Range;
use std::sync::Arc;

use hny_domain::Timestamp;
use tokio_postgres::Row;

use super::Postgres;
use super::change::{First, Question, Verdict, Write, change};
use super::failure::Failure;
use super::key::only;
use super::row;
use crate::{CodeKeyCheck, NodeGrant, NodeId, NodeLease, NodeWish, StoreError};

impl Postgres {
    pub(crate) async fn lease_numbers(&self, count: u32) -> Result<Range<u64>, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let question = Question { first: First::Begin, sql: LEASE_NUMBERS, parameters: &[&i64::from(count)] };
            change(&*line.lock().await, &question, |_, rows| {
                let end = row::number(only(rows)?, 0)?;
                Ok(Verdict::Keep(end - u64::from(count)..end))
            })
            .await
        })
        .await
    }

    pub(crate) async fn lease_node(
        &self,
        wish: NodeWish,
        holder: String,
        now_ms: u64,
        until_ms: u64,
    ) -> Result<NodeGrant, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let question = Question { first: First::LockLeases, sql: NODES, parameters: &[] };
            change(&*line.lock().await, &question, |_, rows| {
                let grant = wish.choose(&rows.iter().map(node_lease).collect::<Result<_, _>>()?, now_ms);
                let NodeGrant::Granted { node, .. } = grant else { return Ok(Verdict::Leave(grant)) };
                let parameters = vec![
                    Box::new(i16::from(node.datacenter)) as _,
                    Box::new(i16::from(node.worker)) as _,
                    Box::new(holder.clone()) as _,
                    Box::new(until_ms.cast_signed()) as _,
                ];
                Ok(Verdict::Write(grant, Write { sql: LEASE_NODE, parameters }))
            })
            .await
        })
        .await
    }

    pub(crate) async fn renew_node(&self, lease: NodeLease) -> Result<bool, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let NodeLease { node, holder, until_ms } = lease;
            let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
                [&i16::from(node.datacenter), &i16::from(node.worker), &holder, &until_ms.cast_signed()];
            let question = Question { first: First::Begin, sql: RENEW_NODE, parameters: &parameters };
            change(&*line.lock().await, &question, |_, rows| Ok(Verdict::Keep(!rows.is_empty()))).await
        })
        .await
    }

    pub(crate) async fn check_code_key(
        &self,
        length: u8,
        fingerprint: String,
        now: Timestamp,
    ) -> Result<CodeKeyCheck, StoreError> {
        self.change_code_key(length, move |known| match known {
            Some((_, known)) if known == fingerprint => Verdict::Leave(CodeKeyCheck::Same),
            Some(_) => Verdict::Leave(CodeKeyCheck::Different),
            None => Verdict::Write(CodeKeyCheck::Same, note_code_key(length, 1, &fingerprint, now)),
        })
        .await
    }

    pub(crate) async fn adopt_code_key(
        &self,
        length: u8,
        fingerprint: String,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let epoch = self.change_code_key(length, move |known| {
            let epoch = match known {
                Some((epoch, known)) if known == fingerprint => return Verdict::Leave(epoch),
                Some((epoch, _)) => epoch + 1,
                None => 1,
            };
            Verdict::Write(epoch, note_code_key(length, epoch, &fingerprint, now))
        });
        Ok(epoch.await?.cast_unsigned())
    }

    /// Has `decide` say what becomes of the epoch and the fingerprint that are in use.
    async fn change_code_key<T: Send + 'static>(
        &self,
        length: u8,
        decide: impl Fn(Option<(i64, &str)>) -> Verdict<T> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let question = Question { first: First::LockLeases, sql: CODE_KEY, parameters: &[&i16::from(length)] };
            change(&*line.lock().await, &question, |_, rows| {
                let epoch = |row| Ok::<_, Failure>((row::get(row, 0)?, row::get(row, 1)?));
                Ok(decide(rows.first().map(epoch).transpose()?))
            })
            .await
        })
        .await
    }
}

const LEASE_NUMBERS: &str = "UPDATE counter SET next = next + $1 RETURNING next";

const NODES: &str = "SELECT datacenter, worker, until_ms FROM nodes";

/// Rows of leases that are over keep their mark, so it is handed on.
const LEASE_NODE: &str = "
    INSERT INTO nodes (datacenter, worker, holder, until_ms) VALUES ($1, $2, $3, $4)
    ON CONFLICT (datacenter, worker) DO UPDATE SET holder = excluded.holder, until_ms = excluded.until_ms";

const RENEW_NODE: &str = "
    UPDATE nodes SET until_ms = $4 WHERE datacenter = $1 AND worker = $2 AND holder = $3 RETURNING holder";

const CODE_KEY: &str = "SELECT epoch, fingerprint FROM code_keys WHERE length = $1 ORDER BY epoch DESC LIMIT 1";

const NOTE_CODE_KEY: &str = "INSERT INTO code_keys (length, epoch, fingerprint, adopted_at) VALUES ($1, $2, $3, $4)";

/// A node and when its lease ends.
fn node_lease(row: &Row) -> Result<(NodeId, u64), Failure> {
    let id = |column| u8::try_from(row::get::<i16>(row, column)?).map_err(row::corrupt);
    Ok((NodeId { datacenter: id(0)?, worker: id(1)? }, row::number(row, 2)?))
}

fn note_code_key(length: u8, epoch: i64, fingerprint: &str, now: Timestamp) -> Write {
    let parameters = vec![
        Box::new(i16::from(length)) as _,
        Box::new(epoch) as _,
        Box::new(fingerprint.to_owned()) as _,
        Box::new(now.as_millis()) as _,
    ];
    Write { sql: NOTE_CODE_KEY, parameters }
}
