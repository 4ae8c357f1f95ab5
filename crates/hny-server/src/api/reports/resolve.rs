//! `POST /api/v1/reports/{id}/resolve`

use axum::extract::State;
use http::StatusCode;

use crate::answer::{Outcome, json};
use crate::app::App;
use crate::extract::{KeyHolder, PathReport};

/// Notes that a report was dealt with; for admins. Again is fine.
pub(crate) async fn resolve(
    State(app): State<App>,
    KeyHolder(caller): KeyHolder,
    PathReport(report): PathReport,
) -> Outcome {
    let report = app.abuse.resolve(caller, report).await?;
    Ok(json(StatusCode::OK, &super::view(&app, &report)))
}
