//! Whether anything is known against a link: what operators block, and what a provider says of its target.
//!
//! Few visits have to ask. The entry in the cache notes which rules let the target pass: they are asked again after they changed. It
//! also notes how long the provider's word holds; nobody waits for a new one. What a visitor's path and query add is shown to the
//! rules each time, and to the provider never: it is the visitor's.

use std::borrow::Cow;

use hny_domain::{Decision, Hazard, Lead, Suspicion};
use hny_guard::{SafeBrowsing, Standing, Verdict};
use hny_resolve::Found;

use crate::app::Parts;

/// What is known against where the link leads, by what is noted of it.
pub(super) fn hazard(app: &Parts, link: &Found) -> Hazard {
    if is_blocked(app, link) {
        return Hazard::Blocked;
    }
    match &app.guard.safe_browsing {
        Some(provider) => suspected(provider, link),
        None => Hazard::None,
    }
}

/// What is known against where a link leads of which nothing is noted.
pub(super) fn hazard_of(app: &Parts, lead: Lead<'_>) -> Hazard {
    if app.guard.blocklist.check(lead.target).is_err() {
        return Hazard::Blocked;
    }
    let standing = standing(app.guard.safe_browsing.as_ref(), lead, lead.target);
    standing.and_then(suspicion).map_or(Hazard::None, Hazard::Suspected)
}

fn is_blocked(app: &Parts, link: &Found) -> bool {
    let list = &app.guard.blocklist;
    // Before the question: if they change meanwhile, it is asked again.
    let rules = list.generation();
    if link.clearance().rules() == rules {
        return false;
    }
    let is_blocked = list.check(link.lead().target).is_err();
    if !is_blocked {
        link.clearance().pass_rules(rules);
    }
    is_blocked
}

fn suspected(provider: &SafeBrowsing, link: &Found) -> Hazard {
    let lead = link.lead();
    if provider.now().as_secs() < link.clearance().until().into() {
        return Hazard::None;
    }
    let Some(standing) = standing(Some(provider), lead, lead.target) else { return Hazard::None };
    if let Some(suspicion) = suspicion(standing) {
        return Hazard::Suspected(suspicion);
    }
    link.clearance().pass_until(u32::try_from(standing.until.as_secs()).unwrap_or(u32::MAX));
    Hazard::None
}

/// What the provider says of a URL to which a link leads. It is never told of a link that is a secret.
fn standing(provider: Option<&SafeBrowsing>, lead: Lead<'_>, url: &str) -> Option<Standing> {
    provider.filter(|_| !lead.rules.is_secret()).map(|provider| provider.standing(url))
}

fn suspicion(standing: Standing) -> Option<Suspicion> {
    match standing.verdict {
        Verdict::Harmful(suspicion) => Some(suspicion),
        Verdict::Harmless | Verdict::Pending => None,
    }
}

/// The decision, where it leads to something else than the link's target: that may be blocked or suspected, too.
pub(super) fn screened<'a>(app: &Parts, lead: Option<Lead<'_>>, decision: Decision<'a>) -> Decision<'a> {
    let list = &app.guard.blocklist;
    match decision {
        Decision::Go { location: Cow::Owned(location), .. }
            if list.generation() > 0 && list.check(&location).is_err() =>
        {
            Decision::Blocked
        }
        Decision::Gone { expired_url: Some(url) } if !is_good_end(app, lead, url) => {
            Decision::Gone { expired_url: None }
        }
        decision => decision,
    }
}

fn is_good_end(app: &Parts, lead: Option<Lead<'_>>, url: &str) -> bool {
    // Nobody is asked about what is blocked.
    app.guard.blocklist.check(url).is_ok()
        && lead.and_then(|lead| standing(app.guard.safe_browsing.as_ref(), lead, url)).and_then(suspicion).is_none()
}
