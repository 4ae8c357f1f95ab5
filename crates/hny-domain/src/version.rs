//! The place of a change in the one global order of changes.

use std::fmt;

/// A number from one sequence per database; every change of a link takes the next. Of two states of a link the one with the
/// higher version is the newer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Version(pub u64);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
