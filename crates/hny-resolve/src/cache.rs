//! The in-process cache: links and absences, bounded by bytes.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hny_domain::DomainId;
use tokio::sync::OnceCell;

use crate::Found;
use crate::key::{Key, Sought};
use crate::table::{Mark, Table};

/// Into how many parts the cache is divided at most, so that threads seldom meet in one.
const MOST_PARTS: u64 = 256;

/// How many bytes a part has at least.
const LEAST_PART: u64 = 64 * 1024;

/// The cache, by itself: [`crate::Resolver`] has one, and sees to it that it hears of changes. All its promises about changes rest on one rule: a change removes, and never inserts.
#[derive(Debug)]
pub struct LinkCache {
    /// A power of two of them.
    parts: Box<[Part]>,
    /// Codes come from strangers, who must not be able to choose those that meet in one place of the table. So the hash has
    /// a secret that cannot be found out by watching (`SipHash`).
    secret: RandomState,
}

/// A part of the cache, apart from the others in the processor's memory too.
#[derive(Debug)]
#[repr(align(128))]
struct Part(Mutex<Contents>);

#[derive(Debug)]
struct Contents {
    table: Table,
    /// What is being looked up now.
    fills: HashMap<Key, Fill>,
}

/// A look-up that several may wait for.
type Fill = Arc<OnceCell<Found>>;

impl LinkCache {
    /// A cache of at most `bytes`, all told.
    pub fn new(bytes: u64) -> Self {
        let parts = (bytes / LEAST_PART).clamp(1, MOST_PARTS);
        let parts = 1 << parts.ilog2();
        let limit = usize::try_from(bytes / parts).unwrap_or(usize::MAX);
        let part = || Part(Mutex::new(Contents { table: Table::new(limit), fills: HashMap::new() }));
        Self { parts: (0..parts).map(|_| part()).collect(), secret: RandomState::new() }
    }

    /// The entry, if there is one. No allocation, and no waiting but for another thread in the same part: a few instructions, or,
    /// seldom, as long as it takes to double the part.
    pub fn get(&self, domain: DomainId, code: &str) -> Option<Found> {
        let sought = Sought::new(domain, code);
        let (mark, mut contents) = self.part(&sought);
        contents.table.get(mark, &sought).cloned()
    }

    /// Has the processor fetch the line in which an entry is, if there is one.
    pub(crate) fn expect(&self, domain: DomainId, code: &str) {
        let (mark, contents) = self.part(&Sought::new(domain, code));
        contents.table.expect(mark);
    }

    /// The entry; where there is none, what `fill` finds. Of many who ask for the same key at once one fills, and the others
    /// wait for it. A fill that fails keeps nothing, and the next one tries again.
    ///
    /// What `fill` found is given to those who waited, and is kept only if nothing removed the key meanwhile: whoever
    /// asks after a removal starts a fill of their own.
    pub async fn get_or_fill<E>(&self, key: &Key, fill: impl Future<Output = Result<Found, E>>) -> Result<Found, E> {
        let own = match self.get_or_join(key) {
            Ok(found) => return Ok(found),
            Err(own) => own,
        };
        let joined = Joined { cache: self, key, fill: own };
        let found = joined.fill.get_or_try_init(|| fill).await?.clone();
        joined.land(&found);
        Ok(found)
    }

    /// The entry, or the fill that will find it.
    fn get_or_join(&self, key: &Key) -> Result<Found, Fill> {
        let (mark, mut contents) = self.part(&key.sought());
        match contents.table.get(mark, &key.sought()) {
            Some(found) => Ok(found.clone()),
            None => Err(Arc::clone(contents.fills.entry(key.clone()).or_default())),
        }
    }

    /// Forgets an entry, and keeps fills that are under way from landing.
    pub(crate) fn remove(&self, key: &Key) {
        let (mark, mut contents) = self.part(&key.sought());
        contents.table.remove(mark, &key.sought());
        contents.fills.remove(key);
    }

    /// Bytes in use, all told.
    pub(crate) fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.open().table.bytes() as u64).sum()
    }

    /// Number of entries.
    pub fn entries(&self) -> usize {
        self.parts.iter().map(|part| part.open().table.len()).sum()
    }

    /// The part in which a key belongs, and its mark there.
    fn part(&self, sought: &Sought<'_>) -> (Mark, MutexGuard<'_, Contents>) {
        let hash = self.secret.hash_one(sought);
        // Different bits of the hash: the upper half for the part, the lower for the mark.
        #[expect(clippy::cast_possible_truncation, reason = "each takes the bits that it needs")]
        let (number, mark) = ((hash >> 32) as usize & (self.parts.len() - 1), hash as Mark);
        (mark, self.parts[number].open())
    }
}

impl Part {
    fn open(&self) -> MutexGuard<'_, Contents> {
        // Nothing is done in there that could panic half way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Someone who waits for a fill, or makes it.
struct Joined<'a> {
    cache: &'a LinkCache,
    key: &'a Key,
    fill: Fill,
}

impl Joined<'_> {
    /// Keeps what was found, unless that is done, or the key was removed since: then it may be of yesterday.
    fn land(&self, found: &Found) {
        let (mark, mut contents) = self.cache.part(&self.key.sought());
        if self.is_current(&contents) {
            contents.fills.remove(self.key);
            contents.table.insert(mark, found.clone());
        }
    }

    fn is_current(&self, contents: &Contents) -> bool {
        contents.fills.get(self.key).is_some_and(|fill| Arc::ptr_eq(fill, &self.fill))
    }
}

impl Drop for Joined<'_> {
    /// A fill that failed, or that its maker left, is joined by nobody any more. Who waits for it makes it for themselves.
    fn drop(&mut self) {
        if !self.fill.initialized() {
            let (_, mut contents) = self.cache.part(&self.key.sought());
            if self.is_current(&contents) {
                contents.fills.remove(self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests;
