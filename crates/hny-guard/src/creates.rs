//! How many links a client without a key may make.

use std::time::Duration;

use hny_redis::{Redis, Unavailable, Verdict};

use crate::Client;
use crate::limit::{Limit, TooMany};
use crate::pseudonyms::Pseudonyms;
use crate::window::{self, Window};

/// The creates of all clients, on this node and, with Redis, on all.
///
/// The node's own window is asked first. What it has let through the others have let through too, and perhaps more, so whoever is
/// refused by it would be refused by all; and it is what is left when Redis is down, or comes back having forgotten everything.
#[derive(Debug)]
pub struct Creates {
    own: Window,
    shared: Option<Shared>,
}

/// What nodes share.
#[derive(Debug)]
struct Shared {
    redis: Redis,
    pseudonyms: Pseudonyms,
}

/// A place within the limit, for one create. It counts until it leaves the window, unless it is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    own: window::Place,
    is_shared: bool,
    /// How many more the client may take now.
    pub remaining: u32,
}

impl Creates {
    /// Nobody has made a link on this node yet.
    pub fn new(limit: Limit) -> Self {
        Self { own: Window::new(limit), shared: None }
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

    /// Takes a place for a create at `now`. Of many who ask at once, on whichever node, no more than the limit get one; while Redis
    /// is down, no more on each node. Waits 100 ms for Redis at most.
    pub async fn take(&self, client: Client, now: Duration) -> Result<Place, TooMany> {
        let own = self.own.take(client, now)?;
        match self.ask(client).await {
            Ok(Verdict::Allowed { remaining, .. }) => Ok(Place { own, is_shared: true, remaining }),
            Ok(Verdict::Refused { retry_after, .. }) => {
                self.own.give_back(client, own, now);
                Err(TooMany { retry_after })
            }
            Err(Unavailable) => Ok(Place { own, is_shared: false, remaining: own.remaining }),
        }
    }

    /// Gives a place back, because nothing came of the create and it was not the client's fault.
    pub async fn give_back(&self, client: Client, place: Place, now: Duration) {
        self.own.give_back(client, place.own, now);
        if let Some(Shared { redis, pseudonyms }) = self.shared.as_ref().filter(|_| place.is_shared) {
            // Without Redis there is nothing to give it back to: it leaves the window by itself.
            let _ = redis.give_back(&pseudonyms.key(client)).await;
        }
    }

    async fn ask(&self, client: Client) -> Result<Verdict, Unavailable> {
        let Shared { redis, pseudonyms } = self.shared.as_ref().ok_or(Unavailable)?;
        let Limit { count, window } = self.limit();
        redis.limit(&pseudonyms.key(client), count, window).await
    }
}
