//! What somebody looks for among links, and in which order.

pub mod input;
mod order;

use hny_codes::snowflake;

use crate::{DomainId, Link, LinkId, LinkState, Tag, Timestamp};

pub use input::{ListInput, MOST, SearchError, USUAL};
pub use order::{Order, OrderError, Place, PlaceError};

/// A page of a list, as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// What its links have.
    pub filter: Filter,
    /// Their order.
    pub order: Order,
    /// Where the page begins; `None` is the beginning of the list.
    pub after: Option<Place>,
    /// How many links it has at most.
    pub limit: usize,
}

/// What a link must have to be listed. All of it; what is not set asks for nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// A part of its code, target, title or one of its tags, in small letters: large and small ones are the same.
    pub search: Option<String>,
    /// One of its tags, byte for byte.
    pub tag: Option<Tag>,
    /// Where it lives.
    pub domain: Option<DomainId>,
    /// What it is now.
    pub state: Option<LinkState>,
    /// The first moment at which it may have been made.
    pub created_from: Option<Timestamp>,
    /// The moment before which it was made.
    pub created_to: Option<Timestamp>,
}

/// An id is made within this time of the moment that its link says. (A clock that is set back does not set ids back.)
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Where the milliseconds of an id begin.
const EPOCH_MS: i64 = snowflake::EPOCH_MS.cast_signed();

/// The bits of an id below its milliseconds.
const BELOW_MS: u32 = 22;

impl Filter {
    /// Whether a link has all of it, at `now`.
    pub fn admits(&self, link: &Link, now: Timestamp) -> bool {
        self.created_from.is_none_or(|from| from <= link.created_at)
            && self.created_to.is_none_or(|to| link.created_at < to)
            && self.domain.is_none_or(|domain| domain == link.domain)
            && self.state.is_none_or(|state| state == link.state(now))
            && self.tag.as_ref().is_none_or(|tag| link.tags.contains(tag))
            && self.search.as_ref().is_none_or(|part| has_part(link, part))
    }

    /// Whether every link has all of it.
    pub fn admits_all(&self) -> bool {
        *self == Self::default()
    }

    /// The ids between which the links are that were made in time, both not included.
    pub fn ids(&self) -> (LinkId, LinkId) {
        let id = |ms: i64| ms.saturating_sub(EPOCH_MS).clamp(0, i64::MAX >> BELOW_MS) << BELOW_MS;
        let first = self.created_from.map_or(i64::MIN, |from| id(from.as_millis().saturating_sub(DAY_MS)) - 1);
        let last = self.created_to.map_or(i64::MAX, |to| id(to.as_millis().saturating_add(DAY_MS)));
        (LinkId(first), LinkId(last))
    }
}

fn has_part(link: &Link, part: &str) -> bool {
    let has = |text: &str| contains(text, part);
    has(link.code.as_str())
        || has(link.target.as_str())
        || link.title.as_deref().is_some_and(has)
        || link.tags.iter().any(|tag| has(tag.as_str()))
}

/// Whether a text contains another, which is in small letters.
fn contains(text: &str, part: &str) -> bool {
    if text.is_ascii() {
        // Nothing is copied for what most texts are.
        let (text, part) = (text.as_bytes(), part.as_bytes());
        return text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part));
    }
    text.to_lowercase().contains(part)
}

#[cfg(test)]
mod tests;
