//! `GET /api/v1/links/{code}`

use axum::extract::State;

use crate::answer::Outcome;
use crate::app::App;
use crate::extract::{KeyHolder, LinkPlace};

/// All there is to say of a link.
pub(crate) async fn read(
    State(app): State<App>,
    KeyHolder(caller): KeyHolder,
    LinkPlace(domain, code): LinkPlace,
) -> Outcome {
    let link = app.links.find(caller, (domain, &code)).await?;
    Ok(super::show(&app, &link))
}
