//! A click as a row.

use std::sync::Arc;

use clickhouse::Row;
use hny_domain::{Click, ClickId, LinkId, Timestamp, Traits, VisitKind, VisitorId};
use hny_store::Home;
use serde::{Deserialize, Serialize};

/// What `clicks` has of one, in the form of `RowBinary`.
#[derive(Debug, Row, Serialize, Deserialize)]
pub(super) struct ClickRow<'a> {
    id: u64,
    link: i64,
    owner: i64,
    domain: u32,
    /// Milliseconds.
    at: i64,
    kind: i8,
    visitor: Option<u64>,
    country: Option<&'a str>,
    referrer: Option<&'a str>,
    browser: Option<&'a str>,
    os: Option<&'a str>,
    device: Option<&'a str>,
    language: Option<&'a str>,
}

/// The number of nobody: those of keys begin with 1.
const NOBODY: i64 = 0;

impl<'a> ClickRow<'a> {
    pub(super) fn of(click: &'a Click, home: Home) -> Self {
        let traits = &click.traits;
        Self {
            id: click.id.0,
            link: click.link.0,
            owner: home.owner.map_or(NOBODY, |key| key.0),
            domain: home.domain.0,
            at: click.at.as_millis(),
            kind: number(click.kind),
            visitor: click.visitor.map(|visitor| visitor.0),
            country: traits.country.as_deref(),
            referrer: traits.referrer.as_deref(),
            browser: traits.browser.as_deref(),
            os: traits.os.as_deref(),
            device: traits.device.as_deref(),
            language: traits.language.as_deref(),
        }
    }

    /// The click; `None` for a kind that this version does not know.
    pub(super) fn click(&self) -> Option<Click> {
        let text = |text: Option<&str>| text.map(Arc::from);
        Some(Click {
            id: ClickId(self.id),
            link: LinkId(self.link),
            at: Timestamp::from_millis(self.at),
            kind: VisitKind::ALL.into_iter().find(|kind| number(*kind) == self.kind)?,
            visitor: self.visitor.map(VisitorId),
            traits: Traits {
                country: text(self.country),
                referrer: text(self.referrer),
                browser: text(self.browser),
                os: text(self.os),
                device: text(self.device),
                language: text(self.language),
            },
        })
    }
}

/// As the table says.
const fn number(kind: VisitKind) -> i8 {
    match kind {
        VisitKind::Person => 0,
        VisitKind::Robot => 1,
        VisitKind::Prefetch => 2,
        VisitKind::Probe => 3,
    }
}
