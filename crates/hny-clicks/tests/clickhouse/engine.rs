//! An engine with our tables, and clicks to put into it.

use std::sync::Arc;
use std::time::Duration;

use hny_clicks::clickhouse::{Address, Block, ClickHouse};
use hny_domain::{Click, ClickId, DomainId, KeyId, LinkId, Timestamp, Traits, VisitKind, VisitorId};
use hny_store::Home;
use hny_testkit::ClickHouse as Engine;

/// Longer than any click here is old.
pub(crate) const KEEP: Option<Duration> = Some(Duration::from_hours(24 * 365 * 40));

/// 2026-01-31T00:00:00Z: the next day is in another month, and so in another part.
pub(crate) const DAY: i64 = 1_769_817_600_000;

/// A client of an engine.
pub(crate) fn client(engine: &Engine) -> ClickHouse {
    ClickHouse::at(&Address::parse(&engine.url()).unwrap())
}

/// A new engine with our tables.
pub(crate) async fn start() -> (Engine, ClickHouse) {
    let engine = Engine::start();
    let clickhouse = client(&engine);
    clickhouse.migrate(KEEP).await.unwrap();
    (engine, clickhouse)
}

/// Draws numbers that look random and are the same in every run.
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        // Numerical Recipes' generator; the upper bits are the good ones.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn text(&mut self, of: &[&'static str]) -> Option<Arc<str>> {
        let chosen = usize::try_from(self.below(of.len() as u64 + 1)).unwrap();
        of.get(chosen).map(|text| Arc::from(*text))
    }

    /// A click on one of four links within four days: few visitors, who come again, also in the same millisecond.
    pub(crate) fn click(&mut self, id: u64) -> Click {
        Click {
            // Not in the order of time.
            id: ClickId(id.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
            link: LinkId(1 + i64::try_from(self.below(4)).unwrap()),
            at: Timestamp::from_millis(DAY + i64::try_from(self.below(4 * 24 * 60) * 60_000 + self.below(2)).unwrap()),
            kind: VisitKind::ALL[usize::try_from(self.below(6)).unwrap().saturating_sub(2)],
            visitor: (self.below(8) > 0).then(|| VisitorId(u64::MAX - self.below(20))),
            traits: Traits {
                country: self.text(&["CZ", "DE", "JP"]),
                referrer: self.text(&["a.example", "xn--bcher-kva.example"]),
                browser: self.text(&["Firefox", "Chrome"]),
                os: self.text(&["Linux", "iOS"]),
                device: self.text(&["desktop", "mobile"]),
                language: self.text(&["cs", "en"]),
            },
        }
    }
}

/// Links 1 and 2 were made by key 7, link 3 by key 8, and link 4 by nobody. Links 2 and 3 are on another domain.
pub(crate) fn home(link: LinkId) -> Home {
    let (owner, domain) = [(Some(7), 0), (Some(7), 5), (Some(8), 5), (None, 0)][usize::try_from(link.0 - 1).unwrap()];
    Home { owner: owner.map(KeyId), domain: DomainId(domain) }
}

/// A block of so many clicks, whose ids begin there.
pub(crate) fn block(draw: &mut Draw, token: &str, first: u64, count: u64) -> Block {
    let clicks = (first..first + count).map(|id| draw.click(id));
    Block {
        token: token.to_owned(),
        clicks: clicks.map(|click| (home(click.link), click)).map(|(home, click)| (click, home)).collect(),
    }
}
