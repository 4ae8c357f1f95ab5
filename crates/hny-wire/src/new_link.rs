//! What is sent to make a link.

use hny_domain::DraftInput;
use serde::Deserialize;

use crate::read::{Shape, Unknown};

/// A new link as it is sent.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct NewLink {
    /// The URL to shorten; `url` means the same.
    #[serde(alias = "url")]
    pub original_url: Option<String>,
    /// A code of the caller's choice.
    pub custom_code: Option<String>,
    /// The domain it shall live on.
    pub domain: Option<String>,
    /// When it ends, RFC 3339.
    pub expires_at: Option<String>,
    /// When it begins, RFC 3339.
    pub valid_from: Option<String>,
    /// 301, 302, 307 or 308.
    pub redirect_status: Option<i64>,
    /// Whether the visitor's query is handed on.
    pub forward_query: Option<bool>,
    /// A line for its owner.
    pub title: Option<String>,
    /// Whether it redirects.
    pub active: Option<bool>,
    /// Whether its code shall be so long that nobody guesses it.
    pub private: Option<bool>,
    /// Whether the chosen code may look like another chosen one.
    pub allow_lookalike: Option<bool>,
    #[serde(flatten)]
    unknown: Unknown,
}

impl NewLink {
    /// The fields, for the domain to check.
    pub fn input(&self) -> DraftInput<'_> {
        DraftInput {
            original_url: self.original_url.as_deref(),
            custom_code: self.custom_code.as_deref(),
            domain: self.domain.as_deref(),
            expires_at: self.expires_at.as_deref(),
            valid_from: self.valid_from.as_deref(),
            redirect_status: self.redirect_status,
            forward_query: self.forward_query,
            title: self.title.as_deref(),
            active: self.active,
            private: self.private,
            allow_lookalike: self.allow_lookalike,
        }
    }
}

impl Shape for NewLink {
    const FIELDS: &'static [&'static str] = &[
        "originalUrl",
        "customCode",
        "domain",
        "expiresAt",
        "validFrom",
        "redirectStatus",
        "forwardQuery",
        "title",
        "active",
        "private",
        "allowLookalike",
    ];

    fn unknown(&self) -> impl Iterator<Item = &str> {
        self.unknown.names()
    }
}
