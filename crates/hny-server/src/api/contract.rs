//! `GET /api/v1/openapi.json`

use axum::extract::State;
use http::StatusCode;

use crate::answer::json;
use crate::app::App;
use crate::contract::document;

/// The contract.
pub(crate) async fn contract(State(app): State<App>) -> axum::response::Response {
    json(StatusCode::OK, &document(&app.domains))
}
