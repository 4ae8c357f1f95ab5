//! `POST /api/shorten`, and `POST /shorten`: the short way to a short URL.

use axum::extract::State;
use hny_service::Created;
use hny_wire::{NewLink, Shortened};
use http::StatusCode;

use super::create_limit::within_limit;
use super::{Outcome, created, json};
use crate::app::App;
use crate::extract::{Anyone, FromClient, Json};

/// Makes a link and answers the little that most callers want of it.
pub(crate) async fn shorten(
    State(app): State<App>,
    Anyone(caller): Anyone,
    FromClient(client): FromClient,
    Json(new): Json<NewLink>,
) -> Outcome {
    let wish = app.links.wish(caller, new.input())?;
    let making = async {
        let Created { link, is_new } = app.links.make(&wish).await?;
        let shortened = Shortened::of(&link, &app.base);
        if !is_new {
            return Ok(json(StatusCode::OK, &shortened));
        }
        app.metrics.link_created();
        Ok(created(&shortened.short_url, &shortened))
    };
    within_limit(&app, (caller, client), making).await
}
