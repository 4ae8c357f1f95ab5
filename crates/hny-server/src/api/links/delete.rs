//! `DELETE /api/v1/links/{code}`

use axum::extract::State;

use crate::api::{Outcome, nothing};
use crate::app::App;
use crate::extract::{KeyHolder, LinkCode};

/// Deletes a link.
pub(crate) async fn delete(State(app): State<App>, KeyHolder(caller): KeyHolder, LinkCode(code): LinkCode) -> Outcome {
    app.links.delete(caller, &code).await?;
    Ok(nothing())
}
