//! A link as its owner sees it.

use hny_domain::{BaseUrl, Link, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

/// All there is to say of a link, but its password.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a field of its own on the wire")]
pub struct LinkView {
    /// The URL to hand out.
    pub short_url: String,
    /// Its code.
    pub short_code: String,
    /// Codes that it had and is still found by.
    pub aliases: Vec<String>,
    /// The domain it lives on.
    pub domain: String,
    /// Where it leads.
    pub original_url: String,
    /// When it was made.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
    /// The id of the key that made it; `null` belongs to the admins.
    pub created_by: Option<String>,
    /// When it ends.
    pub expires_at: Option<String>,
    /// When it begins.
    pub valid_from: Option<String>,
    /// How often it may be followed; `null` is no limit.
    pub max_clicks: Option<u32>,
    /// How often it was followed while that had a limit.
    pub clicks_used: u32,
    /// The status it asks for; `null` follows the setting.
    pub redirect_status: Option<u16>,
    /// Whether the visitor's query is handed on; `null` follows the setting.
    pub forward_query: Option<bool>,
    /// Whether what stands behind the code in the visitor's path is handed on.
    pub forward_path: bool,
    /// Where visitors go when it is expired or used up; `null` tells them so.
    pub expired_url: Option<String>,
    /// Whether its code was made long enough that nobody guesses it.
    pub private: bool,
    /// Whether it asks for a password.
    pub has_password: bool,
    /// A line for its owner.
    pub title: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// More lines for its owner.
    pub note: Option<String>,
    /// Whether its owner has it switched on.
    pub active: bool,
    /// What it is now: `active`, `disabled`, `scheduled`, `expired` or `used-up`.
    pub state: &'static str,
    /// The change that made it what it is.
    pub version: u64,
}

impl LinkView {
    /// How a link looks at `now`.
    pub fn of(link: &Link, base: &BaseUrl, now: Timestamp) -> Self {
        Self {
            short_url: base.short_url(&link.code),
            short_code: link.code.to_string(),
            aliases: link.aliases.iter().map(ToString::to_string).collect(),
            domain: base.domain().to_owned(),
            original_url: link.target.to_string(),
            created_at: link.created_at.to_string(),
            updated_at: link.updated_at.to_string(),
            created_by: link.owner.map(|owner| owner.to_string()),
            expires_at: link.expires_at.map(|end| end.to_string()),
            valid_from: link.valid_from.map(|start| start.to_string()),
            max_clicks: link.max_clicks,
            clicks_used: link.clicks_used,
            redirect_status: link.redirect_status.map(hny_domain::RedirectStatus::as_u16),
            forward_query: link.forward_query,
            forward_path: link.forward_path,
            expired_url: link.expired_url.as_ref().map(ToString::to_string),
            private: link.private,
            has_password: link.password.is_some(),
            title: link.title.clone(),
            tags: link.tags.iter().map(ToString::to_string).collect(),
            note: link.note.clone(),
            active: link.active,
            state: link.state(now).as_str(),
            version: link.version.0,
        }
    }
}

/// A page of links.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LinkPage {
    /// What is on it.
    pub items: Vec<LinkView>,
    /// The cursor of the next page; `null` if this is the last.
    pub next: Option<String>,
}
