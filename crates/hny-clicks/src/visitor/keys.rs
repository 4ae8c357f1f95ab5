//! Who is the same visitor, on one day, without knowing who it is.
//!
//! A visitor id is a hash of the network and the agent string with a key of the UTC day. All nodes share the key, by the database. A
//! day and a bit after the day is over nobody has it any more: then no one can tell whose the id was, by trying all addresses either.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::Hasher as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hny_domain::{Timestamp, VisitorId};
use hny_store::{Store, StoreError};
use siphasher::sip::SipHasher24;

/// How many milliseconds a day has.
const DAY: i64 = 86_400_000;

/// A secret for visitor ids.
pub type VisitorKey = [u8; 32];

/// The keys of today and the days beside it. All clones are one.
#[derive(Clone)]
pub struct VisitorKeys(Arc<Keys>);

struct Keys {
    by_day: Mutex<BTreeMap<i64, VisitorKey>>,
    /// From this the keys of days are made that the database has not told: nobody else has it, so a visitor who comes to two nodes on
    /// such a day is two.
    own: VisitorKey,
}

impl VisitorKeys {
    /// No day's key is known yet. `own` is random.
    pub fn new(own: VisitorKey) -> Self {
        Self(Arc::new(Keys { by_day: Mutex::default(), own }))
    }

    /// Fetches the keys of today and tomorrow, so that midnight needs no database; `draw` draws one where there is none yet. Those of the
    /// days before yesterday are destroyed, here and there.
    pub async fn fetch(
        &self,
        store: &Store,
        now: Timestamp,
        mut draw: impl FnMut() -> Option<VisitorKey> + Send,
    ) -> Result<(), StoreError> {
        let today = day(now);
        let mut fetched = Vec::new();
        for day in [today, today + 1] {
            let is_known = self.lock().contains_key(&day);
            if !is_known && let Some(fresh) = draw() {
                fetched.push((day, store.visitor_key(day, fresh).await?));
            }
        }
        if !fetched.is_empty() {
            // Once a day, and again as long as it fails.
            store.remove_visitor_keys(today - 1).await?;
            let mut known = self.lock();
            known.extend(fetched);
            known.retain(|&day, _| day >= today - 1);
        }
        Ok(())
    }

    /// The key of the day of this time.
    pub(crate) fn of_day(&self, at: Timestamp) -> DayKey {
        let day = day(at);
        let known = self.lock().get(&day).copied();
        DayKey { day, hasher: hasher(known.unwrap_or_else(|| self.own_key(day))) }
    }

    fn own_key(&self, day: i64) -> VisitorKey {
        let mut key = self.0.own;
        for (place, byte) in key.iter_mut().zip(day.to_le_bytes()) {
            *place ^= byte;
        }
        key
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<i64, VisitorKey>> {
        self.0.by_day.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for VisitorKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VisitorKeys(hidden)")
    }
}

/// The key of one day.
pub(crate) struct DayKey {
    day: i64,
    /// Has the key, and nothing else yet.
    hasher: SipHasher24,
}

impl DayKey {
    /// Whether this time is on its day.
    pub(crate) fn is_of(&self, at: Timestamp) -> bool {
        self.day == day(at)
    }

    /// Who came on its day, by what tells visitors apart.
    pub(crate) fn visitor(&self, visitor: &[u8]) -> VisitorId {
        let mut hasher = self.hasher;
        hasher.write(visitor);
        // 64 bits: among a million visitors on a day, two are taken for one with a chance of one in 37 million.
        VisitorId(hasher.finish())
    }
}

/// A hash that nobody can make, or try out, without the key (Aumasson and Bernstein: "`SipHash`: a fast short-input PRF", 2012). It takes the
/// first 128 bits of it.
fn hasher(key: VisitorKey) -> SipHasher24 {
    let mut first = [0; 16];
    first.copy_from_slice(&key[..16]);
    SipHasher24::new_with_key(&first)
}

/// The UTC day of a time, counted from 1970-01-01.
fn day(at: Timestamp) -> i64 {
    at.as_millis().div_euclid(DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDNIGHT: i64 = 20_000 * DAY;

    fn visitor(keys: &VisitorKeys, millis: i64, visitor: &str) -> VisitorId {
        keys.of_day(Timestamp::from_millis(millis)).visitor(visitor.as_bytes())
    }

    fn keys(days: &[(i64, u8)], own: u8) -> VisitorKeys {
        let keys = VisitorKeys::new([own; 32]);
        keys.lock().extend(days.iter().map(|&(day, key)| (day, [key; 32])));
        keys
    }

    #[test]
    fn a_visitor_is_the_same_on_its_day_on_every_node() {
        let (one, other) = (keys(&[(20_000, 1)], 7), keys(&[(20_000, 1)], 8));
        let first = visitor(&one, MIDNIGHT, "a");
        assert_eq!(visitor(&other, MIDNIGHT + DAY - 1, "a"), first);
        for other in ["b", "", "aa", "a\0"] {
            assert_ne!(visitor(&one, MIDNIGHT, other), first, "{other:?}");
        }
    }

    #[test]
    fn the_next_day_nobody_knows_them() {
        let keys = keys(&[(19_999, 1), (20_000, 2)], 7);
        let of = |millis| visitor(&keys, millis, "a");
        assert_ne!(of(MIDNIGHT - 1), of(MIDNIGHT));
        assert_eq!((of(MIDNIGHT - DAY), of(MIDNIGHT)), (of(MIDNIGHT - 1), of(MIDNIGHT + 5)));
    }

    #[test]
    fn while_the_database_has_not_told_the_key_a_node_has_its_own() {
        let (one, other) = (keys(&[], 7), keys(&[], 8));
        let of = |keys: &VisitorKeys, millis| visitor(keys, millis, "a");
        assert_eq!(of(&one, MIDNIGHT), of(&one, MIDNIGHT + 1));
        assert_ne!(of(&one, MIDNIGHT), of(&other, MIDNIGHT));
        assert_ne!(of(&one, MIDNIGHT), of(&one, MIDNIGHT + DAY));
    }

    #[test]
    fn keys_are_not_shown() {
        assert_eq!(format!("{:?}", keys(&[(1, 1)], 7)), "VisitorKeys(hidden)");
    }
}
