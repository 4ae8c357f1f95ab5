//! `/api/v1/links`.

pub(crate) mod clicks;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod edit;
mod export;
pub(crate) mod read;
pub(crate) mod stats;
pub(crate) mod tokens;

use hny_domain::{DomainId, Link};
use hny_wire::LinkView;

use crate::app::Parts;

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
