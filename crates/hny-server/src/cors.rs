//! Pages of other origins that may call the API from a browser (CORS, as the Fetch standard has it). No cookie of ours exists, so
//! credentials are never allowed: a page sends an API key in a field of the head, which it must have of its own.

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, CACHE_CONTROL, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use thiserror::Error;

use crate::cache_policy::CachePolicy;

/// What a page may do.
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, PATCH, DELETE");

/// What a page may send.
const SENT: HeaderValue =
    HeaderValue::from_static("Authorization, X-Api-Key, Content-Type, Idempotency-Key, If-Match, If-None-Match");

/// What a page may read of the head of an answer, beside what it always may.
const READ: HeaderValue = HeaderValue::from_static("ETag, Location, Retry-After, RateLimit, RateLimit-Policy");

/// How many seconds a browser may remember the leave; none remembers it longer by itself.
const REMEMBERED: HeaderValue = HeaderValue::from_static("7200");

/// The origins whose pages may call the API.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Origins {
    /// None but our own.
    #[default]
    Own,
    /// These, too.
    These(Vec<HeaderValue>),
    /// All there are.
    Any,
}

/// A text does not name origins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "must be origins as browsers send them, such as https://app.example or http://localhost:3000, separated by commas, or * alone"
)]
pub struct OriginsError;

impl FromStr for Origins {
    type Err = OriginsError;

    fn from_str(text: &str) -> Result<Self, OriginsError> {
        if text.trim() == "*" {
            return Ok(Self::Any);
        }
        text.split(',').map(|origin| parse(origin.trim())).collect::<Option<_>>().map(Self::These).ok_or(OriginsError)
    }
}

/// An origin exactly as a browser sends it: no path, no default port, in lower case.
fn parse(text: &str) -> Option<HeaderValue> {
    let uri: Uri = text.parse().ok()?;
    let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
    let usual = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    let is_as_sent = !text.bytes().any(|byte| byte.is_ascii_uppercase())
        && authority.port_u16() != Some(usual)
        && !authority.host().is_empty()
        && text == format!("{scheme}://{authority}")
        && !authority.as_str().contains(['@', '*']);
    is_as_sent.then(|| HeaderValue::from_str(text).ok()).flatten()
}

impl Origins {
    /// Whether anybody is let in, so that answers have to say so.
    pub(crate) fn let_in_others(&self) -> bool {
        *self != Self::Own
    }

    /// What an answer says to a page of this origin.
    fn leave(&self, origin: Option<&HeaderValue>) -> Option<HeaderValue> {
        match self {
            Self::Own => None,
            Self::Any => origin.map(|_| HeaderValue::from_static("*")),
            Self::These(origins) => origin.filter(|origin| origins.contains(origin)).cloned(),
        }
    }
}

/// Whether a path is the API's, also where there is nothing at it.
fn is_api(path: &str) -> bool {
    path == "/shorten" || path == "/api" || path.starts_with("/api/")
}

/// Answers what browsers ask beforehand, and says in every other answer who may read it.
pub(crate) async fn cors(State(origins): State<Arc<Origins>>, request: Request, next: Next) -> Response {
    if !is_api(request.uri().path()) {
        return next.run(request).await;
    }
    let leave = origins.leave(request.headers().get(ORIGIN));
    let mut response = if asks_beforehand(&request) { beforehand(leave.is_some()) } else { next.run(request).await };
    put(response.headers_mut(), &origins, leave);
    response
}

fn asks_beforehand(request: &Request) -> bool {
    let asks = request.headers().contains_key(ORIGIN) && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    asks && request.method() == Method::OPTIONS
}

/// The answer to what a browser asks beforehand: it is about the origin alone, so it is the same for every path.
fn beforehand(may: bool) -> Response {
    let mut response = (StatusCode::NO_CONTENT, [(CACHE_CONTROL, CachePolicy::NoStore.header())]).into_response();
    if may {
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, SENT);
        headers.insert(ACCESS_CONTROL_MAX_AGE, REMEMBERED);
    }
    response
}

fn put(headers: &mut HeaderMap, origins: &Origins, leave: Option<HeaderValue>) {
    if matches!(origins, Origins::These(_)) {
        headers.append(VARY, HeaderValue::from_static("origin"));
    }
    if let Some(leave) = leave {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, leave);
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, READ);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_written_as_browsers_send_them() {
        let these = |origins: &[&'static str]| {
            Ok(Origins::These(origins.iter().map(|origin| HeaderValue::from_static(origin)).collect()))
        };
        assert_eq!("https://app.example".parse(), these(&["https://app.example"]));
        assert_eq!(
            "http://localhost:3000, https://[::1]:8443".parse(),
            these(&["http://localhost:3000", "https://[::1]:8443"])
        );
        assert_eq!(" * ".parse(), Ok(Origins::Any));
    }

    #[test]
    fn what_no_browser_sends_is_refused() {
        for text in [
            "",
            ",",
            "null",
            "app.example",
            "https://app.example/",
            "https://app.example/page",
            "https://app.example?x",
            "https://App.example",
            "HTTPS://app.example",
            "https://app.example:443",
            "http://app.example:80",
            "https://user@app.example",
            "ftp://app.example",
            "https://*.example",
            "https://app.example,*",
            "https://app.example https://b.example",
        ] {
            assert_eq!(text.parse::<Origins>(), Err(OriginsError), "{text:?}");
        }
    }
}
