//! `POST /api/v1/keys`

use axum::extract::State;
use hny_wire::{KeyView, NewKey, NewKeyView};
use http::header::LOCATION;
use http::{HeaderValue, StatusCode};

use crate::answer::{Outcome, json};
use crate::app::App;
use crate::extract::{Json, KeyHolder, Parameters};

/// Makes an API key and shows it, this once: no answer with a key in it is kept, so it cannot be asked for again.
pub(crate) async fn create(
    State(app): State<App>,
    KeyHolder(caller): KeyHolder,
    parameters: Parameters,
    Json(new): Json<NewKey>,
) -> Outcome {
    parameters.only([])?;
    let issued = app.keys.issue(caller, new.input()).await?;
    let location = format!("{}/api/v1/keys/{}", app.base.as_str(), issued.key.id);
    let shown = NewKeyView { view: KeyView::of(&issued.key, &app.domains), key: issued.text };
    let mut response = json(StatusCode::CREATED, &shown);
    // A URL is a header value.
    response.headers_mut().extend(HeaderValue::try_from(location).ok().map(|location| (LOCATION, location)));
    Ok(response)
}
