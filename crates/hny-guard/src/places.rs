//! How much each client, or each link, may have done: an exact limit that nodes share.

use std::time::Duration;

use hny_redis::{Redis, Unavailable, Verdict};

use crate::Client;
use crate::counted::Counted;
use crate::limit::{Limit, TooMany};
use crate::pseudonyms::Pseudonyms;
use crate::window::{self, Window};

/// The places that all have taken, on this node and, with Redis, on all.
///
/// The node's own window is asked first. What it has let through the others have let through too, and perhaps more, so whoever is
/// refused by it would be refused by all; and it is what is left when Redis is down, or comes back having forgotten everything.
#[derive(Debug)]
pub struct Places<K> {
    name: &'static str,
    own: Window<K>,
    shared: Option<Shared>,
}

/// How many links each client without a key may make.
pub type Creates = Places<Client>;

/// What nodes share.
#[derive(Debug)]
struct Shared {
    redis: Redis,
    pseudonyms: Pseudonyms,
}

/// A place within the limit. It counts until it leaves the window, unless it is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    own: window::Place,
    is_shared: bool,
    /// How many more may be taken now.
    pub remaining: u32,
}

impl<K: Counted> Places<K> {
    /// Nobody has taken a place on this node yet. What is counted has a name that nothing else has.
    pub fn new(name: &'static str, limit: Limit) -> Self {
        Self { name, own: Window::new(limit), shared: None }
    }

    /// The same, together with all nodes that share this Redis and have the same pseudonyms.
    #[must_use]
    pub fn sharing(self, redis: Redis, pseudonyms: Pseudonyms) -> Self {
        Self { shared: Some(Shared { redis, pseudonyms }), ..self }
    }

    /// The limit.
    pub fn limit(&self) -> Limit {
        self.own.limit()
    }

    /// Takes a place at `now`. Of many who ask at once, on whichever node, no more than the limit get one; while Redis
    /// is down, no more on each node. Waits 100 ms for Redis at most.
    pub async fn take(&self, who: K, now: Duration) -> Result<Place, TooMany> {
        let own = self.own.take(who, now)?;
        match self.ask(who).await {
            Ok(Verdict::Allowed { remaining, .. }) => Ok(Place { own, is_shared: true, remaining }),
            Ok(Verdict::Refused { retry_after, .. }) => {
                self.own.give_back(who, own, now);
                Err(TooMany { retry_after })
            }
            Err(Unavailable) => Ok(Place { own, is_shared: false, remaining: own.remaining }),
        }
    }

    /// Gives a place back, because what it was taken for does not count after all.
    pub async fn give_back(&self, who: K, place: Place, now: Duration) {
        self.own.give_back(who, place.own, now);
        if let Some(Shared { redis, pseudonyms }) = self.shared.as_ref().filter(|_| place.is_shared) {
            // Without Redis there is nothing to give it back to: it leaves the window by itself.
            let _ = redis.give_back(&pseudonyms.key(self.name, who)).await;
        }
    }

    async fn ask(&self, who: K) -> Result<Verdict, Unavailable> {
        let Shared { redis, pseudonyms } = self.shared.as_ref().ok_or(Unavailable)?;
        let Limit { count, window } = self.limit();
        redis.limit(&pseudonyms.key(self.name, who), count, window).await
    }
}
