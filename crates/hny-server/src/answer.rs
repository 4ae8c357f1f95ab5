//! What callers of the API are told, in a form that can be kept and sent again.

use axum::response::IntoResponse;
use hny_domain::Version;
use hny_service::Answer;
use hny_wire::Problem;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, LOCATION, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, StatusCode};

use crate::cache_policy::CachePolicy;
use crate::problem::Failure;

/// What a handler returns.
pub(crate) type Outcome = Result<axum::response::Response, Failure>;

/// An answer in JSON.
pub(crate) fn answer(status: StatusCode, value: &impl serde::Serialize) -> Answer {
    // Strings, numbers and lists of them: there is nothing in our shapes that could fail to become JSON.
    let body = serde_json::to_string(value).unwrap_or_default();
    Answer { status: status.as_u16(), location: None, version: None, body }
}

/// The answer that something was made: 201 and where it is.
pub(crate) fn created(location: String, value: &impl serde::Serialize) -> Answer {
    Answer { location: Some(location), ..answer(StatusCode::CREATED, value) }
}

/// The `ETag` of a link as the API shows it.
pub(crate) fn entity_tag(version: Version) -> HeaderValue {
    // Digits in quotes are a header value.
    HeaderValue::try_from(format!("\"{version}\"")).unwrap_or(HeaderValue::from_static("\"0\""))
}

/// A refusal.
pub(crate) fn refused(problem: &Problem) -> Answer {
    Answer { status: problem.status, location: None, version: None, body: json_of(problem) }
}

fn json_of(problem: &Problem) -> String {
    String::from_utf8(problem.to_json()).unwrap_or_default()
}

/// An answer in JSON as a response.
pub(crate) fn json(status: StatusCode, value: &impl serde::Serialize) -> axum::response::Response {
    reply(answer(status, value))
}

/// The answer to what is done and has nothing to say: 204.
pub(crate) fn nothing() -> axum::response::Response {
    (StatusCode::NO_CONTENT, [(CACHE_CONTROL, CachePolicy::NoStore.header())]).into_response()
}

/// An answer as a response.
pub(crate) fn reply(Answer { status, location, version, body }: Answer) -> axum::response::Response {
    let media_type = if status < 400 { "application/json" } else { "application/problem+json" };
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (CACHE_CONTROL, CachePolicy::NoStore.header()),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, headers, body).into_response();
    if let Some(location) = location.and_then(|location| HeaderValue::try_from(location).ok()) {
        response.headers_mut().insert(LOCATION, location);
    }
    if let Some(version) = version {
        response.headers_mut().insert(ETAG, entity_tag(version));
    }
    response
}
