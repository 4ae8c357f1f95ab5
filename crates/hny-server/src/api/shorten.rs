//! `POST /api/shorten`, and `POST /shorten`: the short way to a short URL.

use axum::extract::State;
use hny_domain::Link;
use hny_service::Answer;
use hny_wire::{NewLink, Shortened};
use http::StatusCode;

use super::Outcome;
use super::answer::{answer, created};
use super::making::make;
use super::password::hashed;
use crate::app::{App, Parts};
use crate::extract::{Anyone, FromClient, Posted};

/// Makes a link and answers the little that most callers want of it.
pub(crate) async fn shorten(
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
    let shortened = Shortened::of(link, app.domains.base_of(link.domain));
    if is_new { created(shortened.short_url.clone(), &shortened) } else { answer(StatusCode::OK, &shortened) }
}
