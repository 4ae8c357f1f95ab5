//! The short answer to "shorten this".

use hny_domain::{BaseUrl, Link};
use serde::Serialize;
use utoipa::ToSchema;

/// What `POST /api/shorten` and `hny shorten --json` answer.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shortened {
    /// The URL to hand out.
    pub short_url: String,
    /// Its code.
    pub short_code: String,
    /// Where it leads.
    pub original_url: String,
    /// When it ends, or `null`.
    pub expires_at: Option<String>,
    /// When it was made.
    pub created_at: String,
}

impl Shortened {
    /// The answer for a link that was just made.
    pub fn of(link: &Link, base: &BaseUrl) -> Self {
        Self {
            short_url: base.short_url(&link.code),
            short_code: link.code.to_string(),
            original_url: link.target.to_string(),
            expires_at: link.expires_at.map(|end| end.to_string()),
            created_at: link.created_at.to_string(),
        }
    }
}
