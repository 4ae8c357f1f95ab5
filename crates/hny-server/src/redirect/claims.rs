//! Clicks of links that may be followed so many times only: each is granted by the primary database before the visitor goes.

use hny_domain::{Claim, Decision, VisitId, VisitKind, decide};
use hny_resolve::Found;
use hny_service::Error;

use super::Asked;
use super::harm::hazard;
use super::time_for;
use crate::app::Parts;

/// Claims a click of this link, if that is what the visit takes. A person takes one; what only looks takes none, and is told
/// whether there is one left.
pub(super) async fn claim(app: &Parts, link: &Found, asked: Asked<'_>, id: Option<VisitId>) -> Result<Claim, Error> {
    let (lead, visit) = (link.lead(), asked.visit(hazard(app, link), Claim::None));
    if decide(Some(lead), visit, app.defaults, time_for(app, Some(lead))) != Decision::Claim {
        return Ok(Claim::None);
    }
    let is_granted = match visit.kind {
        VisitKind::Person => app.resolver.claim_click(lead.link, id).await?,
        VisitKind::Robot | VisitKind::Prefetch | VisitKind::Probe => app.resolver.has_clicks_left(lead.link).await?,
    };
    Ok(if is_granted { Claim::Granted } else { Claim::Refused })
}
