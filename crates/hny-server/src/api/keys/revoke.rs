//! `DELETE /api/v1/keys/{id}`

use axum::extract::State;

use crate::answer::{Outcome, nothing};
use crate::app::App;
use crate::extract::{KeyHolder, PathKey};

/// Makes a key useless, at once and for good. It stays in the list, since links name it as their maker.
pub(crate) async fn revoke(State(app): State<App>, KeyHolder(caller): KeyHolder, PathKey(id): PathKey) -> Outcome {
    app.keys.revoke(caller, id).await?;
    Ok(nothing())
}
