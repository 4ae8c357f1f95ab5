//! `/api/v1/reports`: what visitors say of links that do harm.

pub(crate) mod list;
pub(crate) mod resolve;

use hny_domain::AbuseReport;
use hny_wire::AbuseView;

use crate::app::Parts;

fn view(app: &Parts, report: &AbuseReport) -> AbuseView {
    AbuseView::of(report, app.domains.base_of(report.domain).domain())
}
