//! What is asked of a list, unchecked.

use thiserror::Error;

use super::{Filter, Listing, Order};
use crate::draft::check_domain;
use crate::field::Problems;
use crate::{Domains, FieldError, LinkState, Tag, Timestamp};

/// How many links a page has that does not say.
pub const USUAL: usize = 50;

/// How many links a page may have.
pub const MOST: usize = 200;

/// The longest text to search for, in characters.
pub const MAX_SEARCH: usize = 200;

/// What somebody asked of a list. Names are those of the wire.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListInput<'a> {
    /// `search`.
    pub search: Option<&'a str>,
    /// `tag`.
    pub tag: Option<&'a str>,
    /// `domain`.
    pub domain: Option<&'a str>,
    /// `state`.
    pub state: Option<&'a str>,
    /// `createdFrom`.
    pub created_from: Option<&'a str>,
    /// `createdTo`.
    pub created_to: Option<&'a str>,
    /// `order`.
    pub order: Option<&'a str>,
    /// `cursor`.
    pub cursor: Option<&'a str>,
    /// `limit`.
    pub limit: Option<&'a str>,
}

/// Why a text cannot be searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SearchError {
    /// Every link has it.
    #[error("it has at least one character")]
    Empty,
    /// It is longer than anybody types.
    #[error("it has at most {MAX_SEARCH} characters")]
    TooLong,
}

/// The state's word is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("it is active, disabled, scheduled, expired or used-up")]
struct StateError;

/// The number is none that a page can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("it is a number from 1 to {MOST}")]
struct LimitError;

impl ListInput<'_> {
    /// Checks everything; what is wrong comes back all at once.
    pub fn check(self, domains: &Domains) -> Result<Listing, Vec<FieldError>> {
        let mut problems = Problems::default();
        let filter = Filter {
            search: self.search.and_then(|text| problems.take("search", search(text))),
            tag: self.tag.and_then(|text| problems.take("tag", Tag::parse(text))),
            domain: self.domain.and_then(|text| problems.take("domain", check_domain(text, domains))),
            state: self.state.and_then(|text| problems.take("state", state(text))),
            created_from: self.created_from.and_then(|text| problems.take("createdFrom", Timestamp::parse(text))),
            created_to: self.created_to.and_then(|text| problems.take("createdTo", Timestamp::parse(text))),
        };
        let order = self.order.map_or(Some(Order::NEWEST), |text| problems.take("order", text.parse()));
        let limit = self.limit.map_or(Some(USUAL), |text| problems.take("limit", limit(text)));
        let after = order.zip(self.cursor).and_then(|(order, text)| problems.take("cursor", order.place(text)));
        problems.finish(order.zip(limit).map(|(order, limit)| Listing { filter, order, after, limit }))
    }
}

fn search(text: &str) -> Result<String, SearchError> {
    match text.chars().count() {
        0 => Err(SearchError::Empty),
        length if length > MAX_SEARCH => Err(SearchError::TooLong),
        _ => Ok(text.to_lowercase()),
    }
}

fn state(text: &str) -> Result<LinkState, StateError> {
    LinkState::ALL.into_iter().find(|state| state.as_str() == text).ok_or(StateError)
}

fn limit(text: &str) -> Result<usize, LimitError> {
    text.parse().ok().filter(|limit| (1..=MOST).contains(limit)).ok_or(LimitError)
}
