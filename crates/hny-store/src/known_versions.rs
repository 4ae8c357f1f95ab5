//! Which change of each link is the newest that is known here.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hny_domain::{Code, DomainId, Version};

use crate::Change;

/// How many of the newest changes are kept: what a database at its busiest makes in more than a minute, in some 5 MB.
const LIMIT: usize = 100_000;

/// The newest known change of each link, for the last changes; for all other links one version that is new enough.
#[derive(Debug, Default)]
pub(crate) struct KnownVersions {
    state: Mutex<State>,
    /// Links are kept by a keyed hash, which nobody outside can make collide. Where two do, both count as changed when one
    /// was: their owner is asked once more, which harms nothing.
    hasher: RandomState,
}

#[derive(Debug, Default)]
struct State {
    newest: HashMap<u64, Version>,
    /// In the order in which they became known.
    order: VecDeque<(u64, Version)>,
    /// No change of a link that is not in `newest` is known that is newer.
    floor: Version,
}

impl KnownVersions {
    /// Says that every change up to `floor` counts as known. To be called before the first change is noted.
    pub(crate) fn start_at(&self, floor: Version) {
        let mut state = self.state();
        state.floor = state.floor.max(floor);
    }

    /// Forgets everything, because the database is not the one that it was.
    pub(crate) fn start_again_at(&self, floor: Version) {
        *self.state() = State { floor, ..State::default() };
    }

    pub(crate) fn note(&self, changes: &[Change]) {
        let mut state = self.state();
        for change in changes {
            state.note(self.hash(change.domain, &change.code), change.version, LIMIT);
        }
    }

    /// The newest known change of this link, or a version that none of its known changes is newer than.
    pub(crate) fn of(&self, domain: DomainId, code: &Code) -> Version {
        let hash = self.hash(domain, code);
        let state = self.state();
        state.newest.get(&hash).copied().unwrap_or(state.floor)
    }

    /// The newest change of this link that was noted, unless that is forgotten.
    pub(crate) fn noted(&self, domain: DomainId, code: &Code) -> Option<Version> {
        self.state().newest.get(&self.hash(domain, code)).copied()
    }

    fn hash(&self, domain: DomainId, code: &Code) -> u64 {
        self.hasher.hash_one((domain, code))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn note(&mut self, link: u64, version: Version, limit: usize) {
        let newest = self.newest.entry(link).or_default();
        if version <= *newest {
            return;
        }
        *newest = version;
        self.order.push_back((link, version));
        while self.order.len() > limit {
            self.forget_first();
        }
    }

    fn forget_first(&mut self) {
        let Some((link, version)) = self.order.pop_front() else { return };
        self.floor = self.floor.max(version);
        if self.newest.get(&link) == Some(&version) {
            self.newest.remove(&link);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Code {
        Code::parse(text).unwrap()
    }

    fn change(text: &str, version: u64) -> Change {
        Change { domain: DomainId::BASE, code: code(text), version: Version(version) }
    }

    fn of(known: &KnownVersions, text: &str) -> u64 {
        known.of(DomainId::BASE, &code(text)).0
    }

    #[test]
    fn the_newest_change_of_a_link_is_known() {
        let known = KnownVersions::default();
        known.start_at(Version(5));
        known.note(&[change("a", 7), change("b", 8)]);
        known.note(&[change("a", 6)]);
        assert_eq!((of(&known, "a"), of(&known, "b"), of(&known, "c")), (7, 8, 5), "an older one changes nothing");
        let noted = |text| known.noted(DomainId::BASE, &code(text));
        assert_eq!((noted("a"), noted("c")), (Some(Version(7)), None));
        known.note(&[change("a", 9)]);
        assert_eq!((of(&known, "a"), known.of(DomainId(1), &code("a"))), (9, Version(5)));
        known.start_again_at(Version(2));
        assert_eq!((of(&known, "a"), of(&known, "c")), (2, 2));
    }

    #[test]
    fn what_is_forgotten_raises_the_floor() {
        let mut state = State { floor: Version(1), ..State::default() };
        for (link, version) in [(10, 2), (11, 3), (10, 4), (12, 5)] {
            state.note(link, Version(version), 2);
        }
        assert_eq!(state.floor, Version(3), "2 and 3 are forgotten");
        assert_eq!(state.newest, HashMap::from([(10, Version(4)), (12, Version(5))]));
        assert_eq!(state.order.len(), 2);
    }

    #[test]
    fn what_comes_late_keeps_its_place() {
        let mut state = State::default();
        for (link, version) in [(10, 9), (11, 8), (12, 10)] {
            state.note(link, Version(version), 2);
        }
        assert_eq!(state.floor, Version(9));
        assert_eq!(state.newest.get(&11), Some(&Version(8)), "older than the floor, and known all the same");
    }
}
