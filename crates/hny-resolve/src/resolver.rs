//! From a domain and a code to the link.

use std::sync::Arc;

use hny_domain::{Code, DomainId};
use hny_store::{Store, StoreError};

use crate::Found;
use crate::cache::LinkCache;
use crate::key::Key;

/// Finds links: in the cache, else in the store. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Resolver {
    store: Store,
    cache: Arc<LinkCache>,
}

/// What the cache knows of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cached {
    /// This is the link.
    Link(Found),
    /// There is no such link.
    Absent,
    /// Nothing: ask [`Resolver::resolve`].
    Unknown,
}

/// How full the cache is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheUse {
    /// Links and absences kept.
    pub entries: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl Resolver {
    /// A resolver over `store` with a cache of at most `cache_bytes`.
    ///
    /// It hears of every change from the store itself: of this node's before it is acknowledged, of every other node's within
    /// the time that [`Store::subscribe`] promises.
    pub fn new(store: Store, cache_bytes: u64) -> Self {
        let cache = Arc::new(LinkCache::new(cache_bytes));
        let changed = Arc::clone(&cache);
        store.subscribe(move |changes| {
            for change in changes {
                changed.remove(&Key::new(change.domain, &change.code));
            }
        });
        Self { store, cache }
    }

    /// What the cache knows. It never allocates and never waits for the store, so that a hot redirect does not either.
    pub fn cached(&self, domain: DomainId, code: &str) -> Cached {
        match self.cache.get(domain, code) {
            Some(found) if found.is_link() => Cached::Link(found),
            Some(_) => Cached::Absent,
            None => Cached::Unknown,
        }
    }

    /// The link, or `None` when there is none.
    pub async fn resolve(&self, domain: DomainId, code: &Code) -> Result<Option<Found>, StoreError> {
        let key = Key::new(domain, code);
        let fill = async {
            let link = self.store.find_lead(domain, code, |lead| Found::link(key.clone(), lead)).await?;
            Ok::<_, StoreError>(link.unwrap_or_else(|| Found::absence(key.clone())))
        };
        let found = self.cache.get_or_fill(&key, fill).await?;
        Ok(found.is_link().then_some(found))
    }

    /// Whether links can be found at all.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.store.ping().await
    }

    /// How full the cache is.
    pub fn cache_use(&self) -> CacheUse {
        CacheUse { entries: self.cache.len(), bytes: self.cache.bytes() }
    }
}
