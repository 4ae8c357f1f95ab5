//! The verbs over a database of the test's own.

use std::sync::Arc;

use hny_codes::{Alphabet, RandomCodes, Unlucky};
use hny_domain::{ApiKey, BaseUrl, Caller, Clock, Code, DomainId, Domains, DraftInput, Grant, Link, Timestamp};
use hny_service::{CreatePolicy, Created, Error, Generator, Ids, Links, Parts, Randomness, Scheme, Screen};
use hny_store::{NewKey, NodeWish, Settings, Store};
use rand::SeedableRng;
use rand::rngs::StdRng;
use tempfile::TempDir;

use crate::words::Words;

pub(crate) const START: Timestamp = Timestamp::from_millis(1_900_000_000_000);
pub(crate) const TARGET: &str = "https://example.com/a?b=%2F";

/// A database, which several services may share as processes do.
pub(crate) struct Database(Arc<TempDir>);

impl Database {
    pub(crate) fn new() -> Self {
        Self(Arc::new(TempDir::new().unwrap()))
    }

    pub(crate) async fn store(&self) -> Store {
        let store = Store::open(Settings::Sqlite { path: self.0.path().join("hny.db"), readers: 2 }).await.unwrap();
        // The folder is there for as long as the store is.
        let folder = Arc::clone(&self.0);
        store.subscribe(move |_| drop(Arc::clone(&folder)));
        store
    }
}

/// What differs from one service to another.
pub(crate) struct Choice {
    pub(crate) words: Words,
    pub(crate) unlucky: Unlucky,
    pub(crate) base: &'static str,
    pub(crate) node: NodeWish,
    pub(crate) clock: Clock,
    pub(crate) screen: Screen,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            words: Words::default(),
            unlucky: Unlucky::empty(),
            base: "https://hny.example",
            node: NodeWish::default(),
            clock: Clock::standing(START),
            screen: Screen::default(),
        }
    }
}

/// A process that makes links.
#[derive(Clone)]
pub(crate) struct Service {
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) ids: Ids,
    pub(crate) links: Links,
}

impl Service {
    pub(crate) fn new(store: &Store, scheme: Scheme, choice: Choice) -> Self {
        let base = Arc::new(BaseUrl::parse(choice.base).unwrap());
        let generator =
            Generator::new(scheme, None, choice.unlucky, Arc::clone(&base), choice.words.randomness()).unwrap();
        // Two processes must have two tokens.
        let randomness = Randomness::new(StdRng::from_rng(&mut rand::rng()));
        let ids = Ids::new(store.clone(), choice.clock.clone(), choice.node, &randomness).unwrap();
        let parts = Parts {
            generator,
            ids: ids.clone(),
            domains: Arc::new(Domains::one(base)),
            clock: choice.clock.clone(),
            policy: CreatePolicy::Open,
            screen: choice.screen,
        };
        Self { store: store.clone(), clock: choice.clock, ids, links: Links::new(store.clone(), parts) }
    }

    /// One that draws the codes of `words`.
    pub(crate) fn random(store: &Store, words: &Words) -> Self {
        Self::new(store, random(7), Choice { words: words.clone(), ..Choice::default() })
    }

    /// Makes a link of the operator's with nothing but a target.
    pub(crate) async fn create(&self) -> Result<Created, Error> {
        self.links.create(Caller::Operator, plain()).await
    }

    /// As [`create`](Self::create), where nothing stands in the way; the link.
    pub(crate) async fn link(&self) -> Link {
        let Created { link, is_new } = self.create().await.unwrap();
        assert!(is_new);
        assert_eq!(self.find(&link.code).await.as_ref(), Some(&link), "it is there");
        link
    }

    /// As [`link`](Self::link); the code alone.
    pub(crate) async fn code(&self) -> String {
        self.link().await.code.to_string()
    }

    /// Makes a link with a chosen code, which is then taken, whatever it looks like.
    pub(crate) async fn take(&self, code: &str) {
        self.links
            .create(Caller::Operator, DraftInput { custom_code: Some(code), allow_lookalike: Some(true), ..plain() })
            .await
            .unwrap();
    }

    pub(crate) async fn find(&self, code: &Code) -> Option<Link> {
        self.store.find_link(DomainId::BASE, code).await.unwrap()
    }

    /// Someone with a key.
    pub(crate) async fn caller(&self) -> Caller {
        let new = NewKey {
            name: "key".to_owned(),
            grant: Grant::EVERYTHING,
            expires_at: None,
            secret_hash: [7; 32],
            now: START,
        };
        let ApiKey { id, grant, .. } = self.store.insert_key(new).await.unwrap();
        Caller::Key(id, grant)
    }
}

pub(crate) fn random(length: usize) -> Scheme {
    Scheme::Random(RandomCodes::new(Alphabet::Base62, length).unwrap())
}

/// A link with nothing but a target.
pub(crate) fn plain() -> DraftInput<'static> {
    DraftInput { original_url: Some(TARGET), ..DraftInput::default() }
}
