//! From a domain and a code to the link.

use std::sync::Arc;

use hny_domain::{Clock, Code, DomainId, LinkId, VisitId};
use hny_redis::Redis;
use hny_store::{Store, StoreError};

use crate::Found;
use crate::cache::LinkCache;
use crate::key::Key;
use crate::shared::{self, SharedCache};

/// Finds links: in the cache, else in what nodes share, else in the store. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Resolver {
    store: Store,
    cache: Arc<LinkCache>,
    shared: Option<Arc<SharedCache>>,
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

/// What the second level did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedUse {
    /// How many lookups had which outcome, by its name.
    pub lookups: Vec<(&'static str, u64)>,
    /// Whether Redis is asked: the breaker is closed.
    pub is_usable: bool,
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
        Self { store, cache, shared: None }
    }

    /// With a second level: what nodes share by way of `redis`, for a store that other nodes work on as well. Needs a tokio
    /// runtime.
    ///
    /// It makes no lookup fail, and none wait for longer than some milliseconds; and nothing comes from there that is older
    /// than what the store is known to have.
    #[must_use]
    pub fn sharing(self, redis: Redis, clock: Clock) -> Self {
        let changed = Arc::clone(&self.cache);
        redis.subscribe(move |message| changed.remove(&Key::new(message.domain, &message.code)));
        let shared = SharedCache::new(self.store.clone(), redis, clock);
        Self { shared: Some(Arc::new(shared)), ..self }
    }

    /// What the cache knows. It never allocates and never waits for the store, so that a hot redirect does not either.
    pub fn cached(&self, domain: DomainId, code: &str) -> Cached {
        match self.cache.get(domain, code) {
            Some(found) if found.is_link() => Cached::Link(found),
            Some(_) => Cached::Absent,
            None => Cached::Unknown,
        }
    }

    /// Has the processor fetch what [`Self::cached`] will look at, while other things are done. It says nothing of whether it is there.
    pub fn expect(&self, domain: DomainId, code: &str) {
        self.cache.expect(domain, code);
    }

    /// The link, or `None` when there is none.
    pub async fn resolve(&self, domain: DomainId, code: &Code) -> Result<Option<Found>, StoreError> {
        let key = Key::new(domain, code);
        let fill = async {
            match &self.shared {
                Some(shared) => shared.find(&key, domain, code).await,
                None => shared::look_up(&self.store, &key, domain, code).await,
            }
        };
        let found = self.cache.get_or_fill(&key, fill).await?;
        Ok(found.is_link().then_some(found))
    }

    /// Takes one of the clicks that a link has left; see [`Store::claim_click`]. Always asks the primary database.
    pub async fn claim_click(&self, link: LinkId, visit: Option<VisitId>) -> Result<bool, StoreError> {
        self.store.claim_click(link, visit).await
    }

    /// Whether a link has a click left. Always asks the primary database.
    pub async fn has_clicks_left(&self, link: LinkId) -> Result<bool, StoreError> {
        self.store.has_clicks_left(link).await
    }

    /// Whether links can be found at all.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.store.ping().await
    }

    /// How full the cache is.
    pub fn cache_use(&self) -> CacheUse {
        CacheUse { entries: self.cache.entries(), bytes: self.cache.bytes() }
    }

    /// What the second level did, if there is one.
    pub fn shared_use(&self) -> Option<SharedUse> {
        let (counts, is_usable) = self.shared.as_ref()?.counts();
        Some(SharedUse { lookups: counts.read(), is_usable })
    }
}
