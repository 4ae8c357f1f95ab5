//! Which versions were ours, so that the watcher need not report them a second time.

use std::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hny_domain::Version;

use crate::Change;

/// The versions that this process gave and the watcher has not passed yet, as ascending ranges.
#[derive(Debug, Default)]
pub(crate) struct OwnChanges(Mutex<Vec<RangeInclusive<u64>>>);

impl OwnChanges {
    /// Notes the changes of one transaction: all versions between the first and the last are ours.
    pub(crate) fn note(&self, changes: &[Change]) {
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else {
            return;
        };
        let (start, end) = (first.version.0, last.version.0);
        let mut ranges = self.lock();
        match ranges.last_mut() {
            Some(range) if range.end() + 1 == start => *range = *range.start()..=end,
            _ => ranges.push(start..=end),
        }
    }

    /// Passes over what is ours directly behind `seen`, and forgets what lies at or before it.
    pub(crate) fn skip(&self, seen: Version) -> Version {
        let mut seen = seen.0;
        self.lock().retain(|range| {
            if range.contains(&(seen + 1)) {
                seen = *range.end();
            }
            *range.end() > seen
        });
        Version(seen)
    }

    /// Whether this version was given by us.
    pub(crate) fn contains(&self, version: Version) -> bool {
        self.lock().iter().any(|range| range.contains(&version.0))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RangeInclusive<u64>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
