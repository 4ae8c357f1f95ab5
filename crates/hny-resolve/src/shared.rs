//! The second level: what nodes share by way of Redis. Always behind the in-process cache, and never in the way.

use std::pin::pin;
use std::time::Duration;

use hny_domain::{Clock, Code, DomainId};
use hny_redis::{Asked, Known, Links, Redis, Unavailable};
use hny_store::{CacheGeneration, Store, StoreError};
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio_util::task::AbortOnDropHandle;

use crate::Found;
use crate::counts::{Counts, Outcome};
use crate::key::Key;
use crate::steward;

/// What took longer to come from the database is not handed on to others: it may have been changed long since.
const FRESH: Duration = Duration::from_secs(2);

/// So many fills wait at most. More are dropped: who misses them asks the database, too.
const QUEUE: usize = 1024;

/// The cache that nodes share, and the database behind it.
#[derive(Debug)]
pub(crate) struct SharedCache {
    redis: Redis,
    store: Store,
    clock: Clock,
    fills: Sender<Fill>,
    counts: Counts,
    _tasks: [AbortOnDropHandle<()>; 2],
}

/// The shared cache as it is asked for one lookup.
struct Reading {
    links: Links,
    generation: CacheGeneration,
    /// When the lookup began, on the monotonic clock.
    began: Duration,
}

/// What the database said, to be handed on to others.
struct Fill {
    domain: DomainId,
    code: Code,
    found: Found,
    reading: Reading,
}

/// Who answered first.
enum First {
    Shared(Found),
    Database(Found),
}

impl SharedCache {
    /// Over `store`, by way of `redis`. Needs a tokio runtime.
    pub(crate) fn new(store: Store, redis: Redis, clock: Clock) -> Self {
        let (fills, landing) = mpsc::channel(QUEUE);
        let tasks =
            [tokio::spawn(steward::keep(redis.clone(), store.clone())), tokio::spawn(land(landing, clock.clone()))];
        Self { redis, store, clock, fills, counts: Counts::default(), _tasks: tasks.map(AbortOnDropHandle::new) }
    }

    /// What became of lookups, and whether Redis is asked at all.
    pub(crate) fn counts(&self) -> (&Counts, bool) {
        (&self.counts, self.redis.is_usable())
    }

    /// Finds a code: here, else in the database; whichever answers first where this takes its time.
    pub(crate) async fn find(&self, key: &Key, domain: DomainId, code: &Code) -> Result<Found, StoreError> {
        let Some(reading) = self.reading() else {
            self.counts.note(Outcome::Skipped);
            return look_up(&self.store, key, domain, code).await;
        };
        match self.first(&reading, key, domain, code).await? {
            First::Shared(found) => Ok(found),
            First::Database(found) => {
                self.hand_on(domain, code, &found, reading);
                Ok(found)
            }
        }
    }

    async fn first(&self, reading: &Reading, key: &Key, domain: DomainId, code: &Code) -> Result<First, StoreError> {
        let mut asked = reading.links.ask(domain, code);
        let mut database = pin!(look_up(&self.store, key, domain, code));
        if asked.is_in_time().await {
            return match self.take(asked, reading, key, domain, code).await {
                Some(found) => Ok(First::Shared(found)),
                None => database.await.map(First::Database),
            };
        }
        let mut shared = pin!(self.take(asked, reading, key, domain, code));
        tokio::select! {
            answer = &mut shared => match answer {
                Some(found) => Ok(First::Shared(found)),
                None => database.await.map(First::Database),
            },
            answer = &mut database => match answer {
                Ok(found) => {
                    self.counts.note(Outcome::Late);
                    Ok(First::Database(found))
                }
                // Redis may still know.
                Err(error) => shared.await.map(First::Shared).ok_or(error),
            },
        }
    }

    /// The shared cache, if it can be asked now: Redis answers, and its run is the one of the generation in force.
    fn reading(&self) -> Option<Reading> {
        let generation = self.store.cache_generation();
        let links = self.redis.links(generation.number, generation.run_id.as_deref()?)?;
        Some(Reading { links, generation, began: self.clock.monotonic() })
    }

    /// What is known here of a code, if it is good for anything.
    async fn take(&self, asked: Asked, reading: &Reading, key: &Key, domain: DomainId, code: &Code) -> Option<Found> {
        let known = asked.answer(|lead| Found::link(key.clone(), lead)).await;
        let (outcome, found) = match known {
            Err(Unavailable) => (Outcome::Failed, None),
            Ok(None) => (Outcome::Miss, None),
            Ok(Some(known)) if self.is_old(&known, reading, domain, code) => (Outcome::Old, None),
            Ok(Some(known)) => (Outcome::Hit, Some(known.link.unwrap_or_else(|| Found::absence(key.clone())))),
        };
        self.counts.note(outcome);
        found
    }

    /// Whether something newer is known here than what Redis says, or another generation has begun meanwhile.
    fn is_old(&self, known: &Known<Found>, reading: &Reading, domain: DomainId, code: &Code) -> bool {
        let newest = self.store.newest_reported_version(domain, code);
        newest.is_some_and(|newest| newest > known.version) || self.store.cache_generation() != reading.generation
    }

    /// Hands on what the database said. That there is no link is not: it has no version by which it could be told from later.
    fn hand_on(&self, domain: DomainId, code: &Code, found: &Found, reading: Reading) {
        if found.is_link() {
            // Where the queue is full, this one is not missed.
            let _ = self.fills.try_send(Fill { domain, code: code.clone(), found: found.clone(), reading });
        }
    }
}

/// Asks the database.
pub(crate) async fn look_up(store: &Store, key: &Key, domain: DomainId, code: &Code) -> Result<Found, StoreError> {
    let link = store.find_lead(domain, code, |lead| Found::link(key.clone(), lead)).await?;
    Ok(link.unwrap_or_else(|| Found::absence(key.clone())))
}

/// Hands on what is still fresh, one after the other.
async fn land(mut fills: Receiver<Fill>, clock: Clock) {
    while let Some(Fill { domain, code, found, reading }) = fills.recv().await {
        if clock.monotonic().saturating_sub(reading.began) <= FRESH {
            // Whoever misses it asks the database.
            let _ = reading.links.fill(domain, &code, found.lead(), clock.now()).await;
        }
    }
}
