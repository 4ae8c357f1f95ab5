//! What is asked of whatever keeps clicks, and what it answers. All times in it are at quarters of an hour, so that days are exact
//! in every time zone.

use std::sync::Arc;
use std::time::Duration;

use crate::{DomainId, KeyId, LinkId, Sight, Timestamp};

/// The length of a quarter.
pub const QUARTER: Duration = Duration::from_mins(15);

/// The clicks of which links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Of one.
    Link(LinkId),
    /// Of those that this key made.
    Owner(KeyId),
    /// Of those that live on this domain.
    Domain(DomainId),
    /// Of all.
    All,
}

impl From<Sight> for Scope {
    /// The clicks of all links that somebody sees. A key that is narrowed to a domain makes links nowhere else, so its own are
    /// all there.
    fn from(sight: Sight) -> Self {
        match sight {
            Sight { owner: Some(owner), .. } => Self::Owner(owner),
            Sight { domain: Some(domain), .. } => Self::Domain(domain),
            Sight { owner: None, domain: None } => Self::All,
        }
    }
}

/// A stretch of time: from its first moment on, to just before `to`. Both are at quarters of an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first moment.
    pub from: Timestamp,
    /// The moment behind the last.
    pub to: Timestamp,
}

/// What happened in a quarter of an hour, or in some of them that were asked for together (see [`crate::Grid`]). Those in which nothing
/// happened are not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quarter {
    /// When it began; within the span that was asked for.
    pub start: Timestamp,
    /// The counts.
    pub counts: KindCounts,
    /// How many visitors clicked for the first time on their UTC day, in all of the scope.
    pub uniques: u64,
}

/// Visits by kind. Those by persons are the clicks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KindCounts {
    /// By persons: the clicks.
    pub clicks: u64,
    /// By robots.
    pub robots: u64,
    /// By browsers ahead of time.
    pub prefetches: u64,
    /// For the head only.
    pub probes: u64,
}

/// The clicks by persons that say the same in one dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What they say; `None` where it is unknown, or not kept.
    pub value: Option<Arc<str>>,
    /// How many there are.
    pub clicks: u64,
    /// How many visitors' first click on their UTC day, in all of the scope, was one of these.
    pub uniques: u64,
}
