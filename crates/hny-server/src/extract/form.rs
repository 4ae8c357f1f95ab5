//! The body of a form that a page of ours has sent.

use axum::body::Body;
use hny_wire::{Problem, ProblemKind};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};

use super::body::collect;
use crate::app::Parts;
use crate::cross_site::is_cross_site;
use crate::problem::Failure;

/// The largest form, in bytes: the longest password, with each of its bytes escaped, and the rest.
const MAX_BYTES: usize = 8 * 1024;

/// The fields of a form. They may be secret, so they cannot be shown.
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// Whether these are the headers of a form (`application/x-www-form-urlencoded`).
    pub(crate) fn is_sent(headers: &HeaderMap) -> bool {
        let kind = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        let kind = kind.split(|byte| *byte == b';').next().unwrap_or_default();
        kind.trim_ascii().eq_ignore_ascii_case(b"application/x-www-form-urlencoded")
    }

    /// Reads a form, of bounded size, in bounded time, unless another site had a browser send it.
    pub(crate) async fn read(app: &Parts, headers: &HeaderMap, body: Body) -> Result<Self, Failure> {
        if is_cross_site(headers, &app.base) {
            let detail = "open the page here and send its form again";
            return Err(Failure(Problem::new(ProblemKind::ForeignForm, detail)));
        }
        let bytes = collect(body, MAX_BYTES, app.body_timeout).await?;
        Ok(Self(form_urlencoded::parse(&bytes).into_owned().collect()))
    }

    /// The field of this name, if it is there once.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|(field, _)| field == name).map(|(_, value)| value.as_str());
        values.next().filter(|_| values.next().is_none())
    }
}
