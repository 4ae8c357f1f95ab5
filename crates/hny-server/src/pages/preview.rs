//! The page that says where a link leads.

use askama::Template;
use hny_domain::{AbuseReason, Link, Spelling};

use crate::body::Response;

/// The reasons for a report, as people say it.
const REASONS: [(AbuseReason, &str); 5] = [
    (AbuseReason::Phishing, "It pretends to be somebody else"),
    (AbuseReason::Malware, "It harms my device"),
    (AbuseReason::Spam, "It was sent to me and I did not want it"),
    (AbuseReason::Illegal, "It breaks the law"),
    (AbuseReason::Other, "Something else"),
];

#[derive(Template)]
#[template(path = "preview.html")]
struct Preview<'a> {
    prefix: &'a str,
    short_url: &'a str,
    created_at: String,
    /// Where it leads; `None` is not told.
    target: Option<Leads<'a>>,
    is_locked: bool,
    reasons: [(AbuseReason, &'a str); 5],
}

/// Where a link leads.
struct Leads<'a> {
    url: &'a str,
    spelling: Spelling,
}

/// The page about this link. Of one that is a secret the target is not told.
pub(crate) fn preview(link: &Link, short_url: &str, prefix: &str) -> Response {
    let rules = link.lead().rules;
    let leads = || Leads { url: link.target.as_str(), spelling: Spelling::of(&link.target) };
    super::render(&Preview {
        prefix,
        short_url,
        created_at: link.created_at.to_string(),
        target: (!rules.is_secret()).then(leads),
        is_locked: rules.is_locked,
        reasons: REASONS,
    })
}
