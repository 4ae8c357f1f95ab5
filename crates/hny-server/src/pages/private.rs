//! The page of a private link, for who only looks at it. It says nothing of the link; its form is for a person whose program is taken
//! for a robot.

use askama::Template;
use http::header::CONTENT_SECURITY_POLICY;

use super::LEADING_ON;
use crate::body::Response;

#[derive(Template)]
#[template(path = "private.html")]
struct Private<'a> {
    prefix: &'a str,
}

/// The page.
pub(crate) fn private(prefix: &str) -> Response {
    let mut response = super::render(&Private { prefix });
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, LEADING_ON);
    response
}
