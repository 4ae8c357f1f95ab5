//! The rules in the database: who may change them, and how every node comes to know.

use std::sync::Arc;

use hny_domain::{Caller, Clock};
use hny_store::blocks::Signature;
use hny_store::{Block, BlockChange, BlocksVersion, Store, StoreError};
use thiserror::Error;
use tokio::sync::Mutex;
use tokio::time::sleep;

use super::rule::{BlockRule, RuleError};
use super::{Blocklist, Gathered};

/// How many rows are read at a time.
const PAGE: u32 = 10_000;

/// How many changes are applied one by one; with more all rules are read anew, which is less work.
const MOST_CHANGES: u64 = 100_000;

/// After a failure.
const REST: std::time::Duration = std::time::Duration::from_millis(500);

/// Adds, removes and lists blocks, and keeps a [`Blocklist`] as the database has it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Blocks {
    store: Store,
    clock: Clock,
    list: Blocklist,
    /// The version that the list has; `None` before it was read.
    version: Arc<Mutex<Option<BlocksVersion>>>,
}

/// Why nothing was done.
#[derive(Debug, Clone, Error)]
pub enum BlockError {
    /// The caller is no admin.
    #[error("only admins may see and change what is blocked")]
    NotAllowed,
    /// The rule is none.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The rule is not there.
    #[error("there is no such rule")]
    NotFound,
    /// The store cannot do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Rules, a page of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlockPage {
    /// By their text.
    pub blocks: Vec<Block>,
    /// Behind which the next page begins; `None` where this is the last.
    pub next: Option<String>,
}

/// The record, a page of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangePage {
    /// The oldest first.
    pub changes: Vec<BlockChange>,
    /// Behind which the next page begins; `None` where this is the last.
    pub next: Option<BlocksVersion>,
}

impl Blocks {
    /// The verbs over `store`, which keep `list` up to date.
    pub fn new(store: Store, clock: Clock, list: Blocklist) -> Self {
        Self { store, clock, list, version: Arc::default() }
    }

    /// Adds a rule in any spelling, and answers it with whether it is new. It holds on this node when this returns, and within a
    /// second on all others.
    pub async fn add(&self, caller: Caller, rule: &str) -> Result<(Block, bool), BlockError> {
        let signature = self.signature(caller)?;
        let rule = BlockRule::parse(rule)?;
        let added = self.store.add_block(rule.to_string(), signature).await?;
        self.catch_up_if_followed().await;
        Ok(added)
    }

    /// Removes a rule in any spelling, as [`Self::add`] adds one.
    pub async fn remove(&self, caller: Caller, rule: &str) -> Result<(), BlockError> {
        let signature = self.signature(caller)?;
        let rule = BlockRule::parse(rule)?;
        if !self.store.remove_block(rule.to_string(), signature).await? {
            return Err(BlockError::NotFound);
        }
        self.catch_up_if_followed().await;
        Ok(())
    }

    /// The rules behind one, by their text.
    pub async fn list(&self, caller: Caller, after: String, limit: u32) -> Result<BlockPage, BlockError> {
        self.signature(caller)?;
        let mut blocks = self.store.list_blocks(after, limit.saturating_add(1)).await?;
        let has_more = blocks.len() > limit as usize;
        blocks.truncate(limit as usize);
        let next = blocks.last().filter(|_| has_more).map(|block| block.rule.clone());
        Ok(BlockPage { blocks, next })
    }

    /// Who added and removed what, behind a version.
    pub async fn changes(&self, caller: Caller, after: u64, limit: u32) -> Result<ChangePage, BlockError> {
        self.signature(caller)?;
        // The databases count with a sign.
        let after = BlocksVersion(after.min(i64::MAX.cast_unsigned()));
        let mut changes = self.store.block_changes(after, limit.saturating_add(1)).await?;
        let has_more = changes.len() > limit as usize;
        changes.truncate(limit as usize);
        let next = changes.last().filter(|_| has_more).map(|change| change.version);
        Ok(ChangePage { changes, next })
    }

    /// Brings the list to what the database has.
    pub async fn catch_up(&self) -> Result<(), StoreError> {
        let mut version = self.version.lock().await;
        let newest = self.store.read_blocks_version().await?;
        match *version {
            // Less than before: the database has lost changes, and gives their numbers again.
            Some(known) if known <= newest && newest.0 - known.0 <= MOST_CHANGES => {
                *version = Some(self.apply_changes(known).await?);
            }
            _ => {
                self.list.set_database(self.read_all().await?);
                // What came while the pages were read may be in them already, which does not matter.
                *version = Some(self.apply_changes(newest).await?);
            }
        }
        Ok(())
    }

    /// Keeps the list as the database has it, until dropped.
    pub async fn follow(self) {
        let mut seen = self.store.watch_blocks();
        loop {
            seen.mark_unchanged();
            if let Err(error) = self.catch_up().await {
                tracing::warn!(%error, "what is blocked cannot be read now; it is tried again");
                sleep(REST).await;
                continue;
            }
            if seen.changed().await.is_err() {
                return;
            }
        }
    }

    /// A command that changes rules has no visitors, and need not know them all.
    async fn catch_up_if_followed(&self) {
        let is_followed = self.version.lock().await.is_some();
        if is_followed && let Err(error) = self.catch_up().await {
            tracing::warn!(%error, "a change of what is blocked is made, and will be known here in a moment");
        }
    }

    async fn read_all(&self) -> Result<Gathered, StoreError> {
        let (mut gathered, mut after) = (self.list.gather(), String::new());
        loop {
            let page = self.store.list_blocks(after.clone(), PAGE).await?;
            let Some(last) = page.last() else { return Ok(gathered) };
            after.clone_from(&last.rule);
            for block in page {
                gathered.push(&BlockRule::from_stored(block.rule));
            }
        }
    }

    /// Applies what is behind a version; the version that the list has then.
    async fn apply_changes(&self, mut version: BlocksVersion) -> Result<BlocksVersion, StoreError> {
        loop {
            let page = self.store.block_changes(version, PAGE).await?;
            let Some(last) = page.last() else { return Ok(version) };
            version = last.version;
            let changes: Vec<_> =
                page.into_iter().map(|change| (BlockRule::from_stored(change.rule), change.is_addition)).collect();
            self.list.change_database(&changes);
        }
    }

    fn signature(&self, caller: Caller) -> Result<Signature, BlockError> {
        let signature = Signature { by: caller.owner(), at: self.clock.now() };
        caller.is_admin().then_some(signature).ok_or(BlockError::NotAllowed)
    }
}

#[cfg(test)]
mod tests;
