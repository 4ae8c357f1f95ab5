//! The in-process cache: links and absences, bounded by bytes.

use std::hash::RandomState;

use hny_domain::DomainId;
use quick_cache::sync::{Cache, DefaultLifecycle};

use crate::Found;
use crate::key::{Key, Sought};
use crate::weight::{Bytes, PLACE};

/// What is kept of a code: its link, or that there is none.
pub(crate) type Entry = Option<Found>;

/// A rough size of one entry, to choose by it the number of shards, and of how many entries that were thrown out a trace is
/// kept.
const TYPICAL_ENTRY: u64 = 200;

/// The cache. All its promises about changes rest on one rule: a change removes, and never inserts.
#[derive(Debug)]
pub(crate) struct LinkCache {
    /// Codes come from strangers, who must not be able to choose those that meet in one place of the table. So the hash has
    /// a secret that cannot be found out by watching (`SipHash`), which the hash that the cache comes with does not promise.
    entries: Cache<Key, Entry, Bytes, RandomState>,
}

impl LinkCache {
    /// A cache of at most `bytes`, all told.
    pub(crate) fn new(bytes: u64) -> Self {
        let entries = bytes / TYPICAL_ENTRY;
        // For half as many as there are entries, the cache keeps a trace of those that it threw out last, to know them again.
        // It does not weigh them, so their room is taken off here.
        let capacity = bytes - entries / 2 * PLACE as u64;
        let entries = usize::try_from(entries).unwrap_or(usize::MAX);
        Self { entries: Cache::with(entries, capacity, Bytes, RandomState::new(), DefaultLifecycle::default()) }
    }

    /// The entry, if there is one. No allocation, no waiting.
    pub(crate) fn get(&self, domain: DomainId, code: &str) -> Option<Entry> {
        self.entries.get(&Sought::new(domain, code))
    }

    /// The entry; where there is none, what `fill` finds. Of many who ask for the same key at once one fills, and the others
    /// wait for it. A fill that fails keeps nothing, and the next one tries again.
    ///
    /// What `fill` found is given to those who waited, and is kept only if nothing removed the key meanwhile: whoever
    /// asks after a removal starts a fill of their own.
    pub(crate) async fn get_or_fill<E>(
        &self,
        key: &Key,
        fill: impl Future<Output = Result<Entry, E>>,
    ) -> Result<Entry, E> {
        match self.entries.get_value_or_guard_async(key).await {
            Ok(entry) => Ok(entry),
            Err(guard) => {
                let entry = fill.await?;
                // Refused when the key was removed since: then the entry may be of yesterday, and is not kept.
                let _ = guard.insert(entry.clone());
                Ok(entry)
            }
        }
    }

    /// Forgets an entry, and keeps fills that are under way from landing.
    pub(crate) fn remove(&self, domain: DomainId, code: &str) {
        self.entries.remove(&Sought::new(domain, code));
    }

    /// Bytes in use, as counted by [`Bytes`].
    pub(crate) fn bytes(&self) -> u64 {
        self.entries.weight()
    }

    /// Number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests;
