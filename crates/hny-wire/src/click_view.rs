//! A click as the owner of its link sees it.

use hny_domain::{Click, Traits};
use serde::Serialize;
use utoipa::ToSchema;

/// All that is kept of a click, but for the link, which is the one that was asked for.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClickView<'a> {
    /// When.
    pub time: String,
    /// By whom: `person`, `robot`, `prefetch` or `probe`.
    pub kind: &'static str,
    /// A name for the visitor, the same for all of its clicks of one UTC day.
    pub visitor: Option<String>,
    /// What is known of the visitor; `null` is unknown, or not kept.
    #[serde(flatten)]
    pub traits: TraitsView<'a>,
}

/// What is known of a visitor.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TraitsView<'a> {
    /// The country's two letters.
    pub country: Option<&'a str>,
    /// The host of the page that led here.
    pub referrer: Option<&'a str>,
    /// The browser's name.
    pub browser: Option<&'a str>,
    /// The name of the operating system.
    pub os: Option<&'a str>,
    /// The class of the device.
    pub device: Option<&'a str>,
    /// The language asked for first.
    pub language: Option<&'a str>,
}

/// A page of clicks.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClickPage<'a> {
    /// The clicks, by time.
    pub items: Vec<ClickView<'a>>,
    /// The cursor of the next page; `null` if this is the last.
    pub next: Option<String>,
}

impl<'a> ClickView<'a> {
    /// How a click looks.
    pub fn of(click: &'a Click) -> Self {
        Self {
            time: click.at.to_string(),
            kind: click.kind.name(),
            visitor: click.visitor.map(|visitor| format!("{:016x}", visitor.0)),
            traits: TraitsView::of(&click.traits),
        }
    }
}

impl<'a> TraitsView<'a> {
    fn of(traits: &'a Traits) -> Self {
        Self {
            country: traits.country.as_deref(),
            referrer: traits.referrer.as_deref(),
            browser: traits.browser.as_deref(),
            os: traits.os.as_deref(),
            device: traits.device.as_deref(),
            language: traits.language.as_deref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hny_domain::{ClickId, LinkId, Timestamp, VisitKind, VisitorId};

    use super::*;

    #[test]
    fn a_page() {
        let text = |text: &str| Some(Arc::from(text));
        let known = Traits {
            country: text("KR"),
            referrer: text("news.example"),
            browser: text("Firefox"),
            os: text("Linux"),
            device: text("desktop"),
            language: text("ko"),
        };
        let click = |kind, visitor, traits| Click {
            id: ClickId(1),
            link: LinkId(2),
            at: Timestamp::from_millis(1_893_456_000_123),
            kind,
            visitor,
            traits,
        };
        let clicks = [
            click(VisitKind::Person, Some(VisitorId(u64::MAX - 1)), known),
            click(VisitKind::Robot, None, Traits::default()),
        ];
        let next = Some("1-2".to_owned());
        insta::assert_json_snapshot!(ClickPage { items: clicks.iter().map(ClickView::of).collect(), next });
    }
}
