//! What we answer to a visit. The whole answer to "why is this 410?", and to every other status of a short link.

use std::borrow::Cow;

use crate::{Lead, LinkState, RedirectStatus, Timestamp, Visit, target};

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

/// Decides. Pure: the same link, visit and time give the same decision, on every path, cached or not. `None` is no link.
pub fn decide<'a>(lead: Option<Lead<'a>>, visit: Visit<'_>, defaults: Defaults, now: Timestamp) -> Decision<'a> {
    let Some(lead) = lead else {
        return Decision::Absent;
    };
    match lead.rules.state(now) {
        LinkState::Active => Decision::Go {
            location: location(lead, visit, defaults),
            status: lead.rules.redirect_status.unwrap_or(defaults.redirect_status),
            until: lead.rules.expires_at,
        },
        LinkState::Expired => Decision::Gone,
        LinkState::Disabled | LinkState::Scheduled => Decision::Absent,
    }
}

fn location<'a>(lead: Lead<'a>, visit: Visit<'_>, defaults: Defaults) -> Cow<'a, str> {
    match visit.query {
        Some(query) if !query.is_empty() && lead.rules.forward_query.unwrap_or(defaults.forward_query) => {
            Cow::Owned(target::with_query(lead.target, query))
        }
        _ => Cow::Borrowed(lead.target),
    }
}

#[cfg(test)]
mod tests;
