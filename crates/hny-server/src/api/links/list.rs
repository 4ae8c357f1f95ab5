//! `GET /api/v1/links`

use axum::extract::State;
use hny_domain::ListInput;
use hny_wire::{LinkPage, LinkView};
use http::StatusCode;

use crate::answer::{Outcome, json};
use crate::app::App;
use crate::extract::{KeyHolder, Parameters};

/// What may be asked for.
const NAMES: [&str; 9] = ["search", "tag", "domain", "state", "createdFrom", "createdTo", "order", "cursor", "limit"];

/// A page of the links that the caller may see.
pub(crate) async fn list(State(app): State<App>, KeyHolder(caller): KeyHolder, parameters: Parameters) -> Outcome {
    let [search, tag, domain, state, created_from, created_to, order, cursor, limit] = parameters.only(NAMES)?;
    let input = ListInput { search, tag, domain, state, created_from, created_to, order, cursor, limit };
    let page = app.links.list(caller, input).await?;
    let now = app.clock.now();
    let items: Vec<_> =
        page.links.iter().map(|link| LinkView::of(link, app.domains.base_of(link.domain), now)).collect();
    Ok(json(StatusCode::OK, &LinkPage { items, next: page.next.map(|next| next.to_string()) }))
}
