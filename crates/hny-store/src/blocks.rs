//! The contract for blocks: which domains and URLs visitors are kept from.
//!
//! A rule is a text here, which is compared byte for byte; what it says is for others. Every addition and removal stays on record, and
//! is numbered in the order in which they become visible: so whoever knows the rules as of one version learns by the records
//! behind it what they are now.

use hny_domain::{KeyId, Timestamp};
use tokio::sync::watch;

use crate::store::Engine;
use crate::{Store, StoreError};

/// The number of a change of the rules: grows by one with each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct BlocksVersion(pub u64);

/// A rule that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What is blocked.
    pub rule: String,
    /// Since when.
    pub added_at: Timestamp,
    /// By whose key; `None` is whoever runs the program.
    pub added_by: Option<KeyId>,
}

/// An addition or a removal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockChange {
    /// Its number.
    pub version: BlocksVersion,
    /// Which rule.
    pub rule: String,
    /// Whether it came, or went.
    pub is_addition: bool,
    /// When.
    pub at: Timestamp,
    /// By whose key; `None` is whoever runs the program.
    pub by: Option<KeyId>,
}

/// Who changes the rules, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    /// By whose key; `None` is whoever runs the program.
    pub by: Option<KeyId>,
    /// When.
    pub at: Timestamp,
}

impl Store {
    /// Adds a rule, and answers it as it is there then, with whether this call added it: one that was there keeps its record.
    pub async fn add_block(&self, rule: String, signature: Signature) -> Result<(Block, bool), StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.add_block(rule, signature).await,
            Engine::Postgres(postgres) => postgres.add_block(rule, signature).await,
        }
    }

    /// Removes a rule; `false` when there is none.
    pub async fn remove_block(&self, rule: String, signature: Signature) -> Result<bool, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.remove_block(rule, signature).await,
            Engine::Postgres(postgres) => postgres.remove_block(rule, signature).await,
        }
    }

    /// The first rules behind a text, by their bytes.
    pub async fn list_blocks(&self, after: String, limit: u32) -> Result<Vec<Block>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.list_blocks(after, limit).await,
            Engine::Postgres(postgres) => postgres.list_blocks(after, limit).await,
        }
    }

    /// The first changes behind a version, by ascending version.
    pub async fn block_changes(&self, after: BlocksVersion, limit: u32) -> Result<Vec<BlockChange>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.block_changes(after, limit).await,
            Engine::Postgres(postgres) => postgres.block_changes(after, limit).await,
        }
    }

    /// The version that the database has now.
    pub async fn read_blocks_version(&self) -> Result<BlocksVersion, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.read_blocks_version(),
            Engine::Postgres(postgres) => postgres.read_blocks_version().await,
        }
    }

    /// The version as this process last saw it, and whenever that becomes another one. A change by another process is seen as soon
    /// as its changes of links are: see [`Store::subscribe`].
    pub fn watch_blocks(&self) -> watch::Receiver<BlocksVersion> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.seen_blocks().subscribe(),
            Engine::Postgres(postgres) => postgres.seen_blocks().subscribe(),
        }
    }
}

/// Which version was seen last.
#[derive(Debug, Default)]
pub(crate) struct SeenBlocks(watch::Sender<BlocksVersion>);

impl SeenBlocks {
    /// Notes what was read. It may be less than before: a database can lose its last changes when another server takes over.
    pub(crate) fn note(&self, seen: BlocksVersion) {
        self.0.send_if_modified(|known| std::mem::replace(known, seen) != seen);
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<BlocksVersion> {
        self.0.subscribe()
    }
}
