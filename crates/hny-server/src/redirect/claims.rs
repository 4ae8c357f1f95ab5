//! Clicks of links that may be followed so many times only: each is granted by the primary database before the visitor goes.

use hny_domain::{Claim, Decision, Hazard, VisitId, VisitKind, decide};
use hny_resolve::Found;
use hny_service::Error;

use super::harm::{hazard, screened};
use super::time_for;
use super::{Asked, Granted};
use crate::app::Parts;

/// Claims a click of this link, if that is what the visit takes. A person takes one; what only looks takes none, and is told
/// whether there is one left.
///
/// None is spent on a visit that is kept from where the link leads, or warned: that is looked at before, and not again after it.
pub(super) async fn claim(
    app: &Parts,
    link: &Found,
    (asked, granted): (Asked<'_>, Granted),
    id: Option<VisitId>,
) -> Result<Granted, Error> {
    let (lead, hazard) = (link.lead(), hazard(app, link));
    let granted = Granted { hazard: Some(hazard), ..granted };
    let now = time_for(app, Some(lead));
    let decided = |granted| decide(Some(lead), asked.visit(hazard, granted), app.defaults, now);
    if decided(granted) != Decision::Claim {
        return Ok(granted);
    }
    let would_go = decided(Granted { claim: Claim::Granted, ..granted });
    if screened(app, Some(lead), would_go) == Decision::Blocked {
        return Ok(Granted { hazard: Some(Hazard::Blocked), ..granted });
    }
    let is_granted = match asked.visit(hazard, granted).kind {
        VisitKind::Person => app.resolver.claim_click(lead.link, id).await?,
        VisitKind::Robot | VisitKind::Prefetch | VisitKind::Probe => app.resolver.has_clicks_left(lead.link).await?,
    };
    Ok(Granted { claim: if is_granted { Claim::Granted } else { Claim::Refused }, ..granted })
}
