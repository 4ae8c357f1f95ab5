//! What nodes share of links is kept true to what is changed here.
//!
//! A change is announced before its commit and published after it (see [`hny_redis::Links`]). Where the announcement failed,
//! because Redis is slow, down, or another run than the others use, another *generation* begins by the same commit: what is
//! under the one before is never read again. So it is, too, where this process has no Redis and others have.

mod next_generation;

use std::sync::Arc;

use hny_domain::{Code, DomainId, Lead, Link, Timestamp, Version};
use hny_redis::{Links, Redis};
use hny_store::{CacheGeneration, Store, StoreError};

use next_generation::NextGeneration;

/// The store, and what nodes share beside it. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    store: Store,
    redis: Option<Redis>,
    next: NextGeneration,
}

/// What a change made of a link.
#[derive(Debug)]
pub(crate) enum Made {
    /// Nothing was changed.
    Nothing,
    /// The link as it is now.
    Link(Box<Link>),
    /// It is deleted, by this change.
    Deletion(Version),
}

impl Shared {
    pub(crate) fn new(store: Store, redis: Option<Redis>) -> Self {
        Self { next: NextGeneration::new(store.clone()), store, redis }
    }

    /// Does `change` by the handle that it is given, of whose answer `made` says what it made of the link: when this returns, no node finds the old state in
    /// what nodes share. It is done to its end even when the caller no longer waits.
    pub(crate) async fn change<T: Send + 'static, C: Future<Output = Result<T, StoreError>> + Send + 'static>(
        &self,
        (domain, code): (DomainId, &Code),
        now: Timestamp,
        change: impl FnOnce(Store) -> C + Send + 'static,
        made: impl FnOnce(&T) -> Made + Send + 'static,
    ) -> Result<T, StoreError> {
        if !self.is_used() {
            return change(self.store.clone()).await;
        }
        let (shared, code) = (self.clone(), code.clone());
        let done = tokio::spawn(async move {
            let Some(announced) = shared.announce(domain, &code).await else {
                return change(shared.store.beginning_generations()).await;
            };
            let answer = change(shared.store.clone()).await?;
            shared.follow(announced, (domain, &code), now, &made(&answer)).await?;
            Ok(answer)
        });
        done.await.unwrap_or_else(|error| Err(StoreError::Broken(Arc::new(error))))
    }

    /// Tells of a new link whose code nobody had before, without waiting: a courtesy, so that nobody has to ask the database.
    pub(crate) fn welcome(&self, link: &Link, now: Timestamp) {
        if let Some((links, _)) = self.links() {
            let link = link.clone();
            tokio::spawn(async move { links.welcome(link.domain, &link.code, link.lead(), now).await });
        }
    }

    /// Whether anybody shares anything: this process, or another one on the same database.
    fn is_used(&self) -> bool {
        self.redis.is_some() || self.store.cache_generation().run_id.is_some()
    }

    fn links(&self) -> Option<(Links, CacheGeneration)> {
        let generation = self.store.cache_generation();
        let links = self.redis.as_ref()?.links(generation.number, generation.run_id.as_deref()?)?;
        Some((links, generation))
    }

    /// Announces a change; `None` where that did not succeed.
    async fn announce(&self, domain: DomainId, code: &Code) -> Option<(Links, CacheGeneration)> {
        let (links, generation) = self.links()?;
        links.announce(domain, code).await.ok()?;
        Some((links, generation))
    }

    /// After an announced change, with what it `made`. (Where nobody knows that, the announcement stands until all is over.)
    async fn follow(
        &self,
        (links, generation): (Links, CacheGeneration),
        (domain, code): (DomainId, &Code),
        now: Timestamp,
        made: &Made,
    ) -> Result<(), StoreError> {
        if let Made::Nothing = made {
            // Else it is waited for, for a minute.
            let _ = links.withdraw(domain, code).await;
            return Ok(());
        }
        // Where this fails, the announcement stands, and keeps the old state away.
        let published = async {
            let _ = links.publish(domain, code, made.version(), made.lead(), now).await;
        };
        let (in_force, ()) = tokio::join!(self.store.read_cache_generation(), published);
        // One that began before the commit may have been filled with the old state.
        if in_force.is_ok_and(|in_force| in_force == generation) { Ok(()) } else { self.next.begin().await }
    }
}

impl Made {
    fn version(&self) -> Version {
        match self {
            Self::Nothing => Version(0),
            Self::Link(link) => link.version,
            Self::Deletion(version) => *version,
        }
    }

    fn lead(&self) -> Option<Lead<'_>> {
        match self {
            Self::Nothing | Self::Deletion(_) => None,
            Self::Link(link) => Some(link.lead()),
        }
    }
}
