//! `POST /api/v1/links`

use axum::extract::State;
use hny_domain::Link;
use hny_service::Answer;
use hny_wire::NewLink;
use http::StatusCode;

use crate::answer::{Outcome, answer, created};
use crate::api::making::make_posted;
use crate::app::{App, Parts};
use crate::extract::{Anyone, FromClient, Parameters, Posted};

/// Makes a link; `Location` is where the API has it.
pub(crate) async fn create(
    State(app): State<App>,
    Anyone(caller): Anyone,
    FromClient(client): FromClient,
    parameters: Parameters,
    posted: Posted<NewLink>,
) -> Outcome {
    Box::pin(make_posted(&app, (caller, client), &parameters, posted, show)).await
}

fn show(app: &Parts, link: &Link, is_new: bool) -> Answer {
    let view = super::view(app, link);
    let answer = if is_new { created(super::place(app, link), &view) } else { answer(StatusCode::OK, &view) };
    Answer { version: Some(link.version), ..answer }
}
