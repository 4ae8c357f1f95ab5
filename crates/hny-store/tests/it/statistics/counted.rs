//! A database as the contract of statistics sees it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use hny_domain::{
    Caller, Click, ClickId, Code, Dimension, DomainId, Grid, Group, KeyId, LinkId, Quarter, Scope, Span, Timestamp,
};
use hny_statistics_contract::Counter;
use hny_statistics_contract::model::Model;
use hny_store::{NewLink, Store};

use crate::database::{Database, NOW, caller, insert, insert_key, new_link, take};

/// The pieces of a series, by the quarters with which they begin; how many quarters their slots have, and with which one begins: each
/// quarter alone, days, days of a zone, hours that begin before the hour, and all together.
const GRIDS: [(&[i64], i64, i64); 5] = [
    (&[0, 1, 2], 1, 0),
    (&[0, 96, 192], 96, 0),
    (&[0, 3, 99, 195], 96, 3),
    (&[0, 7, 11, 15], 4, 3),
    (&[0], 1 << 40, 0),
];

const QUARTER: i64 = 900_000;

/// A database, and the names of its links.
pub(crate) struct Counted {
    pub(crate) store: Store,
    pub(crate) database: Database,
    links: Mutex<BTreeMap<LinkId, (DomainId, Code)>>,
    names: AtomicUsize,
}

impl Counted {
    pub(crate) async fn new(database: Database) -> Self {
        let (links, names) = (Mutex::default(), AtomicUsize::new(0));
        Self { store: database.store().await, database, links, names }
    }

    /// A name that nothing else in the database has.
    fn name(&self) -> String {
        format!("n{}", self.names.fetch_add(1, Ordering::Relaxed))
    }

    /// Asks everything, also in slots of several quarters, as only a database can answer.
    pub(crate) async fn check(&self, model: &Model, spans: &[Span]) {
        model.check(self, spans).await;
        for scope in model.scopes() {
            for &span in spans {
                for (starts, step, first) in GRIDS {
                    let starts: Vec<_> =
                        starts.iter().map(|quarter| Timestamp::from_millis(quarter * QUARTER)).collect();
                    let slots = self.store.quarters(scope, span, Grid::of(&starts)).await.unwrap();
                    assert_eq!(slots, model.slots(scope, span, step, first), "{scope:?} {span:?} {starts:?}");
                }
            }
        }
        for link in model.links() {
            assert_eq!(self.store.clicks_of(link).await.unwrap(), model.clicks_of(link), "{link:?}");
        }
    }
}

impl Counter for Counted {
    const ROUNDS: usize = 16;

    async fn new_key(&self) -> KeyId {
        insert_key(&self.store, &self.name()).await.id
    }

    async fn new_domain(&self) -> DomainId {
        self.database.new_domain(&format!("{}.example", self.name()))
    }

    async fn new_link(&self, owner: Option<KeyId>, domain: DomainId) -> LinkId {
        let caller = owner.map_or(Caller::Operator, caller);
        let link = insert(&self.store, NewLink { caller, domain, ..new_link(&self.name()) }).await;
        let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        links.insert(link.id, (link.domain, link.code));
        link.id
    }

    async fn delete(&self, link: LinkId) {
        let (domain, code) = {
            let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
            links.remove(&link).unwrap()
        };
        assert!(self.store.delete_link(domain, &code, Caller::Operator, NOW).await.unwrap().is_some());
    }

    async fn take(&self, clicks: Vec<Click>) {
        take(&self.store, clicks).await.unwrap();
    }

    async fn quarters(&self, scope: Scope, span: Span) -> Vec<Quarter> {
        self.store.quarters(scope, span, Grid::QUARTERS).await.unwrap()
    }

    async fn groups(&self, scope: Scope, dimension: Dimension, span: Span) -> Vec<Group> {
        self.store.groups(scope, dimension, span).await.unwrap()
    }

    async fn clicks(&self, link: LinkId, span: Span, after: Option<(Timestamp, ClickId)>, limit: u32) -> Vec<Click> {
        self.store.clicks(link, span, after, limit).await.unwrap()
    }
}
