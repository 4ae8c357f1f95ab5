//! The SQL for blocks.

use std::sync::Arc;

use hny_domain::{KeyId, Timestamp};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::Postgres;
use super::change::{First, Question, Verdict, change};
use super::failure::Failure;
use super::key::only;
use super::row::get;
use crate::StoreError;
use crate::blocks::{Block, BlockChange, BlocksVersion, SeenBlocks, Signature};

impl Postgres {
    pub(crate) async fn add_block(&self, rule: String, signature: Signature) -> Result<(Block, bool), StoreError> {
        let version = self.change_blocks(ADD, rule.clone(), signature).await?;
        let rows = self.readers.ask(FIND, &[&rule]).await?;
        // Somebody may have removed it since: then it was there as it was added.
        let added = Block { rule, added_at: signature.at, added_by: signature.by };
        Ok((rows.first().map(block).transpose()?.unwrap_or(added), version.is_some()))
    }

    pub(crate) async fn remove_block(&self, rule: String, signature: Signature) -> Result<bool, StoreError> {
        Ok(self.change_blocks(REMOVE, rule, signature).await?.is_some())
    }

    pub(crate) async fn list_blocks(&self, after: String, limit: u32) -> Result<Vec<Block>, StoreError> {
        let rows = self.readers.ask(LIST, &[&after, &i64::from(limit)]).await?;
        Ok(rows.iter().map(block).collect::<Result<_, _>>()?)
    }

    pub(crate) async fn block_changes(&self, after: BlocksVersion, limit: u32) -> Result<Vec<BlockChange>, StoreError> {
        let rows = self.readers.ask(CHANGES, &[&after.0.cast_signed(), &i64::from(limit)]).await?;
        Ok(rows.iter().map(block_change).collect::<Result<_, _>>()?)
    }

    pub(crate) async fn read_blocks_version(&self) -> Result<BlocksVersion, StoreError> {
        let rows = self.readers.ask(VERSION, &[]).await?;
        Ok(version(only(&rows)?, 0)?)
    }

    pub(crate) fn seen_blocks(&self) -> &SeenBlocks {
        &self.news.blocks
    }

    /// Adds or removes; the version of that, or `None` when nothing was changed.
    async fn change_blocks(
        &self,
        sql: &'static str,
        rule: String,
        Signature { by, at }: Signature,
    ) -> Result<Option<BlocksVersion>, StoreError> {
        let (line, seen) = (Arc::clone(&self.changes), Arc::clone(&self.news.blocks));
        self.run(async move {
            let by = by.map(|key| key.0);
            let parameters: [&(dyn ToSql + Sync); 3] = [&rule, &at.as_millis(), &by];
            let question = Question { first: First::Begin, sql, parameters: &parameters };
            let decide =
                |_: &Row, rows: &[Row]| Ok(Verdict::Keep(rows.first().map(|row| version(row, 0)).transpose()?));
            let changed = change(&*line.lock().await, &question, decide).await?;
            if let Some(version) = changed {
                seen.note(version);
            }
            Ok(changed)
        })
        .await
    }
}

/// What is recorded of a change that was made, under the next version, whose row is locked until the end.
macro_rules! recorded {
    ($change:literal, $is_addition:literal) => {
        concat!(
            "WITH changed AS (",
            $change,
            " RETURNING rule), next AS (
                UPDATE blocks_sequence SET version = version + 1 WHERE EXISTS (SELECT FROM changed) RETURNING version
            )
            INSERT INTO block_changes (version, rule, is_addition, at, by)
            SELECT next.version, changed.rule, ",
            $is_addition,
            ", $2::bigint, $3::bigint FROM changed CROSS JOIN next RETURNING version"
        )
    };
}

const ADD: &str =
    recorded!("INSERT INTO blocks (rule, added_at, added_by) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", "true");

const REMOVE: &str = recorded!("DELETE FROM blocks WHERE rule = $1", "false");

const FIND: &str = "SELECT rule, added_at, added_by FROM blocks WHERE rule = $1";

const LIST: &str = "SELECT rule, added_at, added_by FROM blocks WHERE rule > $1 ORDER BY rule LIMIT $2";

const CHANGES: &str = "
    SELECT version, rule, is_addition, at, by FROM block_changes WHERE version > $1 ORDER BY version LIMIT $2";

const VERSION: &str = "SELECT version FROM blocks_sequence";

/// A version from its column.
pub(super) fn version(row: &Row, index: usize) -> Result<BlocksVersion, Failure> {
    Ok(BlocksVersion(get::<i64>(row, index)?.cast_unsigned()))
}

fn block(row: &Row) -> Result<Block, Failure> {
    Ok(Block { rule: get(row, 0)?, added_at: Timestamp::from_millis(get(row, 1)?), added_by: key(row, 2)? })
}

fn block_change(row: &Row) -> Result<BlockChange, Failure> {
    Ok(BlockChange {
        version: version(row, 0)?,
        rule: get(row, 1)?,
        is_addition: get(row, 2)?,
        at: Timestamp::from_millis(get(row, 3)?),
        by: key(row, 4)?,
    })
}

fn key(row: &Row, index: usize) -> Result<Option<KeyId>, Failure> {
    Ok(get::<Option<i64>>(row, index)?.map(KeyId))
}
