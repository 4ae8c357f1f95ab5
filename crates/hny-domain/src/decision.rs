//! What we answer to a visit. The whole answer to "why is this 410?", and to every other status of a short link.

use std::borrow::Cow;

use crate::{Link, LinkState, RedirectStatus, Timestamp, Visit};

/// What a link does when it does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Defaults {
    /// The status of its redirect.
    pub redirect_status: RedirectStatus,
    /// Whether the visitor's query is handed on to the target.
    pub forward_query: bool,
}

/// What we answer to a visit.
#[derive(Debug, PartialEq, Eq)]
pub enum Decision<'a> {
    /// Send the visitor on.
    Go {
        /// The target, with the visitor's query where that is handed on. Printable ASCII.
        location: Cow<'a, str>,
        /// With which status.
        status: RedirectStatus,
        /// Until when this answer holds; `None` is "until the link is edited".
        until: Option<Timestamp>,
    },
    /// There was a link and its time is over.
    Gone,
    /// There is no such link, or its owner does not want it seen now. Which of these is not told.
    Absent,
}

/// Decides. Pure: the same link, visit and time give the same decision, on every path, cached or not.
pub fn decide<'a>(link: Option<&'a Link>, visit: Visit<'_>, defaults: Defaults, now: Timestamp) -> Decision<'a> {
    let Some(link) = link else {
        return Decision::Absent;
    };
    match link.state(now) {
        LinkState::Active => Decision::Go {
            location: location(link, visit, defaults),
            status: link.redirect_status.unwrap_or(defaults.redirect_status),
            until: link.expires_at,
        },
        LinkState::Expired => Decision::Gone,
        LinkState::Disabled | LinkState::Scheduled => Decision::Absent,
    }
}

fn location<'a>(link: &'a Link, visit: Visit<'_>, defaults: Defaults) -> Cow<'a, str> {
    match visit.query {
        Some(query) if !query.is_empty() && link.forward_query.unwrap_or(defaults.forward_query) => {
            Cow::Owned(link.target.with_query(query))
        }
        _ => Cow::Borrowed(link.target.as_str()),
    }
}

#[cfg(test)]
mod tests;
