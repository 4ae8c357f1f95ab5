//! What nodes share of links is kept true to what is changed here.
//!
//! A change is announced before its commit and published after it (see [`hny_redis::Links`]). Where the announcement failed,
//! because Redis is slow, down, or another run than the others use, another *generation* begins by the same commit: what is
//! under the one before is never read again. So it is, too, where this process has no Redis and others have.

mod next_generation;

use std::sync::Arc;

use hny_domain::{Code, DomainId, Lead, Link, Timestamp};
use hny_redis::{Links, Redis};
use hny_store::{CacheGeneration, Change, Store, StoreError};

use next_generation::NextGeneration;

/// The store, and what nodes share beside it. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    store: Store,
    redis: Option<Redis>,
    next: NextGeneration,
}

/// What a change made of links, or of one and its aliases.
#[derive(Debug, Default)]
pub(crate) struct Made {
    /// The link as it is now, if it is there.
    pub(crate) link: Option<Box<Link>>,
    /// The codes that changed. Those that are not the link's lead nowhere.
    pub(crate) changes: Vec<Change>,
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
        if !made.changes.iter().any(|change| change.code == *code) {
            // Else it is waited for, for a minute.
            let _ = links.withdraw(domain, code).await;
        }
        if made.changes.is_empty() {
            return Ok(());
        }
        let (in_force, are_told) = tokio::join!(self.store.read_cache_generation(), publish(&links, code, now, made));
        let in_force = in_force.map(|in_force| in_force == generation && are_told);
        // One that began before the commit may have been filled with the old state.
        if in_force.is_ok_and(|in_force| in_force) { Ok(()) } else { self.next.begin().await }
    }
}

/// Tells what changed. `false`: something that was not announced before could not be told.
async fn publish(links: &Links, announced: &Code, now: Timestamp, made: &Made) -> bool {
    let mut are_told = true;
    for change in &made.changes {
        let (domain, code, lead) = (change.domain, &change.code, made.lead(change));
        let is_announced = code == announced || links.announce(domain, code).await.is_ok();
        // Where this fails, the announcement stands, and keeps the old state away.
        let _ = links.publish(domain, code, change.version, lead, now).await;
        are_told &= is_announced;
    }
    are_told
}

impl Made {
    /// A new link.
    pub(crate) fn link(link: &Link) -> Self {
        let change = Change { domain: link.domain, code: link.code.clone(), version: link.version };
        Self { link: Some(Box::new(link.clone())), changes: vec![change] }
    }

    /// What a code leads to now.
    fn lead(&self, change: &Change) -> Option<Lead<'_>> {
        let link = self.link.as_ref()?;
        let is_of_link = link.codes().any(|(code, _)| *code == change.code);
        is_of_link.then(|| Lead { version: change.version, ..link.lead() })
    }
}
