//! `GET /api/v1/keys`

use axum::extract::State;
use hny_wire::{KeyList, KeyView};
use http::StatusCode;

use crate::answer::{Outcome, json};
use crate::app::App;
use crate::extract::{KeyHolder, Parameters};

/// The keys that the caller may see, revoked ones too; an admin's are all.
pub(crate) async fn list(State(app): State<App>, KeyHolder(caller): KeyHolder, parameters: Parameters) -> Outcome {
    parameters.only([])?;
    let keys = app.keys.list(caller).await?;
    let items = keys.iter().map(|key| KeyView::of(key, &app.domains)).collect();
    Ok(json(StatusCode::OK, &KeyList { items }))
}
