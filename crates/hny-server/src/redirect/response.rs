//! From a decision to a response, by one match.

use hny_domain::{Decision, Timestamp};
use hny_service::Error;
use hny_wire::{Problem, ProblemKind};
use http::header::{ALLOW, CACHE_CONTROL, LOCATION};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::app::Parts;
use crate::body::{Body, Response};
use crate::cache_policy::CachePolicy;
use crate::problem;

/// The response to a decision.
pub(super) fn of(app: &Parts, decision: &Decision<'_>, headers: &HeaderMap, now: Timestamp) -> Response {
    match decision {
        Decision::Go { location, status, until } => {
            let policy = if status.is_permanent() {
                CachePolicy::permanent(until.map(|end| now.until(end)))
            } else {
                CachePolicy::NoStore
            };
            go(location, status.as_u16(), policy)
        }
        Decision::Gone => {
            let problem = Problem::new(ProblemKind::LinkGone, "this link had an end, and it has come");
            problem::page_or_document(app, &problem, headers)
        }
        Decision::Absent => {
            let detail = "there is no link here; check the spelling, upper and lower case count";
            problem::page_or_document(app, &Problem::new(ProblemKind::LinkNotFound, detail), headers)
        }
    }
}

fn go(location: &str, status: u16, policy: CachePolicy) -> Response {
    let (Ok(location), Ok(status)) = (HeaderValue::from_str(location), StatusCode::from_u16(status)) else {
        // A target is printable ASCII, from the day it is stored: only a damaged database leads here.
        tracing::error!("a stored target is not printable ASCII");
        return problem::document(&Problem::new(ProblemKind::Internal, "the link is damaged"));
    };
    let mut response = Response::new(Body::Empty);
    *response.status_mut() = status;
    response.headers_mut().insert(LOCATION, location);
    response.headers_mut().insert(CACHE_CONTROL, policy.header());
    response
}

/// The store could not say.
pub(super) fn failed(app: &Parts, error: &Error, headers: &HeaderMap) -> Response {
    problem::page_or_document(app, &problem::of_service(error), headers)
}

/// The method is neither GET nor HEAD.
pub(super) fn method_not_allowed() -> Response {
    let detail = "a short link answers to GET and HEAD";
    let mut response = problem::document(&Problem::new(ProblemKind::MethodNotAllowed, detail));
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    response
}
