//! The road of a visit: path → link → decision → response.
//!
//! There are two ways in, with one decision behind them. Nearly every visit comes by the plain road, as bytes (`road.rs`); what is
//! unusual about its HTTP makes hyper read it first (`from_cache`, `resolved`).

mod bytes;
mod date;
mod notices;
pub(crate) mod path;
mod response;
mod road;

use hny_domain::{Code, Decision, DomainId, Lead, Timestamp, Visit, decide};
use hny_resolve::Cached;
use http::{HeaderMap, Method, Uri};

use crate::app::Parts;
use crate::body::Response;
use crate::metrics::Outcome;
use crate::problem::wants_html;

pub(crate) use bytes::Ending;
pub(crate) use date::Date;
pub(crate) use road::{Hit, PlainVisit, Road, Wanted};

/// Whether a link answers to this method; all others get a 405.
pub(crate) fn is_visit(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// The answer to a visit whose link, or its absence, is in the cache; `None` when it has to be looked up.
pub(crate) fn from_cache(app: &Parts, code: &str, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
    match app.resolver.cached(DomainId::BASE, code) {
        Cached::Link(link) => Some(answer(app, Some(link.lead()), uri, headers)),
        Cached::Absent => Some(answer(app, None, uri, headers)),
        Cached::Unknown => None,
    }
}

/// The answer to a visit, after asking the store where the cache does not know.
pub(crate) async fn resolved(app: &Parts, code: &Code, uri: &Uri, headers: &HeaderMap) -> Response {
    match app.resolver.resolve(DomainId::BASE, code).await {
        Ok(link) => answer(app, link.as_ref().map(|link| link.lead()), uri, headers),
        Err(error) => failed(app, &error.into(), wants_html(headers)),
    }
}

fn answer(app: &Parts, lead: Option<Lead<'_>>, uri: &Uri, headers: &HeaderMap) -> Response {
    let (decision, now) = decided(app, lead, uri.query());
    response::of(app, &decision, wants_html(headers), now)
}

/// The decision about a visit, counted, and the time of it. By whichever way a visit came, this is where it is decided.
fn decided<'a>(app: &Parts, lead: Option<Lead<'a>>, query: Option<&str>) -> (Decision<'a>, Timestamp) {
    let now = time_for(app, lead);
    let decision = decide(lead, Visit { query }, app.defaults, now);
    app.metrics.visit(match decision {
        Decision::Go { .. } => Outcome::Go,
        Decision::Gone => Outcome::Gone,
        Decision::Absent => Outcome::Absent,
    });
    (decision, now)
}

/// What time it is, for a link to which that matters: the others are at any time what they are.
fn time_for(app: &Parts, lead: Option<Lead<'_>>) -> Timestamp {
    if lead.is_some_and(|lead| lead.rules.has_schedule()) { app.clock.now() } else { Timestamp::from_millis(0) }
}

/// The store could not say.
fn failed(app: &Parts, error: &hny_service::Error, wants_html: bool) -> Response {
    app.metrics.visit(Outcome::Failed);
    response::failed(app, error, wants_html)
}

/// The answer to a method that links do not have.
pub(crate) fn not_a_visit() -> Response {
    response::method_not_allowed()
}
