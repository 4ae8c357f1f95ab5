//! What is sent to get a token for a link, and the token.

use hny_domain::TokenInput;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::read::{Shape, Unknown};
use crate::whole;

/// How long a token shall hold.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct NewToken {
    /// When it ends, RFC 3339.
    pub expires_at: Option<String>,
    /// After how many seconds it ends.
    #[serde(default, deserialize_with = "whole::optional")]
    pub expires_in: Option<i64>,
    #[serde(flatten)]
    #[schema(ignore)]
    unknown: Unknown,
}

/// A URL that opens a link without its password. It is a secret, so it is not shown in a log.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenView {
    /// The URL.
    pub url: String,
    /// When it opens the link no more.
    pub expires_at: String,
}

impl NewToken {
    /// The fields, for the domain to check.
    pub fn input(&self) -> TokenInput<'_> {
        TokenInput { expires_at: self.expires_at.as_deref(), expires_in: self.expires_in }
    }
}

impl Shape for NewToken {
    const FIELDS: &'static [&'static str] = &["expiresAt", "expiresIn"];

    fn unknown(&self) -> impl Iterator<Item = &str> {
        self.unknown.names()
    }
}
