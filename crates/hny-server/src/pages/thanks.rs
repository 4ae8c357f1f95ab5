//! The page that thanks for a report of abuse.

use askama::Template;

use crate::body::Response;

#[derive(Template)]
#[template(path = "thanks.html")]
struct Thanks<'a> {
    prefix: &'a str,
}

/// The page. It does not tell whether such a report was there already.
pub(crate) fn thanks(prefix: &str) -> Response {
    super::render(&Thanks { prefix })
}
