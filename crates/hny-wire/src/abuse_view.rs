//! How a report of abuse is shown.

use hny_domain::AbuseReport;
use serde::Serialize;
use utoipa::ToSchema;

/// A report of abuse.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AbuseView {
    /// Its number, as text because it may have 64 bits.
    pub id: String,
    /// The code of the link that it is about.
    pub short_code: String,
    /// The domain of that link.
    pub domain: String,
    /// What is wrong.
    pub reason: &'static str,
    /// More about it.
    pub detail: Option<String>,
    /// A name of whoever sent it, for that day.
    pub reporter: String,
    /// When it came.
    pub reported_at: String,
    /// When it was dealt with.
    pub resolved_at: Option<String>,
    /// The key that did.
    pub resolved_by: Option<String>,
}

/// Some reports.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AbuseViews {
    /// The latest first.
    pub items: Vec<AbuseView>,
    /// What to send as `cursor` for those before; nothing where there are none.
    pub next: Option<String>,
}

impl AbuseView {
    /// A report on a link of this domain.
    pub fn of(report: &AbuseReport, domain: &str) -> Self {
        Self {
            id: report.id.0.to_string(),
            short_code: report.code.to_string(),
            domain: domain.to_owned(),
            reason: report.abuse.reason.as_str(),
            detail: report.abuse.detail.clone(),
            reporter: report.reporter.clone(),
            reported_at: report.reported_at.to_string(),
            resolved_at: report.resolved_at.map(|at| at.to_string()),
            resolved_by: report.resolved_by.map(|key| key.to_string()),
        }
    }
}
