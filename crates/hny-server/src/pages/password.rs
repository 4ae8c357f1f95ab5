//! The page that asks for the password of a link. It says nothing of the link, not even what was asked for.

use askama::Template;
use http::header::CONTENT_SECURITY_POLICY;

use super::LEADING_ON;
use crate::body::Response;

#[derive(Template)]
#[template(path = "password.html")]
struct Password<'a> {
    prefix: &'a str,
    was_wrong: bool,
}

/// The page, for who comes, or for who was wrong.
pub(crate) fn password(prefix: &str, was_wrong: bool) -> Response {
    let mut response = super::render(&Password { prefix, was_wrong });
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, LEADING_ON);
    response
}
