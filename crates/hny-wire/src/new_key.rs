//! What is sent to make an API key.

use hny_domain::KeyInput;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::read::{Shape, Unknown};

/// A new API key as it is sent.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct NewKey {
    /// What people call it.
    #[schema(required = true, nullable = false)]
    pub name: Option<String>,
    /// What it is for: `admin`, `editor`, `creator` or `reader`.
    #[schema(required = true, nullable = false)]
    pub role: Option<String>,
    /// Whether it shall reach only the links that it makes.
    pub own_links: Option<bool>,
    /// The only domain that it shall reach.
    pub domain: Option<String>,
    /// From when on it shall open nothing, RFC 3339.
    pub expires_at: Option<String>,
    #[serde(flatten)]
    #[schema(ignore)]
    unknown: Unknown,
}

impl NewKey {
    /// The fields, for the domain to check.
    pub fn input(&self) -> KeyInput<'_> {
        KeyInput {
            name: self.name.as_deref(),
            role: self.role.as_deref(),
            own_links: self.own_links,
            domain: self.domain.as_deref(),
            expires_at: self.expires_at.as_deref(),
        }
    }
}

impl Shape for NewKey {
    const FIELDS: &'static [&'static str] = &["name", "role", "ownLinks", "domain", "expiresAt"];

    fn unknown(&self) -> impl Iterator<Item = &str> {
        self.unknown.names()
    }
}
