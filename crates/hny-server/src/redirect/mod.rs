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

use hny_domain::{Click, Code, Decision, DomainId, Lead, Timestamp, Visit, decide};
use hny_resolve::{Cached, Found};
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

/// What a visit asks for, but which link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Asked<'a> {
    /// What stood behind the `?`.
    pub(crate) query: Option<&'a str>,
    /// Whether only the head of the answer is wanted.
    pub(crate) is_head: bool,
    /// Whether a page is wanted rather than a document.
    pub(crate) wants_html: bool,
}

impl<'a> Asked<'a> {
    /// As hyper has read it.
    pub(crate) fn of(method: &Method, uri: &'a Uri, headers: &HeaderMap) -> Self {
        Self { query: uri.query(), is_head: *method == Method::HEAD, wants_html: wants_html(headers) }
    }
}

/// The answer to a visit whose link, or its absence, is in the cache; `None` when it has to be looked up.
pub(crate) fn from_cache(app: &Parts, code: &str, asked: Asked<'_>) -> Option<Response> {
    match app.resolver.cached(DomainId::BASE, code) {
        Cached::Link(link) => Some(answer(app, Some(link.lead()), asked)),
        Cached::Absent => Some(answer(app, None, asked)),
        Cached::Unknown => None,
    }
}

/// The answer to a visit, after asking the store where the cache does not know.
pub(crate) async fn resolved(app: &Parts, code: &Code, asked: Asked<'_>) -> Response {
    match app.resolver.resolve(DomainId::BASE, code).await {
        Ok(link) => answer(app, link.as_ref().map(Found::lead), asked),
        Err(error) => failed(app, &error.into(), asked),
    }
}

fn answer(app: &Parts, lead: Option<Lead<'_>>, asked: Asked<'_>) -> Response {
    let (decision, now) = decided(app, lead, asked);
    response::of(app, &decision, asked.wants_html, now)
}

/// The decision about a visit, and the time of it. By whichever way a visit came, this is where it is decided, counted, and its
/// click recorded.
fn decided<'a>(app: &Parts, lead: Option<Lead<'a>>, asked: Asked<'_>) -> (Decision<'a>, Timestamp) {
    let now = time_for(app, lead);
    let decision = decide(lead, Visit { query: asked.query }, app.defaults, now);
    app.metrics.visit(match decision {
        Decision::Go { .. } => Outcome::Go,
        Decision::Gone => Outcome::Gone,
        Decision::Absent => Outcome::Absent,
    });
    if let (Decision::Go { .. }, Some(lead), false) = (&decision, lead, asked.is_head) {
        app.recorder.record(Click { link: lead.link });
    }
    (decision, now)
}

/// What time it is, for a link to which that matters: the others are at any time what they are.
fn time_for(app: &Parts, lead: Option<Lead<'_>>) -> Timestamp {
    if lead.is_some_and(|lead| lead.rules.has_schedule()) { app.clock.now() } else { Timestamp::from_millis(0) }
}

/// The store could not say.
fn failed(app: &Parts, error: &hny_service::Error, asked: Asked<'_>) -> Response {
    app.metrics.visit(Outcome::Failed);
    response::failed(app, error, asked.wants_html)
}

/// The answer to a method that links do not have.
pub(crate) fn not_a_visit() -> Response {
    response::method_not_allowed()
}
