//! `GET /api/v1/links/{code}/stats`

use axum::extract::State;
use hny_domain::Scope;

use crate::answer::Outcome;
use crate::api::stats::{answer, question};
use crate::app::App;
use crate::extract::{KeyHolder, Parameters, PathCode};

/// How often a link was followed.
pub(crate) async fn stats(
    State(app): State<App>,
    KeyHolder(caller): KeyHolder,
    PathCode(code): PathCode,
    parameters: Parameters,
) -> Outcome {
    let question = question(&app, &parameters)?;
    let link = app.links.find(caller, (parameters.domain(), &code)).await?;
    answer(&app, Scope::Link(link.id), &question).await
}
