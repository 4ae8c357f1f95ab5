//! The contract for what nodes share when they make codes and ids: numbers, node ids, and the secret of the codes.

use std::collections::BTreeMap;
use std::ops::Range;

use hny_domain::Timestamp;

use crate::store::Engine;
use crate::{Store, StoreError};

/// One more than the highest datacenter and the highest worker.
const NODE_IDS: u8 = 32;

/// The two ids that make a node: 0 to 31 each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId {
    /// The datacenter.
    pub datacenter: u8,
    /// The worker in it.
    pub worker: u8,
}

/// Which node a process would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NodeWish {
    /// This datacenter; `None` takes any.
    pub datacenter: Option<u8>,
    /// This worker; `None` takes any.
    pub worker: Option<u8>,
}

/// A process that is a node, until a time.
#[derive(Debug, Clone)]
pub struct NodeLease {
    /// Which node.
    pub node: NodeId,
    /// A token of the process; nobody else has the same.
    pub holder: String,
    /// Until when, in milliseconds since 1970.
    pub until_ms: u64,
}

/// What became of a wish for a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeGrant {
    /// The process is this node. Ids up to `after_ms` (milliseconds since 1970) may exist.
    Granted {
        /// Which node.
        node: NodeId,
        /// The high-water mark that the last holder left.
        after_ms: u64,
    },
    /// Every node that fits the wish is somebody's; the first of them becomes free after `until_ms`, unless it is renewed.
    Taken {
        /// Milliseconds since 1970.
        until_ms: u64,
    },
}

impl NodeWish {
    /// Chooses the lowest node that fits and is free, of those whose leases end at these times. A node without a lease is free.
    pub(crate) fn choose(self, leases: &BTreeMap<NodeId, u64>, now_ms: u64) -> NodeGrant {
        let end = |node: &NodeId| leases.get(node).copied().unwrap_or(0);
        match self.fitting().min_by_key(|node| (end(node).max(now_ms), *node)) {
            None => NodeGrant::Taken { until_ms: u64::MAX },
            Some(node) if end(&node) > now_ms => NodeGrant::Taken { until_ms: end(&node) },
            Some(node) => NodeGrant::Granted { node, after_ms: end(&node) },
        }
    }

    fn fitting(self) -> impl Iterator<Item = NodeId> {
        let fits = |wished: Option<u8>, id: u8| wished.is_none_or(|wished| wished == id);
        let datacenters = (0..NODE_IDS).filter(move |&id| fits(self.datacenter, id));
        datacenters.flat_map(move |datacenter| {
            let workers = (0..NODE_IDS).filter(move |&id| fits(self.worker, id));
            workers.map(move |worker| NodeId { datacenter, worker })
        })
    }
}

/// Whether the codes of a length are made with this secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeKeyCheck {
    /// They are, or none were made yet and from now on they are.
    Same,
    /// They are made with another one.
    Different,
}

impl Store {
    /// Leases `count` numbers that nobody else gets. One durable statement; what is not used is a gap.
    pub async fn lease_numbers(&self, count: u32) -> Result<Range<u64>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.lease_numbers(count).await,
            Engine::Postgres(postgres) => postgres.lease_numbers(count).await,
        }
    }

    /// Makes the process a node, if one that fits the wish is free: nobody's, or its lease ended before `now_ms`.
    /// The lease holds until `until_ms`. Both are milliseconds since 1970.
    pub async fn lease_node(
        &self,
        wish: NodeWish,
        holder: &str,
        now_ms: u64,
        until_ms: u64,
    ) -> Result<NodeGrant, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.lease_node(wish, holder.to_owned(), now_ms, until_ms).await,
            Engine::Postgres(postgres) => postgres.lease_node(wish, holder.to_owned(), now_ms, until_ms).await,
        }
    }

    /// Sets the end of a lease; `false` when the node is another holder's by now. An end in the past gives the node back: it is
    /// then the high-water mark of the ids that were made.
    pub async fn renew_node(&self, lease: NodeLease) -> Result<bool, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.renew_node(lease).await,
            Engine::Postgres(postgres) => postgres.renew_node(lease).await,
        }
    }

    /// Holds the secret with this fingerprint against the one that the codes of `length` characters are made with. Where none
    /// is noted yet, this one is.
    pub async fn check_code_key(
        &self,
        length: u8,
        fingerprint: &str,
        now: Timestamp,
    ) -> Result<CodeKeyCheck, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.check_code_key(length, fingerprint.to_owned(), now).await,
            Engine::Postgres(postgres) => postgres.check_code_key(length, fingerprint.to_owned(), now).await,
        }
    }

    /// Has the codes of `length` characters made with this secret from now on; the number of the epoch that begins. Codes of
    /// earlier epochs stay; the unique index finds where new ones would repeat them.
    pub async fn adopt_code_key(&self, length: u8, fingerprint: &str, now: Timestamp) -> Result<u64, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.adopt_code_key(length, fingerprint.to_owned(), now).await,
            Engine::Postgres(postgres) => postgres.adopt_code_key(length, fingerprint.to_owned(), now).await,
        }
    }
}
