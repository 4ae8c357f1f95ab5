//! What is blocked, as it is sent and shown.

use hny_domain::{KeyId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::read::{Shape, Unknown};

/// A rule to be added, as it is sent.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct NewBlock {
    /// A domain or a URL, in any spelling.
    #[schema(required = true, nullable = false)]
    pub rule: Option<String>,
    #[serde(flatten)]
    #[schema(ignore)]
    unknown: Unknown,
}

impl Shape for NewBlock {
    const FIELDS: &'static [&'static str] = &["rule"];

    fn unknown(&self) -> impl Iterator<Item = &str> {
        self.unknown.names()
    }
}

/// A rule that holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BlockView {
    /// What is blocked, in the one spelling that rules are kept in.
    pub rule: String,
    /// Since when.
    pub added_at: String,
    /// By which key; `null` is whoever runs the program.
    pub added_by: Option<String>,
}

impl BlockView {
    /// How a rule is shown.
    pub fn new(rule: &str, added_at: Timestamp, added_by: Option<KeyId>) -> Self {
        Self { rule: rule.to_owned(), added_at: added_at.to_string(), added_by: added_by.map(|key| key.to_string()) }
    }
}

/// A change of what is blocked, as it is on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BlockChangeView {
    /// Its number: changes are counted from 1 on.
    pub version: String,
    /// Which rule.
    pub rule: String,
    /// `added` or `removed`.
    pub action: &'static str,
    /// When.
    pub at: String,
    /// By which key; `null` is whoever runs the program.
    pub by: Option<String>,
}

impl BlockChangeView {
    /// How an addition or a removal is shown.
    pub fn new(version: u64, rule: &str, is_addition: bool, (at, by): (Timestamp, Option<KeyId>)) -> Self {
        Self {
            version: version.to_string(),
            rule: rule.to_owned(),
            action: if is_addition { "added" } else { "removed" },
            at: at.to_string(),
            by: by.map(|key| key.to_string()),
        }
    }
}

/// A page of rules.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct BlockPage {
    /// What is on it.
    pub items: Vec<BlockView>,
    /// The cursor of the next page; `null` if this is the last.
    pub next: Option<String>,
}

/// A page of changes.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct BlockChangePage {
    /// What is on it.
    pub items: Vec<BlockChangeView>,
    /// The cursor of the next page; `null` if this is the last.
    pub next: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_changes() {
        let at = Timestamp::from_millis(1_893_456_000_000);
        let rules =
            BlockPage { items: vec![BlockView::new("evil.example", at, Some(KeyId(7)))], next: Some("x".into()) };
        assert_eq!(
            serde_json::to_string(&rules).unwrap(),
            r#"{"items":[{"rule":"evil.example","addedAt":"2030-01-01T00:00:00.000Z","addedBy":"7"}],"next":"x"}"#
        );
        let change = BlockChangeView::new(3, "evil.example/a", false, (at, None));
        assert_eq!(
            serde_json::to_string(&change).unwrap(),
            r#"{"version":"3","rule":"evil.example/a","action":"removed","at":"2030-01-01T00:00:00.000Z","by":null}"#
        );
    }
}
