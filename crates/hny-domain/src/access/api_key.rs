//! The API key.

use super::{Grant, KeyId};
use crate::Timestamp;

/// An API key, without the secret that proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Its public number, never given twice.
    pub id: KeyId,
    /// A name for people; several keys may have the same.
    pub name: String,
    /// What it was given, once and for good.
    pub grant: Grant,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it opens nothing; `None` is never.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it was used last, about; `None` is never.
    pub last_used_at: Option<Timestamp>,
}

impl ApiKey {
    /// Whether its time is over at `now`.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| now >= end)
    }
}
