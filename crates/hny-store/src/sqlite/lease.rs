//! The SQL for leases.

use std::collections::BTreeMap;
use std::ops::Range;

use hny_domain::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Result};

use super::Sqlite;
use crate::{CodeKeyCheck, NodeGrant, NodeId, NodeLease, NodeWish, StoreError};

impl Sqlite {
    pub(crate) async fn lease_numbers(&self, count: u32) -> Result<Range<u64>, StoreError> {
        self.change(move |sql, _| Ok(lease_numbers(sql, count)?)).await
    }

    pub(crate) async fn lease_node(
        &self,
        wish: NodeWish,
        holder: String,
        now_ms: u64,
        until_ms: u64,
    ) -> Result<NodeGrant, StoreError> {
        self.change(move |sql, _| Ok(lease_node(sql, wish, &holder, now_ms, until_ms)?)).await
    }

    pub(crate) async fn renew_node(&self, lease: NodeLease) -> Result<bool, StoreError> {
        self.change(move |sql, _| Ok(renew_node(sql, &lease)?)).await
    }

    pub(crate) async fn check_code_key(
        &self,
        length: u8,
        fingerprint: String,
        now: Timestamp,
    ) -> Result<CodeKeyCheck, StoreError> {
        self.change(move |sql, _| Ok(check_code_key(sql, length, &fingerprint, now)?)).await
    }

    pub(crate) async fn adopt_code_key(
        &self,
        length: u8,
        fingerprint: String,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        self.change(move |sql, _| Ok(adopt_code_key(sql, length, &fingerprint, now)?)).await
    }
}

fn lease_numbers(sql: &Connection, count: u32) -> Result<Range<u64>> {
    let mut statement = sql.prepare_cached("UPDATE counter SET next = next + ?1 RETURNING next")?;
    let end: i64 = statement.query_row([count], |row| row.get(0))?;
    let end = end.cast_unsigned();
    Ok(end - u64::from(count)..end)
}

/// Takes the lowest node that fits and is free. Rows of leases that are over keep their mark, so it is handed on.
fn lease_node(sql: &Connection, wish: NodeWish, holder: &str, now_ms: u64, until_ms: u64) -> Result<NodeGrant> {
    let leases = node_leases(sql)?;
    let grant = wish.choose(&leases, now_ms);
    let NodeGrant::Granted { node, .. } = grant else { return Ok(grant) };
    sql.prepare_cached(
        "INSERT INTO nodes (datacenter, worker, holder, until_ms) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (datacenter, worker) DO UPDATE SET holder = excluded.holder, until_ms = excluded.until_ms",
    )?
    .execute((node.datacenter, node.worker, holder, until_ms.cast_signed()))?;
    Ok(grant)
}

/// When the lease of each node that ever had one ends.
fn node_leases(sql: &Connection) -> Result<BTreeMap<NodeId, u64>> {
    let mut statement = sql.prepare_cached("SELECT datacenter, worker, until_ms FROM nodes")?;
    let rows = statement.query_map([], |row| {
        let node = NodeId { datacenter: row.get(0)?, worker: row.get(1)? };
        Ok((node, row.get::<_, i64>(2)?.cast_unsigned()))
    })?;
    rows.collect()
}

fn renew_node(sql: &Connection, lease: &NodeLease) -> Result<bool> {
    let NodeLease { node, holder, until_ms } = lease;
    let mut statement =
        sql.prepare_cached("UPDATE nodes SET until_ms = ?4 WHERE datacenter = ?1 AND worker = ?2 AND holder = ?3")?;
    Ok(statement.execute((node.datacenter, node.worker, holder, until_ms.cast_signed()))? > 0)
}

/// The epoch in use for codes of this length, and the fingerprint of its secret.
fn code_key(sql: &Connection, length: u8) -> Result<Option<(i64, String)>> {
    sql.prepare_cached("SELECT epoch, fingerprint FROM code_keys WHERE length = ?1 ORDER BY epoch DESC LIMIT 1")?
        .query_row([length], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

fn check_code_key(sql: &Connection, length: u8, fingerprint: &str, now: Timestamp) -> Result<CodeKeyCheck> {
    match code_key(sql, length)? {
        Some((_, known)) if known == fingerprint => Ok(CodeKeyCheck::Same),
        Some(_) => Ok(CodeKeyCheck::Different),
        None => note_code_key(sql, length, 1, fingerprint, now).map(|()| CodeKeyCheck::Same),
    }
}

fn adopt_code_key(sql: &Connection, length: u8, fingerprint: &str, now: Timestamp) -> Result<u64> {
    let epoch = match code_key(sql, length)? {
        Some((epoch, known)) if known == fingerprint => return Ok(epoch.cast_unsigned()),
        Some((epoch, _)) => epoch + 1,
        None => 1,
    };
    note_code_key(sql, length, epoch, fingerprint, now)?;
    Ok(epoch.cast_unsigned())
}

fn note_code_key(sql: &Connection, length: u8, epoch: i64, fingerprint: &str, now: Timestamp) -> Result<()> {
    sql.prepare_cached("INSERT INTO code_keys (length, epoch, fingerprint, adopted_at) VALUES (?1, ?2, ?3, ?4)")?
        .execute((length, epoch, fingerprint, now.as_millis()))?;
    Ok(())
}
