//! The in-process cache: links and absences, bounded by bytes.

use std::mem::size_of;
use std::sync::Arc;

use hny_domain::{Code, DomainId, Link};
use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};

/// What is kept of a code: its link, or that there is none.
pub(crate) type Entry = Option<Arc<Link>>;

/// Where an entry is kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) domain: DomainId,
    pub(crate) code: Code,
}

/// A key that is only looked up, so that a hit needs no allocation and no check of the grammar.
#[derive(Hash)]
struct KeyRef<'a> {
    domain: DomainId,
    code: &'a str,
}

impl Equivalent<Key> for KeyRef<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        self.domain == key.domain && self.code == key.code.as_str()
    }
}

/// Counts the bytes of an entry: itself, its allocations, and what the cache keeps beside it.
#[derive(Debug, Clone)]
struct Bytes;

/// What the cache spends on an entry beside key and value, and an allocator on a small block (measured, rounded up).
const OVERHEAD: usize = 64;

impl Weighter<Key, Entry> for Bytes {
    fn weight(&self, key: &Key, entry: &Entry) -> u64 {
        let code = key.code.as_str().len();
        let link = entry.as_ref().map_or(0, |link| {
            size_of::<Link>() + link.target.as_str().len() + link.title.as_ref().map_or(0, String::len) + code
        });
        (size_of::<Key>() + size_of::<Entry>() + OVERHEAD + code + link) as u64
    }
}

/// A rough size of one entry, to choose the number of shards by.
const TYPICAL_ENTRY: u64 = 400;

/// The cache. All its promises about changes rest on one rule: a change removes, and never inserts.
#[derive(Debug)]
pub(crate) struct LinkCache {
    entries: Cache<Key, Entry, Bytes>,
}

impl LinkCache {
    /// A cache of at most `bytes`.
    pub(crate) fn new(bytes: u64) -> Self {
        let items = usize::try_from(bytes / TYPICAL_ENTRY).unwrap_or(usize::MAX);
        Self { entries: Cache::with_weighter(items, bytes, Bytes) }
    }

    /// The entry, if there is one. No allocation, no waiting.
    pub(crate) fn get(&self, domain: DomainId, code: &str) -> Option<Entry> {
        self.entries.get(&KeyRef { domain, code })
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
        self.entries.remove(&KeyRef { domain, code });
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
