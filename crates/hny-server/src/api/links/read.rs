//! `GET /api/v1/links/{code}`

use axum::extract::State;
use http::StatusCode;

use crate::api::{Outcome, json};
use crate::app::App;
use crate::extract::{KeyHolder, LinkCode};

/// All there is to say of a link.
pub(crate) async fn read(State(app): State<App>, KeyHolder(caller): KeyHolder, LinkCode(code): LinkCode) -> Outcome {
    let link = app.links.find(caller, &code).await?;
    Ok(json(StatusCode::OK, &super::view(&app, &link)))
}
