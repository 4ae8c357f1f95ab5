//! `PATCH /api/v1/links/{code}`

use axum::extract::State;
use hny_wire::LinkPatch;

use crate::answer::Outcome;
use crate::api::password::hashed_for;
use crate::app::App;
use crate::extract::{IfMatch, Json, KeyHolder, LinkPlace};

/// Changes a link by a merge patch (RFC 7396) and answers it as it is now.
pub(crate) async fn edit(
    State(app): State<App>,
    KeyHolder(caller): KeyHolder,
    LinkPlace(domain, code): LinkPlace,
    IfMatch(expected): IfMatch,
    Json(patch): Json<LinkPatch>,
) -> Outcome {
    let place = (domain, &code);
    let password = hashed_for(&app, (caller, place), patch.password()).await?;
    let link = app.links.edit(caller, place, patch.input(), password, expected).await?;
    Ok(super::show(&app, &link))
}
