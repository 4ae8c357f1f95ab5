//! `/api/v1/links`.

pub(crate) mod bulk;
pub(crate) mod clicks;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod edit;
mod export;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod stats;
pub(crate) mod tokens;

use hny_domain::{DomainId, Link};
use hny_wire::LinkView;
use http::StatusCode;
use http::header::ETAG;

use crate::answer::{entity_tag, json};
use crate::app::Parts;

/// The answer that shows a link, with its version as `ETag`.
fn show(app: &Parts, link: &Link) -> axum::response::Response {
    let mut response = json(StatusCode::OK, &view(app, link));
    response.headers_mut().insert(ETAG, entity_tag(link.version));
    response
}

/// A link as it looks now.
fn view(app: &Parts, link: &Link) -> LinkView {
    LinkView::of(link, app.domains.base_of(link.domain), app.clock.now())
}

/// Where the API has a link.
fn place(app: &Parts, link: &Link) -> String {
    let place = format!("{}/api/v1/links/{}", app.base.as_str(), link.code);
    match link.domain {
        DomainId::BASE => place,
        domain => format!("{place}?domain={}", app.domains.base_of(domain).domain()),
    }
}
