//! `GET /api/v1/keys/{id}`

use axum::extract::State;
use hny_wire::KeyView;
use http::StatusCode;

use crate::answer::{Outcome, json};
use crate::app::App;
use crate::extract::{KeyHolder, PathKey};

/// All that may be said of a key. Every key may ask for itself.
pub(crate) async fn read(State(app): State<App>, KeyHolder(caller): KeyHolder, PathKey(id): PathKey) -> Outcome {
    let key = app.keys.find(caller, id).await?;
    Ok(json(StatusCode::OK, &KeyView::of(&key, &app.domains)))
}
