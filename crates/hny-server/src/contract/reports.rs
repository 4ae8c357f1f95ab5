//! What is said of `/api/v1/reports`.

use hny_wire::{AbuseView, AbuseViews, ProblemKind};
use utoipa::openapi::path::HttpMethod::{Get, Post};

use super::call::Call;
use super::parameters;
use crate::api::reports::list::{MOST, USUAL};

pub(super) fn calls() -> Vec<Call> {
    vec![
        Call::new(Get, "/api/v1/reports", "listReports", "List reports of abuse")
            .about("What visitors say of links that do harm, the latest first; for admins.")
            .needs_key()
            .query([vec![parameters::report_state()], parameters::page(MOST, USUAL).to_vec()].concat())
            .answers::<AbuseViews>(200, "The reports.", &[])
            .can_fail([ProblemKind::NotAllowed]),
        Call::new(Post, "/api/v1/reports/{id}/resolve", "resolveReport", "Note that a report was dealt with")
            .about("For admins. Again is fine.")
            .needs_key()
            .of(parameters::id("The id of the report."), ProblemKind::ReportNotFound)
            .query([])
            .answers::<AbuseView>(200, "The report.", &[])
            .can_fail([ProblemKind::NotAllowed]),
    ]
}
