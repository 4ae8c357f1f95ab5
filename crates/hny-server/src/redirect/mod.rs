//! The road of a visit: path → link → decision → response.

pub(crate) mod path;
mod response;

use hny_domain::{Click, Code, Decision, DomainId, Lead, Timestamp, Visit, decide};
use hny_resolve::Cached;
use http::{HeaderMap, Method, Uri};

use crate::app::Parts;
use crate::body::Response;
use crate::metrics::Outcome;

/// Whether a link answers to this method; all others get a 405.
pub(crate) fn is_visit(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// The answer to a visit whose link, or its absence, is in the cache; `None` when it has to be looked up.
///
/// This is the hot road: no allocation but for the response itself, and nothing that waits.
pub(crate) fn from_cache(app: &Parts, code: &str, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
    match app.resolver.cached(DomainId::BASE, code) {
        Cached::Link(link) => Some(answer(app, Some(link.lead()), method, uri, headers)),
        Cached::Absent => Some(answer(app, None, method, uri, headers)),
        Cached::Unknown => None,
    }
}

/// The answer to a visit, after asking the store where the cache does not know.
pub(crate) async fn resolved(app: &Parts, code: &Code, method: &Method, uri: &Uri, headers: &HeaderMap) -> Response {
    match app.resolver.resolve(DomainId::BASE, code).await {
        Ok(link) => answer(app, link.as_ref().map(|link| link.lead()), method, uri, headers),
        Err(error) => {
            app.metrics.visit(Outcome::Failed);
            response::failed(app, &error.into(), headers)
        }
    }
}

fn answer(app: &Parts, lead: Option<Lead<'_>>, method: &Method, uri: &Uri, headers: &HeaderMap) -> Response {
    let now = time_for(app, lead);
    let visit = Visit { query: uri.query() };
    let decision = decide(lead, visit, app.defaults, now);
    app.metrics.visit(match decision {
        Decision::Go { .. } => Outcome::Go,
        Decision::Gone => Outcome::Gone,
        Decision::Absent => Outcome::Absent,
    });
    if let (Decision::Go { .. }, Some(lead), &Method::GET) = (&decision, lead, method) {
        app.recorder.record(Click { link: lead.link });
    }
    response::of(app, &decision, headers, now)
}

/// What time it is, for a link to which that matters: the others are at any time what they are.
fn time_for(app: &Parts, lead: Option<Lead<'_>>) -> Timestamp {
    if lead.is_some_and(|lead| lead.rules.has_schedule()) { app.clock.now() } else { Timestamp::from_millis(0) }
}

/// The answer to a method that links do not have.
pub(crate) fn not_a_visit() -> Response {
    response::method_not_allowed()
}
