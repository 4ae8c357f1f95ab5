//! An API key as it is shown.

use hny_domain::{ApiKey, Domains};
use serde::Serialize;
use utoipa::ToSchema;

/// An API key without its secret.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyView {
    /// Its public number.
    pub id: String,
    /// What its maker called it.
    pub name: String,
    /// What it is for: `admin`, `editor`, `creator` or `reader`.
    pub role: &'static str,
    /// Whether it reaches only the links that it made.
    pub own_links: bool,
    /// The only domain that it reaches; `null` is every domain.
    pub domain: Option<String>,
    /// When it was made.
    pub created_at: String,
    /// From when on it opens nothing, or `null`.
    pub expires_at: Option<String>,
    /// When it was revoked, or `null`.
    pub revoked_at: Option<String>,
    /// When it was used last, some minutes more or less, or `null`.
    pub last_used_at: Option<String>,
}

impl KeyView {
    /// How a key is shown.
    pub fn of(key: &ApiKey, domains: &Domains) -> Self {
        Self {
            id: key.id.to_string(),
            name: key.name.clone(),
            role: key.grant.role().as_str(),
            own_links: key.grant.has_own_links_only(),
            domain: key.grant.domain().map(|domain| domains.name_of(domain)),
            created_at: key.created_at.to_string(),
            expires_at: key.expires_at.map(|end| end.to_string()),
            revoked_at: key.revoked_at.map(|at| at.to_string()),
            last_used_at: key.last_used_at.map(|at| at.to_string()),
        }
    }
}

/// API keys.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct KeyList {
    /// The keys, by their numbers.
    pub items: Vec<KeyView>,
}

/// An API key at the only time its secret is shown.
#[derive(Clone, Serialize, ToSchema)]
pub struct NewKeyView {
    /// What is shown of it later too.
    #[serde(flatten)]
    pub view: KeyView,
    /// The key itself, to be sent as `Authorization: Bearer`.
    pub key: String,
}
