//! `POST /api/v1/links`

use axum::extract::State;
use hny_domain::Link;
use hny_service::Answer;
use hny_wire::NewLink;
use http::StatusCode;

use crate::api::Outcome;
use crate::api::answer::{answer, created};
use crate::api::making::make;
use crate::api::password::hashed;
use crate::app::{App, Parts};
use crate::extract::{Anyone, FromClient, Posted};

/// Makes a link; `Location` is where the API has it.
pub(crate) async fn create(
    State(app): State<App>,
    Anyone(caller): Anyone,
    FromClient(client): FromClient,
    posted: Posted<NewLink>,
) -> Outcome {
    let from = (caller, client);
    let making = async |turn: Option<&_>| {
        let wish = app.links.wish(caller, posted.shape.input())?;
        let wish = hashed(&app, wish, posted.shape.password()).await?;
        Box::pin(make(&app, from, wish, turn, show)).await
    };
    Box::pin(posted.once(&app, from, making)).await
}

fn show(app: &Parts, link: &Link, is_new: bool) -> Answer {
    let view = super::view(app, link);
    let answer = if is_new { created(super::place(app, link), &view) } else { answer(StatusCode::OK, &view) };
    Answer { version: Some(link.version), ..answer }
}
