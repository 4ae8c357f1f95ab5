//! The SQL for blocks.

use hny_domain::{KeyId, Timestamp};
use rusqlite::{Connection, Result, Row, params};

use super::Sqlite;
use crate::StoreError;
use crate::blocks::{Block, BlockChange, BlocksVersion, SeenBlocks, Signature};

impl Sqlite {
    pub(crate) async fn add_block(&self, rule: String, signature: Signature) -> Result<(Block, bool), StoreError> {
        let (block, version) = self.change(move |sql, _| Ok(add(sql, &rule, signature)?)).await?;
        self.note_blocks(version);
        Ok((block, version.is_some()))
    }

    pub(crate) async fn remove_block(&self, rule: String, signature: Signature) -> Result<bool, StoreError> {
        let version = self.change(move |sql, _| Ok(remove(sql, &rule, signature)?)).await?;
        self.note_blocks(version);
        Ok(version.is_some())
    }

    pub(crate) async fn list_blocks(&self, after: String, limit: u32) -> Result<Vec<Block>, StoreError> {
        self.read_aside(move |sql| {
            let mut list = sql
                .prepare_cached("SELECT rule, added_at, added_by FROM blocks WHERE rule > ?1 ORDER BY rule LIMIT ?2")?;
            list.query_map(params![after, limit], block)?.collect()
        })
        .await
    }

    pub(crate) async fn block_changes(&self, after: BlocksVersion, limit: u32) -> Result<Vec<BlockChange>, StoreError> {
        self.read_aside(move |sql| {
            let mut list = sql.prepare_cached(
                "SELECT version, rule, is_addition, at, by FROM block_changes WHERE version > ?1 ORDER BY version LIMIT ?2",
            )?;
            list.query_map(params![after.0.cast_signed(), limit], change)?.collect()
        })
        .await
    }

    pub(crate) fn read_blocks_version(&self) -> Result<BlocksVersion, StoreError> {
        self.read(version)
    }

    pub(crate) fn seen_blocks(&self) -> &SeenBlocks {
        &self.blocks
    }

    fn note_blocks(&self, version: Option<BlocksVersion>) {
        if let Some(version) = version {
            self.blocks.note(version);
        }
    }
}

fn add(sql: &Connection, rule: &str, signature: Signature) -> Result<(Block, Option<BlocksVersion>)> {
    let Signature { by, at } = signature;
    let added = sql
        .prepare_cached("INSERT INTO blocks (rule, added_at, added_by) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?
        .execute(params![rule, at.as_millis(), by.map(|key| key.0)])?;
    let version = if added > 0 { Some(record(sql, rule, true, signature)?) } else { None };
    let there =
        sql.prepare_cached("SELECT rule, added_at, added_by FROM blocks WHERE rule = ?1")?.query_row([rule], block)?;
    Ok((there, version))
}

fn remove(sql: &Connection, rule: &str, signature: Signature) -> Result<Option<BlocksVersion>> {
    let removed = sql.prepare_cached("DELETE FROM blocks WHERE rule = ?1")?.execute([rule])?;
    if removed > 0 { record(sql, rule, false, signature).map(Some) } else { Ok(None) }
}

/// There is one writer at a time, so the next number is free.
fn record(sql: &Connection, rule: &str, is_addition: bool, Signature { by, at }: Signature) -> Result<BlocksVersion> {
    let next = BlocksVersion(version(sql)?.0 + 1);
    sql.prepare_cached("INSERT INTO block_changes (version, rule, is_addition, at, by) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![next.0.cast_signed(), rule, is_addition, at.as_millis(), by.map(|key| key.0)])?;
    Ok(next)
}

/// The version that holds.
pub(super) fn version(sql: &Connection) -> Result<BlocksVersion> {
    sql.prepare_cached("SELECT coalesce(max(version), 0) FROM block_changes")?
        .query_row([], |row| row.get::<_, i64>(0))
        .map(|version| BlocksVersion(version.cast_unsigned()))
}

fn block(row: &Row<'_>) -> Result<Block> {
    Ok(Block { rule: row.get(0)?, added_at: Timestamp::from_millis(row.get(1)?), added_by: key(row, 2)? })
}

fn change(row: &Row<'_>) -> Result<BlockChange> {
    Ok(BlockChange {
        version: BlocksVersion(row.get::<_, i64>(0)?.cast_unsigned()),
        rule: row.get(1)?,
        is_addition: row.get(2)?,
        at: Timestamp::from_millis(row.get(3)?),
        by: key(row, 4)?,
    })
}

fn key(row: &Row<'_>, index: usize) -> Result<Option<KeyId>> {
    Ok(row.get::<_, Option<i64>>(index)?.map(KeyId))
}
