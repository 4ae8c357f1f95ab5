//! A click as a message: reading what `docs/clicks.md` says.

use std::sync::Arc;

use hny_domain::{Click, ClickId, LinkId, Timestamp, Traits, VisitKind, VisitorId};
use serde::Deserialize;
use thiserror::Error;

/// The shape that is read.
const SCHEMA: u32 = 1;

/// Behind the last time that ClickHouse can count by, in 2106.
const END: i64 = (1 << 32) * 1000;

#[derive(Deserialize)]
struct Message {
    id: String,
    link: String,
    at: i64,
    kind: String,
    visitor: Option<String>,
    country: Option<String>,
    referrer: Option<String>,
    browser: Option<String>,
    os: Option<String>,
    device: Option<String>,
    language: Option<String>,
}

#[derive(Deserialize)]
struct Shape {
    schema: u32,
}

/// Why a message is no click.
#[derive(Debug, Error)]
pub(super) enum NoClick {
    #[error("it is empty")]
    Empty,
    #[error("it is not the JSON that it should be: {0}")]
    Json(#[from] serde_json::Error),
    #[error("its schema is {0}, and this version reads {SCHEMA}")]
    Schema(u32),
    #[error("its {0} is none")]
    Field(&'static str),
}

/// Reads a message. Fields that this version does not know are passed over.
pub(super) fn read(message: Option<&[u8]>) -> Result<Click, NoClick> {
    let message = message.ok_or(NoClick::Empty)?;
    // First: another shape may have the fields otherwise.
    let Shape { schema } = serde_json::from_slice(message)?;
    if schema != SCHEMA {
        return Err(NoClick::Schema(schema));
    }
    let message: Message = serde_json::from_slice(message)?;
    let number = |text: &str, field| text.parse().map_err(|_| NoClick::Field(field));
    let traits = Traits {
        country: message.country.map(Arc::from),
        referrer: message.referrer.map(Arc::from),
        browser: message.browser.map(Arc::from),
        os: message.os.map(Arc::from),
        device: message.device.map(Arc::from),
        language: message.language.map(Arc::from),
    };
    Ok(Click {
        id: ClickId(number(&message.id, "id")?),
        link: LinkId(message.link.parse().map_err(|_| NoClick::Field("link"))?),
        at: Some(message.at)
            .filter(|at| (0..END).contains(at))
            .map(Timestamp::from_millis)
            .ok_or(NoClick::Field("at"))?,
        kind: VisitKind::of_name(&message.kind).ok_or(NoClick::Field("kind"))?,
        visitor: message.visitor.map(|visitor| number(&visitor, "visitor").map(VisitorId)).transpose()?,
        traits,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::kafka::message::write;

    fn click() -> Click {
        let traits = Traits { country: Some("KR".into()), os: Some("\"\n🍯".into()), ..Traits::default() };
        Click {
            id: ClickId(u64::MAX),
            link: LinkId(i64::MAX),
            at: Timestamp::from_millis(1_700_000_000_123),
            kind: VisitKind::Person,
            visitor: Some(VisitorId(1 << 63)),
            traits,
        }
    }

    fn written(click: &Click) -> String {
        let mut message = Vec::new();
        write(click, &mut message).unwrap();
        String::from_utf8(message).unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        for click in [click(), Click { visitor: None, kind: VisitKind::Probe, traits: Traits::default(), ..click() }] {
            let message = written(&click);
            assert_eq!(read(Some(message.as_bytes())).unwrap(), click);
            let more = message.replace("{\"schema\":1", "{\"schema\":1,\"more\":{\"than\":[1]}");
            assert_eq!(read(Some(more.as_bytes())).unwrap(), click);
        }
    }

    #[test]
    fn what_is_no_click_is_told() {
        let good = written(&click());
        let replaced = |from: &str, to: &str| good.replace(from, to);
        for (message, reason) in [
            (String::new(), "JSON"),
            ("{}".to_owned(), "JSON"),
            (good[..good.len() - 1].to_owned(), "JSON"),
            (replaced("\"schema\":1", "\"schema\":2"), "schema is 2"),
            (replaced("\"person\"", "\"cat\""), "kind"),
            (replaced("\"18446744073709551615\"", "\"-1\""), "id"),
            (replaced("\"9223372036854775807\"", "\"x\""), "link"),
            (replaced("1700000000123", "-1"), "at"),
            (replaced("1700000000123", "4294967296000"), "at"),
            (replaced("\"9223372036854775808\"", "\"\""), "visitor"),
        ] {
            let error = read(Some(message.as_bytes())).unwrap_err().to_string();
            assert!(error.contains(reason), "{message}: {error}");
        }
        assert!(matches!(read(None), Err(NoClick::Empty)));
        assert!(read(Some(b"\xff\xfe")).is_err());
    }
}
