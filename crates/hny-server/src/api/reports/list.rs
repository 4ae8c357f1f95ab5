//! `GET /api/v1/reports`

use std::str::FromStr;

use axum::extract::State;
use hny_domain::{AbuseId, Problems};
use hny_service::AbusePage;
use hny_wire::AbuseViews;
use http::StatusCode;

use crate::answer::{Outcome, json};
use crate::app::App;
use crate::extract::{KeyHolder, Parameters, invalid};
use crate::problem::Failure;

/// How many reports a page has that does not say.
pub(crate) const USUAL: u32 = 50;

/// How many it may have.
pub(crate) const MOST: u32 = 200;

/// The reports, the latest first; for admins.
pub(crate) async fn list(State(app): State<App>, KeyHolder(caller): KeyHolder, parameters: Parameters) -> Outcome {
    let page = page(&parameters)?;
    let reports = app.abuse.list(caller, page).await?;
    // A page that is not full is the last one.
    let is_full = u32::try_from(reports.len()).is_ok_and(|count| count == page.limit);
    let next = reports.last().filter(|_| is_full).map(|report| report.id.0.to_string());
    let items = reports.iter().map(|report| super::view(&app, report)).collect();
    Ok(json(StatusCode::OK, &AbuseViews { items, next }))
}

fn page(parameters: &Parameters) -> Result<AbusePage, Failure> {
    let [state, limit, cursor] = parameters.only(["state", "limit", "cursor"])?;
    let mut problems = Problems::default();
    let is_open = match state {
        None => None,
        Some("open") => Some(true),
        Some("resolved") => Some(false),
        Some(_) => {
            problems.note("state", "it is open or resolved; leave it out for both");
            None
        }
    };
    let limit = number(limit, "limit", &mut problems).unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        problems.note("limit", format_args!("it is a number from 1 to {MOST}"));
    }
    let before = number(cursor, "cursor", &mut problems).map(AbuseId);
    problems.finish(Some(AbusePage { is_open, before, limit })).map_err(invalid)
}

fn number<T: FromStr>(text: Option<&str>, name: &str, problems: &mut Problems) -> Option<T> {
    let number = text?.parse();
    problems.take(name, number.map_err(|_| "it is a number, as it stands in an answer"))
}
