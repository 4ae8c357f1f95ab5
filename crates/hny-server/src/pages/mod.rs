//! What people see. A page is a struct, its template in `templates/` has the same name, and both escape what they are given.

mod home;
mod notice;

use askama::Template;
use axum::response::IntoResponse;
use hny_wire::Problem;
use http::HeaderValue;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};

use crate::body::{Body, Response};
use crate::cache_policy::CachePolicy;

pub(crate) use home::home;

/// Nothing runs, nothing is loaded but our own style sheet, and nobody frames us.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
);

/// A page that says what went wrong; `prefix` is the path before all of ours.
pub(crate) fn problem(problem: &Problem, prefix: &str) -> Response {
    render(&notice::Notice::of(problem, prefix))
}

/// A page with the headers that every page has.
fn render(page: &impl Template) -> Response {
    // Writing into a string fails only if a template does, and none of ours can.
    let html = page.render().unwrap_or_default();
    let mut response = Response::new(Body::from(html.into_bytes()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CACHE_CONTROL, CachePolicy::NoStore.header());
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
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
