//! An API key as it is shown.

use hny_domain::{KeyId, Role, Timestamp};
use serde::Serialize;

/// An API key without its secret.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyView {
    /// Its public number.
    pub id: String,
    /// What its maker called it.
    pub name: String,
    /// What it may do.
    pub role: &'static str,
    /// When it was made.
    pub created_at: String,
    /// When it was revoked, or `null`.
    pub revoked_at: Option<String>,
}

impl KeyView {
    /// How a key is shown.
    pub fn new(id: KeyId, name: &str, role: Role, created_at: Timestamp, revoked_at: Option<Timestamp>) -> Self {
        Self {
            id: id.to_string(),
            name: name.to_owned(),
            role: role.as_str(),
            created_at: created_at.to_string(),
            revoked_at: revoked_at.map(|at| at.to_string()),
        }
    }
}

/// An API key at the only time its secret is shown.
#[derive(Clone, Serialize)]
pub struct NewKeyView {
    /// What is shown of it later too.
    #[serde(flatten)]
    pub view: KeyView,
    /// The key itself, to be sent as `Authorization: Bearer`.
    pub key: String,
}
