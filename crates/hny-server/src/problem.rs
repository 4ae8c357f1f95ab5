//! Problems as responses: a document for programs, a page for people. A failure of ours is logged here, once.

use std::error::Error as _;
use std::time::Duration;

use hny_clicks::StatisticsError;
use hny_guard::PasswordError;
use hny_service::{CodeKeyError, Error, IdsError};
use hny_wire::{Problem, ProblemKind, ReadError};
use http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, VARY, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::app::Parts;
use crate::body::{Body, Response, for_router};
use crate::cache_policy::CachePolicy;
use crate::pages;

/// Seconds after which a call that failed with 503 is worth another try.
const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("5");

/// A problem that a handler returns.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) Problem);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(of_service(&error))
    }
}

impl From<StatisticsError> for Failure {
    fn from(error: StatisticsError) -> Self {
        match error {
            StatisticsError::Store(error) => Error::Store(error).into(),
            #[cfg(feature = "clickhouse")]
            StatisticsError::ClickHouse(error) => {
                tracing::warn!(%error, "a question about clicks is not answered");
                let problem = "ClickHouse, which has the clicks, gives no answer now; try again";
                Self(Problem::new(ProblemKind::Unavailable, problem))
            }
        }
    }
}

impl From<PasswordError> for Failure {
    fn from(error: PasswordError) -> Self {
        Self(match error {
            PasswordError::Busy => Problem::new(ProblemKind::Unavailable, error.to_string()),
            PasswordError::Damaged => {
                tracing::error!(%error, "a password cannot be checked");
                Problem::new(ProblemKind::Internal, "the fault is logged")
            }
        })
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self(match error {
            ReadError::Malformed { detail, field: None } => Problem::new(ProblemKind::MalformedBody, detail),
            ReadError::Malformed { detail, field: Some(field) } => {
                Problem::of_fields(ProblemKind::MalformedBody, vec![hny_domain::FieldError::new(field, detail)])
            }
            ReadError::Fields(fields) => Problem::of_fields(ProblemKind::InvalidField, fields),
        })
    }
}

impl axum::response::IntoResponse for Failure {
    fn into_response(self) -> axum::response::Response {
        for_router(document(&self.0))
    }
}

/// What a caller is told when a verb was not done.
pub(crate) fn of_service(error: &Error) -> Problem {
    match error {
        Error::Invalid(fields) => Problem::of_fields(ProblemKind::InvalidField, fields.clone()),
        Error::Suspected(fields) => Problem::of_fields(ProblemKind::TargetSuspected, fields.clone()),
        Error::KeyNeeded(fields) if fields.is_empty() => key_needed(),
        Error::KeyNeeded(fields) => Problem::of_fields(ProblemKind::KeyNeeded, fields.clone()),
        Error::NotAllowed => {
            Problem::new(ProblemKind::NotAllowed, "this API key may not do this; use one with another role")
        }
        Error::LinkNotFound => {
            Problem::new(ProblemKind::LinkNotFound, "there is no link with this code that you may see")
        }
        Error::KeyNotFound => {
            Problem::new(ProblemKind::KeyNotFound, "there is no API key with this number that you may see")
        }
        Error::LastAdminKey => Problem::new(
            ProblemKind::LastAdminKey,
            "no other key may do everything; make one first, or have the operator revoke this one",
        ),
        Error::ReportNotFound => Problem::new(ProblemKind::ReportNotFound, "there is no report with this number"),
        Error::CodeTaken => Problem::of_fields(
            ProblemKind::CodeTaken,
            vec![hny_domain::FieldError::new(
                "customCode",
                "another link has or had this code; choose another, or leave it out",
            )],
        ),
        Error::Lookalike => Problem::of_fields(
            ProblemKind::CodeTaken,
            vec![hny_domain::FieldError::new(
                "customCode",
                "another chosen code looks like this one (0 and O, 1 and l and I); choose another, or set allowLookalike",
            )],
        ),
        Error::Outdated => Problem::new(
            ProblemKind::Outdated,
            "the link was changed since, and is not as If-Match says; read it again",
        ),
        Error::OtherRequest => Problem::new(
            ProblemKind::OtherRequest,
            "this Idempotency-Key came with another request before; send a new key with a new request",
        ),
        Error::StillRunning => Problem::new(
            ProblemKind::StillRunning,
            "the same request with this Idempotency-Key is running; send it again to have its answer",
        ),
        Error::NoFreeCode(_) | Error::CodesUsedUp => {
            Problem::new(ProblemKind::Unavailable, "no free code was found; ask the operator for longer codes")
        }
        Error::OtherCodeKey => {
            tracing::error!("{}", CodeKeyError::Different);
            Problem::new(ProblemKind::Unavailable, "this node has another code key than the others; ask the operator")
        }
        Error::Store(_) | Error::Ids(IdsError::Store(_)) => of_store(error),
        Error::Ids(error) => {
            tracing::warn!(%error, "no id can be made");
            Problem::new(ProblemKind::Unavailable, error.to_string())
        }
    }
}

