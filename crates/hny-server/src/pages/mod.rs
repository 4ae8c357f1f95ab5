//! What people see. A page is a struct, its template in `templates/` has the same name, and both escape what they are given.

mod contact;
mod contract;
mod home;
mod notice;
mod password;
mod preview;
mod private;
mod thanks;
mod warning;

use askama::Template;
use axum::response::IntoResponse;
use hny_wire::Problem;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderName, HeaderValue};

use crate::body::{Body, Response};
use crate::cache_policy::CachePolicy;

pub(crate) use contact::security;
pub(crate) use contract::contract;
pub(crate) use home::home;
pub(crate) use password::password;
pub(crate) use preview::preview;
pub(crate) use private::private;
pub(crate) use thanks::thanks;
pub(crate) use warning::warning;

/// Nothing runs, nothing is loaded but our own style sheet, and nobody frames us.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
);

/// As every page, but that the form may lead anywhere: Chromium holds the redirect that answers a form to `form-action`, too, and the
/// form of a link is answered by one to the target.
const LEADING_ON: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self' http: https:; frame-ancestors 'none'",
);

/// What every page has, but for its own policy. A form without a referrer would say that it comes from nowhere, so the referrer
/// stays with us.
const HEADERS: [(HeaderName, HeaderValue); 8] = [
    (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
    (CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=(), payment=()"),
    ),
];

/// A page that says what went wrong; `prefix` is the path before all of ours.
pub(crate) fn problem(problem: &Problem, prefix: &str) -> Response {
    render(&notice::Notice::of(problem, prefix))
}

/// A page with the headers that every page has.
fn render(page: &impl Template) -> Response {
    // Writing into a string fails only if a template does, and none of ours can.
    let html = page.render().unwrap_or_default();
    let mut response = Response::new(Body::from(html.into_bytes()));
    response.headers_mut().extend(HEADERS);
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, POLICY);
    response
}

/// `GET /static/hny.css`.
pub(crate) async fn style_sheet() -> axum::response::Response {
    asset("text/css; charset=utf-8", include_str!("../../assets/hny.css"))
}

/// `GET /robots.txt`: short links may be followed, the API is nothing for crawlers.
pub(crate) async fn robots() -> axum::response::Response {
    asset("text/plain; charset=utf-8", "User-agent: *\nDisallow: /api/\n")
}

/// `GET /favicon.ico`: there is none, and browsers need not ask again soon.
pub(crate) async fn favicon() -> axum::response::Response {
    (http::StatusCode::NO_CONTENT, [(CACHE_CONTROL, CachePolicy::Asset.header())]).into_response()
}

fn asset(kind: &'static str, text: &'static str) -> axum::response::Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CACHE_CONTROL, CachePolicy::Asset.header()),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (headers, text).into_response()
}
