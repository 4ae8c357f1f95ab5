//! What is answered to whoever asks how often links were followed.

use crate::{Group, Timestamp};

/// The answer to a question about clicks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Over all the time that was asked for.
    pub total: Total,
    /// The same time in pieces, ascending, without holes: its clicks and its uniques sum to the total's.
    pub series: Vec<Bucket>,
    /// The clicks by what they say in the dimension that was asked for, the most first; nothing where none was.
    pub groups: Vec<Group>,
}

/// Sums over a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Total {
    /// Clicks by persons.
    pub clicks: u64,
    /// How many visitors clicked, each counted once on each UTC day.
    pub uniques: u64,
    /// Visits by robots.
    pub robots: u64,
}

/// A piece of time: an hour, a day, a week or a month, or what of it lies within the time that was asked for. It ends where the
/// next one begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    /// Its first moment.
    pub start: Timestamp,
    /// Clicks by persons.
    pub clicks: u64,
    /// How many visitors' first click on their UTC day was one of these.
    pub uniques: u64,
}
