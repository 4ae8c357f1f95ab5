//! From what is in the spool to what is kept.

use std::sync::Arc;

use hashlink::LruCache;
use hny_domain::{Click, ClickId, Traits};

use crate::sink::agent::{Agent, Agents};
use crate::spool::record::Record;
use crate::visitor::anonymiser::Kept;

/// How many texts are remembered, so that clicks share them.
const REMEMBERED: usize = 8192;

/// Makes clicks of records, off the hot road.
pub(crate) struct Enricher {
    agents: Agents,
    texts: LruCache<Box<str>, Arc<str>>,
    kept: Kept,
}

impl Enricher {
    pub(crate) fn new(kept: Kept) -> Self {
        Self { agents: Agents::new(), texts: LruCache::new(REMEMBERED), kept }
    }

    /// The click that a record is.
    pub(crate) fn click(&mut self, id: ClickId, record: &Record<'_>) -> Click {
        let Agent { browser, os, device } = self.agents.read(record.agent);
        let Record { link, at, kind, visitor, .. } = *record;
        let traits = Traits {
            country: record.country.as_ref().and_then(|letters| self.text(letters)),
            referrer: self.text(&record.referrer.to_ascii_lowercase()),
            browser: browser.filter(|_| self.kept.browser),
            os: os.filter(|_| self.kept.os),
            device: device.filter(|_| self.kept.device),
            language: self.text(&record.language.to_ascii_lowercase()),
        };
        Click { id, link, at, kind, visitor, traits }
    }

    /// A text that is shared with others that say the same. Nothing is no text, and neither is what is no UTF-8.
    fn text(&mut self, bytes: &[u8]) -> Option<Arc<str>> {
        let text = std::str::from_utf8(bytes).ok().filter(|text| !text.is_empty())?;
        if let Some(known) = self.texts.get(text) {
            return Some(Arc::clone(known));
        }
        let shared: Arc<str> = text.into();
        self.texts.insert(text.into(), Arc::clone(&shared));
        Some(shared)
    }
}

#[cfg(test)]
mod tests {
    use hny_domain::{VisitKind, VisitorId};

    use super::*;

    const AGENT: &[u8] = b"Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0";

    fn record() -> Record<'static> {
        let visitor = Some(VisitorId(5));
        Record {
            kind: VisitKind::Robot,
            visitor,
            country: Some(*b"KR"),
            agent: AGENT,
            referrer: b"Example.COM",
            language: b"Ko",
            ..Record::of(9)
        }
    }

    #[test]
    fn a_record_becomes_a_click() {
        let record = record();
        let click = Enricher::new(Kept::ALL).click(ClickId(3), &record);
        let text = |text: &str| Some(text.into());
        let traits = Traits {
            country: text("KR"),
            referrer: text("example.com"),
            browser: text("Firefox"),
            os: text("Linux"),
            device: text("desktop"),
            language: text("ko"),
        };
        let Record { link, at, kind, visitor, .. } = record;
        assert_eq!(click, Click { id: ClickId(3), link, at, kind, visitor, traits });
    }

    #[test]
    fn of_an_agent_only_what_is_kept_is_told() {
        let traits = |kept| Enricher::new(kept).click(ClickId(3), &record()).traits;
        let all = traits(Kept::ALL);
        assert_eq!(traits(Kept { browser: false, ..Kept::ALL }), Traits { browser: None, ..all.clone() });
        assert_eq!(traits(Kept { os: false, ..Kept::ALL }), Traits { os: None, ..all.clone() });
        assert_eq!(traits(Kept { device: false, ..Kept::ALL }), Traits { device: None, ..all });
    }

    #[test]
    fn clicks_that_say_the_same_share_it() {
        let mut enricher = Enricher::new(Kept::ALL);
        let [one, other] = [(); 2].map(|()| enricher.click(ClickId(3), &record()).traits);
        let is_shared = |a: Option<Arc<str>>, b: Option<Arc<str>>| Arc::ptr_eq(&a.unwrap(), &b.unwrap());
        assert!(is_shared(one.referrer, other.referrer) && is_shared(one.browser, other.browser));
    }

    #[test]
    fn what_is_not_said_is_unknown() {
        assert_eq!(Enricher::new(Kept::ALL).click(ClickId(3), &Record::of(1)).traits, Traits::default());
    }
}
