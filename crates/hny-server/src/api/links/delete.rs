//! `DELETE /api/v1/links/{code}`

use axum::extract::State;

use crate::answer::{Outcome, nothing};
use crate::app::App;
use crate::extract::{IfMatch, KeyHolder, LinkPlace};

/// Deletes a link.
pub(crate) async fn delete(
    State(app): State<App>,
    KeyHolder(caller): KeyHolder,
    LinkPlace(domain, code): LinkPlace,
    IfMatch(expected): IfMatch,
) -> Outcome {
    app.links.delete(caller, (domain, &code), expected).await?;
    Ok(nothing())
}
