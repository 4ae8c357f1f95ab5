//! A sliding window for each of many, in this process.

use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::limit::{Limit, Millis, TooMany, millis};
use crate::log::{Entry, Log};
use crate::records::Records;

/// As much memory the windows of all may take: a hundred thousand with ten each.
const MEMORY: usize = 32 << 20;

/// What was taken by all, each with its instant: the limit is exact, whenever the window begins.
#[derive(Debug)]
pub(crate) struct Window<K> {
    limit: Limit,
    taken: Mutex<Taken<K>>,
}

#[derive(Debug)]
struct Taken<K> {
    records: Records<K, Log>,
    /// The last number that was given.
    last: u64,
}

/// A place in a window. It counts until it leaves the window, unless it is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    number: u64,
    /// How many more may be taken now.
    pub(crate) remaining: u32,
}

impl<K: Copy + Eq + Hash> Window<K> {
    /// Nobody has taken anything yet.
    pub(crate) fn new(limit: Limit) -> Self {
        let records = Records::new(millis(limit.window), MEMORY);
        Self { limit, taken: Mutex::new(Taken { records, last: 0 }) }
    }

    /// The limit.
    pub(crate) fn limit(&self) -> Limit {
        self.limit
    }

    /// Takes a place at `now`. Of many who ask at once no more than the limit get one.
    pub(crate) fn take(&self, who: K, now: Duration) -> Result<Place, TooMany> {
        self.open().take(self.limit, who, millis(now))
    }

    /// Gives a place back.
    pub(crate) fn give_back(&self, who: K, place: Place, now: Duration) {
        if let Some(log) = self.open().records.get(who, millis(now)) {
            log.retain(|number| number != place.number);
        }
    }

    fn open(&self) -> MutexGuard<'_, Taken<K>> {
        // Nothing is done in there that could panic half way.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Copy + Eq + Hash> Taken<K> {
    fn take(&mut self, limit: Limit, who: K, now: Millis) -> Result<Place, TooMany> {
        let log = self.records.get(who, now);
        let taken = log.as_ref().map_or(0, |log| u32::try_from(log.len()).unwrap_or(u32::MAX));
        if taken >= limit.count {
            let first = log.and_then(|log| log.first()).map_or(now, |first| first.at);
            return Err(limit.too_many(first, now));
        }
        self.last += 1;
        self.records.push(who, Entry { at: now, mark: self.last });
        Ok(Place { number: self.last, remaining: limit.count - taken - 1 })
    }
}

#[cfg(test)]
mod tests;
