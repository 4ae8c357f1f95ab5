//! `POST /api/v1/reports/{id}/resolve`

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use hny_domain::AbuseId;
use hny_service::Error;
use http::StatusCode;

use crate::api::{Outcome, json};
use crate::app::App;
use crate::extract::{KeyHolder, Parameters};

/// Notes that a report was dealt with; for admins. Again is fine.
pub(crate) async fn resolve(
    State(app): State<App>,
    KeyHolder(caller): KeyHolder,
    id: Result<Path<i64>, PathRejection>,
    parameters: Parameters,
) -> Outcome {
    parameters.only([])?;
    let Path(id) = id.map_err(|_| Error::ReportNotFound)?;
    let report = app.abuse.resolve(caller, AbuseId(id)).await?;
    Ok(json(StatusCode::OK, &super::view(&app, &report)))
}
