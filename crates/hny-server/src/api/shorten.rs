//! `POST /api/shorten`, and `POST /shorten`: the short way to a short URL.

use axum::extract::State;
use hny_wire::{NewLink, Shortened};

use super::{Outcome, created};
use crate::app::App;
use crate::extract::{Anyone, Json};

/// Makes a link and answers the little that most callers want of it.
pub(crate) async fn shorten(State(app): State<App>, Anyone(caller): Anyone, Json(new): Json<NewLink>) -> Outcome {
    let link = app.links.create(caller, new.input()).await?;
    app.metrics.link_created();
    let shortened = Shortened::of(&link, &app.base);
    Ok(created(&shortened.short_url, &shortened))
}
