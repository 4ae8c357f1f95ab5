//! An engine as the contract of statistics sees it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use hny_clicks::clickhouse::{Block, ClickHouse};
use hny_domain::{Click, ClickId, Dimension, DomainId, Group, KeyId, LinkId, Quarter, Scope, Span, Timestamp};
use hny_statistics_contract::Counter;
use hny_store::Home;

/// An engine, and the links that the database would know.
pub(crate) struct Counted {
    clickhouse: ClickHouse,
    homes: Mutex<BTreeMap<LinkId, Home>>,
    numbers: AtomicU32,
}

impl Counted {
    pub(crate) fn new(clickhouse: ClickHouse) -> Self {
        Self { clickhouse, homes: Mutex::default(), numbers: AtomicU32::new(0) }
    }

    /// A number that nothing else here has.
    fn number(&self) -> u32 {
        self.numbers.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn home(&self, link: LinkId) -> Home {
        *self.homes.lock().unwrap_or_else(PoisonError::into_inner).get(&link).unwrap()
    }
}

impl Counter for Counted {
    /// Each of some hundred questions of a round takes the engine some milliseconds.
    const ROUNDS: usize = 2;

    async fn new_key(&self) -> KeyId {
        KeyId(self.number().into())
    }

    async fn new_domain(&self) -> DomainId {
        DomainId(self.number())
    }

    async fn new_link(&self, owner: Option<KeyId>, domain: DomainId) -> LinkId {
        let link = LinkId(self.number().into());
        self.homes.lock().unwrap_or_else(PoisonError::into_inner).insert(link, Home { owner, domain });
        link
    }

    async fn delete(&self, link: LinkId) {
        self.clickhouse.remove(&[link]).await.unwrap();
    }

    async fn take(&self, clicks: Vec<Click>) {
        let token = self.number().to_string();
        let clicks = clicks.into_iter().map(|click| (self.home(click.link), click)).map(|(home, click)| (click, home));
        self.clickhouse.add(&Block { token, clicks: clicks.collect() }).await.unwrap();
    }

    async fn quarters(&self, scope: Scope, span: Span) -> Vec<Quarter> {
        self.clickhouse.quarters(scope, span).await.unwrap()
    }

    async fn groups(&self, scope: Scope, dimension: Dimension, span: Span) -> Vec<Group> {
        self.clickhouse.groups(scope, dimension, span).await.unwrap()
    }

    async fn clicks(&self, link: LinkId, span: Span, after: Option<(Timestamp, ClickId)>, limit: u32) -> Vec<Click> {
        self.clickhouse.clicks(link, span, after, limit).await.unwrap()
    }
}
