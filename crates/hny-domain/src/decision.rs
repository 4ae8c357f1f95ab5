//! What we answer to a visit. The whole answer to "why is this 410?", and to every other status of a short link.

use std::borrow::Cow;

use crate::{Claim, Hazard, Lead, LinkState, RedirectStatus, Suspicion, Timestamp, Visit, VisitKind, target};

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
        /// The target, with what is handed on of the visitor's path and query. Printable ASCII.
        location: Cow<'a, str>,
        /// With which status.
        status: RedirectStatus,
        /// Until when this answer holds; `None` is "until the link is edited".
        until: Option<Timestamp>,
    },
    /// Ask the primary database for one of the link's clicks, and decide again by what it says.
    Claim,
    /// A browser asks ahead of time for what is counted: it is to ask again when somebody follows the link.
    TooEarly,
    /// Ask the visitor for the password.
    AskPassword,
    /// Say that it is a private link, and nothing of where it leads: the visitor follows none, and may tell others what it sees.
    Withhold,
    /// There was a link, and its time is over or it is used up.
    Gone {
        /// Where visitors go then, if the link says so.
        expired_url: Option<&'a str>,
    },
    /// There is no such link, or its owner does not want it seen now. Which of these is not told.
    Absent,
    /// An operator keeps visitors from where it leads.
    Blocked,
    /// Where it leads is said to be harmful: warn the visitor.
    Flagged {
        /// Where it leads. `None` is not told: it is not for everybody, or only for so many.
        target: Option<&'a str>,
        /// What is said to happen there.
        suspicion: Suspicion,
    },
}

/// Decides. Pure: the same link, visit and time give the same decision, on every path, cached or not. `None` is no link.
pub fn decide<'a>(lead: Option<Lead<'a>>, visit: Visit<'_>, defaults: Defaults, now: Timestamp) -> Decision<'a> {
    let Some(lead) = lead else {
        return Decision::Absent;
    };
    if visit.rest.is_some() && !lead.rules.forwards_path {
        return Decision::Absent;
    }
    match lead.rules.state(now) {
        LinkState::Disabled | LinkState::Scheduled => Decision::Absent,
        LinkState::Expired | LinkState::UsedUp => Decision::Gone { expired_url: lead.expired_url },
        LinkState::Active if lead.rules.is_locked && !visit.is_unlocked => Decision::AskPassword,
        // With a password, it is the password that says who may be told.
        LinkState::Active if lead.rules.is_private && !lead.rules.is_locked && visit.kind.only_looks() => {
            Decision::Withhold
        }
        LinkState::Active => match visit.hazard {
            Hazard::Blocked => Decision::Blocked,
            Hazard::Suspected(suspicion) => {
                let is_open = !lead.rules.is_secret() && !lead.rules.is_limited;
                Decision::Flagged { target: is_open.then_some(lead.target), suspicion }
            }
            Hazard::None if lead.rules.is_limited => claimed(lead, visit, defaults, now),
            Hazard::None => {
                // An answer to who has shown to know the password is for nobody else, and never again.
                let until = if lead.rules.is_locked { Some(now) } else { lead.rules.expires_at };
                go(lead, visit, defaults, until)
            }
        },
    }
}

/// Decides about a link of which every click is counted before it is granted.
fn claimed<'a>(lead: Lead<'a>, visit: Visit<'_>, defaults: Defaults, now: Timestamp) -> Decision<'a> {
    match visit.claim {
        Claim::None if visit.kind == VisitKind::Prefetch => Decision::TooEarly,
        Claim::None => Decision::Claim,
        Claim::Granted => go(lead, visit, defaults, Some(now)),
        Claim::Refused => Decision::Gone { expired_url: lead.expired_url },
    }
}

fn go<'a>(lead: Lead<'a>, visit: Visit<'_>, defaults: Defaults, until: Option<Timestamp>) -> Decision<'a> {
    let status = lead.rules.redirect_status.unwrap_or(defaults.redirect_status);
    Decision::Go { location: location(lead, visit, defaults), status, until }
}

fn location<'a>(lead: Lead<'a>, visit: Visit<'_>, defaults: Defaults) -> Cow<'a, str> {
    let target = match visit.rest {
        Some(rest) => Cow::Owned(target::with_path(lead.target, rest)),
        None => Cow::Borrowed(lead.target),
    };
    match visit.query {
        Some(query) if !query.is_empty() && lead.rules.forward_query.unwrap_or(defaults.forward_query) => {
            Cow::Owned(target::with_query(&target, query))
        }
        _ => target,
    }
}

#[cfg(test)]
mod tests;
