//! From a decision to a response, by one match.

use std::time::Duration;

use hny_domain::{Decision, Timestamp};
use hny_guard::TooMany;
use hny_service::Error;
use hny_wire::{Problem, ProblemKind};
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_LENGTH, LOCATION, REFERRER_POLICY, RETRY_AFTER};
use http::{HeaderName, HeaderValue, StatusCode};

use crate::app::Parts;
use crate::body::{Body, Response};
use crate::cache_policy::CachePolicy;
use crate::pages;
use crate::problem::{self, whole_seconds};

/// What is kept of a redirect by who searches: nothing. The target is found by itself.
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const NO_INDEX: HeaderValue = HeaderValue::from_static("noindex");

/// The response to a decision.
pub(super) fn of(app: &Parts, decision: &Decision<'_>, wants_html: bool, now: Timestamp) -> Response {
    let (kind, detail) = match decision {
        Decision::Go { location, status, until } => {
            let policy = CachePolicy::of_redirect(*status, until.map(|end| now.until(end)));
            return go(location, status.as_u16(), policy);
        }
        // Never to be kept: the link may be given more time, or more clicks.
        Decision::Gone { expired_url: Some(url) } => return go(url, 302, CachePolicy::NoStore),
        Decision::Gone { expired_url: None } => (ProblemKind::LinkGone, "this link had an end, and it has come"),
        Decision::Absent => {
            (ProblemKind::LinkNotFound, "there is no link here; check the spelling, upper and lower case count")
        }
        Decision::Claim => (ProblemKind::Unavailable, "the clicks of this link cannot be counted now; try again"),
        Decision::TooEarly => (ProblemKind::Unavailable, "the clicks of this link are counted; follow it to open it"),
        Decision::AskPassword => return pages::password(app.base.prefix(), false),
        Decision::Withhold => return pages::private(app.base.prefix()),
        Decision::Blocked => {
            (ProblemKind::LinkBlocked, "the operators of this service keep visitors from where this link leads")
        }
        // For everybody: whoever follows links without looking at them does not follow this one.
        Decision::Flagged { target, suspicion } => {
            let mut response = pages::warning(*target, *suspicion, app.base.prefix());
            response.headers_mut().insert(ROBOTS, NO_INDEX);
            return response;
        }
    };
    problem::page_or_document(app, &Problem::new(kind, detail), wants_html)
}

fn go(location: &str, status: u16, policy: CachePolicy) -> Response {
    let (Ok(location), Ok(status)) = (HeaderValue::from_str(location), StatusCode::from_u16(status)) else {
        return damaged();
    };
    let mut response = Response::new(Body::Empty);
    *response.status_mut() = status;
    response.headers_mut().insert(LOCATION, location);
    response.headers_mut().insert(CACHE_CONTROL, policy.header());
    response.headers_mut().insert(ROBOTS, NO_INDEX);
    // To HEAD, too (RFC 9110, section 9.3.2), where hyper would leave it out.
    response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    response
}

/// The answer to the form of a link's page, if it opens the link: on to the target, by GET, so that the password is not sent there, too.
pub(super) fn opened(location: &str) -> Response {
    let mut response = go(location, 303, CachePolicy::NoStore);
    hide_referrer(&mut response);
    response
}

/// Keeps the browser from telling the target where its visitor comes from.
pub(super) fn hide_referrer(response: &mut Response) {
    response.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}

/// The answer to a wrong password.
pub(super) fn wrong_password(app: &Parts) -> Response {
    let mut response = pages::password(app.base.prefix(), true);
    *response.status_mut() = StatusCode::FORBIDDEN;
    response
}

/// This client, or whoever else tries the passwords of this link, has to wait.
pub(super) fn too_many_passwords(app: &Parts, TooMany { retry_after }: TooMany, wants_html: bool) -> Response {
    let detail = "too many wrong passwords were tried";
    wait(app, detail, retry_after, wants_html)
}

/// This client has reported enough for now.
pub(super) fn too_many_reports(app: &Parts, TooMany { retry_after }: TooMany, wants_html: bool) -> Response {
    wait(app, "too many reports came from your network", retry_after, wants_html)
}

fn wait(app: &Parts, what: &str, time: Duration, wants_html: bool) -> Response {
    let seconds = whole_seconds(time);
    let problem = Problem::new(ProblemKind::TooManyRequests, format!("{what}; try again in {seconds} seconds"));
    let mut response = problem::page_or_document(app, &problem, wants_html);
    response.headers_mut().insert(RETRY_AFTER, seconds.into());
    response
}

/// The target is not printable ASCII, as it was from the day it was stored: the database is damaged.
pub(super) fn damaged() -> Response {
    tracing::error!("a stored target is not printable ASCII");
    problem::document(&Problem::new(ProblemKind::Internal, "the link is damaged"))
}

/// The store could not say.
pub(super) fn failed(app: &Parts, error: &Error, wants_html: bool) -> Response {
    problem::page_or_document(app, &problem::of_service(error), wants_html)
}

/// This client has to wait.
pub(super) fn too_many(app: &Parts, TooMany { retry_after }: TooMany, wants_html: bool) -> Response {
    let mut response = limited(app, wants_html);
    response.headers_mut().insert(RETRY_AFTER, whole_seconds(retry_after).into());
    response
}

/// The same, but for how long.
pub(super) fn limited(app: &Parts, wants_html: bool) -> Response {
    let detail = "too many codes that lead nowhere were asked for from your network; try again later";
    problem::page_or_document(app, &Problem::new(ProblemKind::TooManyRequests, detail), wants_html)
}

/// The method is neither GET nor HEAD, and the link has no form.
pub(super) fn method_not_allowed() -> Response {
    has_not("a short link answers to GET and HEAD", "GET, HEAD")
}

/// The method is none of a preview.
pub(super) fn preview_has_not() -> Response {
    has_not("a preview answers to GET and HEAD, and its form to POST", "GET, HEAD, POST")
}

fn has_not(detail: &'static str, allowed: &'static str) -> Response {
    let mut response = problem::document(&Problem::new(ProblemKind::MethodNotAllowed, detail));
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}
