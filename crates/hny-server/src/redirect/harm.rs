//! Whether anything is known against a link: what operators block.
//!
//! Rules are asked about a target once after each change of the rules: the entry in the cache notes which rules let it pass. What a
//! visitor's path and query add is asked about each time.

use std::borrow::Cow;

use hny_domain::{Decision, Hazard};
use hny_resolve::Found;

use crate::app::Parts;

/// What is known against where the link leads.
pub(super) fn hazard(app: &Parts, link: &Found) -> Hazard {
    let list = &app.guard.blocklist;
    // Before the question: if they change meanwhile, it is asked again.
    let rules = list.generation();
    if link.clearance().rules() == rules {
        return Hazard::None;
    }
    let hazard = hazard_of(app, link.lead().target);
    if hazard == Hazard::None {
        link.clearance().pass_rules(rules);
    }
    hazard
}

/// What is known against a target.
pub(super) fn hazard_of(app: &Parts, target: &str) -> Hazard {
    if app.guard.blocklist.check(target).is_err() { Hazard::Blocked } else { Hazard::None }
}

/// The decision, where it leads to something else than the link's target: that may be blocked, too.
pub(super) fn screened<'a>(app: &Parts, decision: Decision<'a>) -> Decision<'a> {
    let list = &app.guard.blocklist;
    match decision {
        Decision::Go { location: Cow::Owned(location), .. }
            if list.generation() > 0 && list.check(&location).is_err() =>
        {
            Decision::Blocked
        }
        Decision::Gone { expired_url: Some(url) } if list.check(url).is_err() => Decision::Gone { expired_url: None },
        decision => decision,
    }
}