fn of_store(error: &Error) -> Problem {
    // The chain of causes names files and system errors; it is for the operator, not for the caller.
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    if error.is_temporary() {
        tracing::warn!(%error, cause, "the store is not available");
        Problem::new(ProblemKind::Unavailable, "the database is not available; nothing was changed, try again")
    } else {
        tracing::error!(%error, cause, "the store is broken");
        Problem::new(ProblemKind::Internal, "the fault is logged; nothing was changed")
    }
}

/// No key, where one is needed, or one that opens nothing. The same words for all, so that nothing is learnt from them.
pub(crate) fn key_needed() -> Problem {
    Problem::new(
        ProblemKind::KeyNeeded,
        "send a valid API key, once, as 'Authorization: Bearer hny_…' or 'X-Api-Key: hny_…'",
    )
}

/// A problem document.
pub(crate) fn document(problem: &Problem) -> Response {
    let mut response = Response::new(Body::from(problem.to_json()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    // A document may repeat the name of a field, which is the caller's text.
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    with_headers(problem, response)
}

/// A page for a browser, a document for everyone else.
pub(crate) fn page_or_document(app: &Parts, problem: &Problem, wants_html: bool) -> Response {
    let mut response =
        if wants_html { with_headers(problem, pages::problem(problem, app.base.prefix())) } else { document(problem) };
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept"));
    response
}

/// There is no such page.
pub(crate) fn nothing_here(app: &Parts, wants_html: bool) -> Response {
    page_or_document(app, &Problem::new(ProblemKind::NotFound, "there is nothing at this path"), wants_html)
}

/// What belongs to a role that this node does not have. It is no 404: there may well be such a thing, and
/// who hears 404 of a link takes it for dead.
pub(crate) fn misdirected(app: &Parts, wants_html: bool) -> Response {
    let detail = "this node does not answer this path, another one does; ask the address that short URLs start with";
    page_or_document(app, &Problem::new(ProblemKind::Misdirected, detail), wants_html)
}

fn with_headers(problem: &Problem, mut response: Response) -> Response {
    // The table of problem kinds holds HTTP statuses only.
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, CachePolicy::NoStore.header());
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"hny\""));
    }
    if status == StatusCode::SERVICE_UNAVAILABLE {
        headers.insert(RETRY_AFTER, RETRY_AFTER_SECONDS);
    }
    response
}

/// A time to wait as `Retry-After` writes it: in whole seconds, rounded up, so that nobody comes too early.
pub(crate) fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// Whether a page is wanted rather than a document.
pub(crate) fn wants_html(request: &HeaderMap) -> bool {
    request.get_all(ACCEPT).iter().any(|value| names_html(value.as_bytes()))
}

/// Browsers name HTML in `Accept`; programs say `*/*`, JSON or nothing.
pub(crate) fn names_html(accept: &[u8]) -> bool {
    const HTML: &[u8] = b"text/html";
    accept.windows(HTML.len()).any(|word| word.eq_ignore_ascii_case(HTML))
}
