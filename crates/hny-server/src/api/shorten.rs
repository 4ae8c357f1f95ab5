//! `POST /api/shorten`, and `POST /shorten`: the short way to a short URL.

use axum::extract::State;
use hny_domain::Link;
use hny_service::Answer;
use hny_wire::{NewLink, Shortened};
use http::StatusCode;

use super::making::make_posted;
use crate::answer::{Outcome, answer, created};
use crate::app::{App, Parts};
use crate::extract::{Anyone, FromClient, Parameters, Posted};

/// Makes a link and answers the little that most callers want of it.
pub(crate) async fn shorten(
    State(app): State<App>,
    Anyone(caller): Anyone,
    FromClient(client): FromClient,
    parameters: Parameters,
    posted: Posted<NewLink>,
) -> Outcome {
    Box::pin(make_posted(&app, (caller, client), &parameters, posted, show)).await
}

fn show(app: &Parts, link: &Link, is_new: bool) -> Answer {
    let shortened = Shortened::of(link, app.domains.base_of(link.domain));
    if is_new { created(shortened.short_url.clone(), &shortened) } else { answer(StatusCode::OK, &shortened) }
}
