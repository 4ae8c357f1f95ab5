//! `DELETE /api/v1/links/{code}`

use axum::extract::State;
use axum::response::IntoResponse;
use http::StatusCode;
use http::header::CACHE_CONTROL;

use crate::api::Outcome;
use crate::app::App;
use crate::cache_policy::CachePolicy;
use crate::extract::{KeyHolder, LinkCode};

/// Deletes a link.
pub(crate) async fn delete(State(app): State<App>, KeyHolder(caller): KeyHolder, LinkCode(code): LinkCode) -> Outcome {
    app.links.delete(caller, &code).await?;
    Ok((StatusCode::NO_CONTENT, [(CACHE_CONTROL, CachePolicy::NoStore.header())]).into_response())
}
