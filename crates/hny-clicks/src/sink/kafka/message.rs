//! A click as a message: what `docs/clicks.md` says.

use hny_domain::Click;
use serde::{Serialize, Serializer};

/// Which shape this is. A field more is the same shape; a field that is gone, or means something else, is another.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Message<'a> {
    schema: u32,
    #[serde(serialize_with = "as_text")]
    id: u64,
    #[serde(serialize_with = "as_text")]
    link: i64,
    at: i64,
    kind: &'static str,
    #[serde(serialize_with = "as_text_if_known")]
    visitor: Option<u64>,
    country: Option<&'a str>,
    referrer: Option<&'a str>,
    browser: Option<&'a str>,
    os: Option<&'a str>,
    device: Option<&'a str>,
    language: Option<&'a str>,
}

/// What all messages of a link have in common, by which Kafka keeps them in their order.
pub(super) fn key(click: &Click) -> String {
    click.link.0.to_string()
}

/// Writes a click behind what `to` has.
pub(crate) fn write(click: &Click, to: &mut Vec<u8>) -> serde_json::Result<()> {
    let traits = &click.traits;
    let message = Message {
        schema: SCHEMA,
        id: click.id.0,
        link: click.link.0,
        at: click.at.as_millis(),
        kind: click.kind.name(),
        visitor: click.visitor.map(|visitor| visitor.0),
        country: traits.country.as_deref(),
        referrer: traits.referrer.as_deref(),
        browser: traits.browser.as_deref(),
        os: traits.os.as_deref(),
        device: traits.device.as_deref(),
        language: traits.language.as_deref(),
    };
    serde_json::to_writer(to, &message)
}

/// Many readers of JSON take numbers for floating points, which have 53 bits.
fn as_text<S: Serializer>(number: &impl ToString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&number.to_string())
}

#[expect(clippy::ref_option, reason = "serde hands over a reference to the field")]
fn as_text_if_known<S: Serializer>(number: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => as_text(number, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hny_domain::{ClickId, LinkId, Timestamp, Traits, VisitKind, VisitorId};

    use super::*;

    fn written(click: &Click) -> String {
        let mut message = Vec::new();
        write(click, &mut message).unwrap();
        String::from_utf8(message).unwrap()
    }

    #[test]
    fn all_that_is_known_is_in_it() {
        let text = |text: &str| Some(Arc::from(text));
        let traits = Traits {
            country: text("KR"),
            referrer: text("news.example"),
            browser: text("Firefox"),
            os: text("Linux"),
            device: text("desktop"),
            language: text("ko"),
        };
        let click = Click {
            id: ClickId(u64::MAX),
            link: LinkId(i64::MAX),
            at: Timestamp::from_millis(1_700_000_000_123),
            kind: VisitKind::Person,
            visitor: Some(VisitorId(1 << 63)),
            traits,
        };
        let expected = r#"{"schema":1,"id":"18446744073709551615","link":"9223372036854775807","at":1700000000123,"kind":"person","visitor":"9223372036854775808","country":"KR","referrer":"news.example","browser":"Firefox","os":"Linux","device":"desktop","language":"ko"}"#;
        assert_eq!(written(&click), expected);
        assert_eq!(key(&click), "9223372036854775807");
    }

    #[test]
    fn what_is_not_known_is_null() {
        let click = Click {
            id: ClickId(0),
            link: LinkId(-1),
            at: Timestamp::from_millis(0),
            kind: VisitKind::Robot,
            visitor: None,
            traits: Traits { browser: Some(Arc::from("\"\n\u{1f36f}")), ..Traits::default() },
        };
        let expected = r#"{"schema":1,"id":"0","link":"-1","at":0,"kind":"robot","visitor":null,"country":null,"referrer":null,"browser":"\"\n🍯","os":null,"device":null,"language":null}"#;
        assert_eq!(written(&click), expected);
    }
}
