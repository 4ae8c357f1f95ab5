//! Clicks of links that may be followed so many times only: each is granted by the primary database before the visitor goes.

use hny_domain::{Claim, Decision, VisitId, VisitKind, decide};
use hny_resolve::Found;
use hny_service::Error;

use super::harm::hazard;
use super::time_for;
use super::{Asked, Granted};
use crate::app::Parts;

/// Claims a click of this link, if that is what the visit takes. A person takes one; what only looks takes none, and is told
/// whether there is one left.
pub(super) async fn claim(
    app: &Parts,
    link: &Found,
    (asked, granted): (Asked<'_>, Granted),
    id: Option<VisitId>,
) -> Result<Granted, Error> {
    let (lead, visit) = (link.lead(), asked.visit(hazard(app, link), granted));
    if decide(Some(lead), visit, app.defaults, time_for(app, Some(lead))) != Decision::Claim {
        return Ok(granted);
    }
    let is_granted = match visit.kind {
        VisitKind::Person => app.resolver.claim_click(lead.link, id).await?,
        VisitKind::Robot | VisitKind::Prefetch | VisitKind::Probe => app.resolver.has_clicks_left(lead.link).await?,
    };
    Ok(Granted { claim: if is_granted { Claim::Granted } else { Claim::Refused }, ..granted })
}
