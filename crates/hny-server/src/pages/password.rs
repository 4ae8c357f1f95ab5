//! The page that asks for the password of a link. It says nothing of the link, not even what was asked for.

use askama::Template;
use http::HeaderValue;
use http::header::CONTENT_SECURITY_POLICY;

use crate::body::Response;

/// As every page, but that the form may lead anywhere: Chromium holds the redirect that answers a form to `form-action`, too, and the
/// right password is answered by one to the target.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self' http: https:; frame-ancestors 'none'",
);

#[derive(Template)]
#[template(path = "password.html")]
struct Password<'a> {
    prefix: &'a str,
    was_wrong: bool,
}

/// The page, for who comes, or for who was wrong.
pub(crate) fn password(prefix: &str, was_wrong: bool) -> Response {
    let mut response = super::render(&Password { prefix, was_wrong });
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, POLICY);
    response
}
