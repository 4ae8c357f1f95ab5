//! A sliding window for each client, in this process.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::Client;
use crate::clients::Clients;
use crate::limit::{Limit, Millis, TooMany, millis};
use crate::log::{Entry, Log};

/// As much memory the windows of all clients may take: a hundred thousand clients with ten each.
const MEMORY: usize = 32 << 20;

/// What was taken by all clients, each with its instant: the limit is exact, whenever the window begins.
#[derive(Debug)]
pub(crate) struct Window {
    limit: Limit,
    taken: Mutex<Taken>,
}

#[derive(Debug)]
struct Taken {
    clients: Clients<Log>,
    /// The last number that was given.
    last: u64,
}

/// A place in a window. It counts until it leaves the window, unless it is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    number: u64,
    /// How many more the client may take now.
    pub(crate) remaining: u32,
}

impl Window {
    /// Nobody has taken anything yet.
    pub(crate) fn new(limit: Limit) -> Self {
        let clients = Clients::new(millis(limit.window), MEMORY);
        Self { limit, taken: Mutex::new(Taken { clients, last: 0 }) }
    }

    /// The limit.
    pub(crate) fn limit(&self) -> Limit {
        self.limit
    }

    /// Takes a place at `now`. Of many who ask at once no more than the limit get one.
    pub(crate) fn take(&self, client: Client, now: Duration) -> Result<Place, TooMany> {
        self.open().take(self.limit, client, millis(now))
    }

    /// Gives a place back.
    pub(crate) fn give_back(&self, client: Client, place: Place, now: Duration) {
        if let Some(log) = self.open().clients.get(client, millis(now)) {
            log.retain(|number| number != place.number);
        }
    }

    fn open(&self) -> MutexGuard<'_, Taken> {
        // Nothing is done in there that could panic half way.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn take(&mut self, limit: Limit, client: Client, now: Millis) -> Result<Place, TooMany> {
        let log = self.clients.get(client, now);
        let taken = log.as_ref().map_or(0, |log| u32::try_from(log.len()).unwrap_or(u32::MAX));
        if taken >= limit.count {
            let first = log.and_then(|log| log.first()).map_or(now, |first| first.at);
            return Err(limit.too_many(first, now));
        }
        self.last += 1;
        self.clients.push(client, Entry { at: now, mark: self.last });
        Ok(Place { number: self.last, remaining: limit.count - taken - 1 })
    }
}

#[cfg(test)]
mod tests;
