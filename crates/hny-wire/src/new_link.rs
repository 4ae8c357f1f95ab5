//! What is sent to make a link.

use hny_domain::DraftInput;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::read::{Shape, Unknown};
use crate::secret::Secret;
use crate::whole;

/// A new link as it is sent.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct NewLink {
    /// The URL to shorten; `url` means the same.
    #[serde(alias = "url")]
    #[schema(required = true, nullable = false)]
    pub original_url: Option<String>,
    /// A code of the caller's choice.
    pub custom_code: Option<String>,
    /// The domain it shall live on.
    pub domain: Option<String>,
    /// When it ends, RFC 3339.
    pub expires_at: Option<String>,
    /// When it begins, RFC 3339.
    pub valid_from: Option<String>,
    /// How often it may be followed.
    #[serde(default, deserialize_with = "whole::optional")]
    pub max_clicks: Option<i64>,
    /// 301, 302, 307 or 308.
    #[serde(default, deserialize_with = "whole::optional")]
    pub redirect_status: Option<i64>,
    /// Whether the visitor's query is handed on.
    pub forward_query: Option<bool>,
    /// Whether what stands behind the code in the visitor's path is handed on.
    pub forward_path: Option<bool>,
    /// Where visitors go when it is expired or used up.
    pub expired_url: Option<String>,
    /// What its visitors must know.
    #[schema(value_type = Option<String>, write_only)]
    pub password: Option<Secret>,
    /// A line for its owner.
    pub title: Option<String>,
    /// Words to find it by.
    pub tags: Option<Vec<String>>,
    /// More lines for its owner.
    pub note: Option<String>,
    /// Whether it redirects.
    pub active: Option<bool>,
    /// Whether its code shall be so long that nobody guesses it.
    pub private: Option<bool>,
    /// Whether the chosen code may look like another chosen one.
    pub allow_lookalike: Option<bool>,
    /// Whether a live link of the caller's to the same URL will do.
    pub reuse: Option<bool>,
    #[serde(flatten)]
    #[schema(ignore)]
    unknown: Unknown,
}

impl NewLink {
    /// The password, if one was sent.
    pub fn password(&self) -> Option<&str> {
        self.password.as_ref().map(Secret::reveal)
    }

    /// The fields, for the domain to check.
    pub fn input(&self) -> DraftInput<'_> {
        DraftInput {
            original_url: self.original_url.as_deref(),
            custom_code: self.custom_code.as_deref(),
            domain: self.domain.as_deref(),
            expires_at: self.expires_at.as_deref(),
            valid_from: self.valid_from.as_deref(),
            max_clicks: self.max_clicks,
            redirect_status: self.redirect_status,
            forward_query: self.forward_query,
            forward_path: self.forward_path,
            expired_url: self.expired_url.as_deref(),
            password: self.password(),
            title: self.title.as_deref(),
            tags: self.tags.as_deref(),
            note: self.note.as_deref(),
            active: self.active,
            private: self.private,
            allow_lookalike: self.allow_lookalike,
            reuse: self.reuse,
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
        "maxClicks",
        "redirectStatus",
        "forwardQuery",
        "forwardPath",
        "expiredUrl",
        "password",
        "title",
        "tags",
        "note",
        "active",
        "private",
        "allowLookalike",
        "reuse",
    ];

    fn unknown(&self) -> impl Iterator<Item = &str> {
        self.unknown.names()
    }
}
