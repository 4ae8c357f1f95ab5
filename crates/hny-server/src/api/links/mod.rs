//! `/api/v1/links`.

pub(crate) mod clicks;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod edit;
mod export;
pub(crate) mod read;
pub(crate) mod stats;

use hny_domain::Link;
use hny_wire::LinkView;

use crate::app::Parts;

/// A link as it looks now.
fn view(app: &Parts, link: &Link) -> LinkView {
    LinkView::of(link, &app.base, app.clock.now())
}
