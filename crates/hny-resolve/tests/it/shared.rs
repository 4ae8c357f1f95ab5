//! What a lookup takes from Redis, and what it does not.

use std::time::Duration;

use hny_domain::{
    Caller, Clock, Code, CodeOrigin, DomainId, Draft, Lead, Link, LinkId, Rules, Target, Timestamp, Version,
};
use hny_redis::{Address, Links, Prefix, Redis};
use hny_resolve::Resolver;
use hny_store::{Insertion, NewLink, Settings, Store, Terms};
use hny_testkit::DEADLINE;
use tempfile::TempDir;

const NOW: Timestamp = Timestamp::from_millis(1_900_000_000_000);
const STORED: &str = "https://example.com/stored";
const SHARED: &str = "https://example.com/shared";

/// A node over a database and a Redis of the test's own.
struct Node {
    server: hny_testkit::Redis,
    store: Store,
    redis: Redis,
    resolver: Resolver,
    _folder: TempDir,
}

impl Node {
    /// One that uses its Redis, and keeps but one code in its own memory: the last one.
    async fn start() -> Self {
        let (server, folder) = (hny_testkit::Redis::start(), TempDir::new().unwrap());
        let store = Store::open(Settings::Sqlite { path: folder.path().join("hny.db"), readers: 1 }).await.unwrap();
        let redis = Redis::open(Address::parse(&server.url()).unwrap(), Prefix::parse("test:").unwrap());
        let resolver = Resolver::new(store.clone(), 0).sharing(redis.clone(), Clock::standing(NOW));
        let node = Self { server, store, redis, resolver, _folder: folder };
        node.wait_until_used().await;
        node
    }

    async fn wait_until_used(&self) {
        until(|| self.links().is_some()).await;
    }

    /// What the node shares, if it shares anything now.
    fn links(&self) -> Option<Links> {
        let generation = self.store.cache_generation();
        self.redis.links(generation.number, generation.run_id.as_deref()?)
    }

    /// Makes a link in the database.
    async fn store(&self, text: &str) -> Link {
        let draft = Draft::plain(Target::parse(STORED).unwrap());
        let (id, origin) = (LinkId(i64::from(text.as_bytes()[0])), CodeOrigin::Custom);
        let link = NewLink {
            id,
            domain: DomainId::BASE,
            code: code(text),
            origin,
            draft,
            caller: Caller::Operator,
            now: NOW,
            terms: Terms::default(),
        };
        match self.store.insert_link(link).await.unwrap() {
            Insertion::Inserted(link) => link,
            other => panic!("{other:?}"),
        }
    }

    /// Puts a link into Redis, whatever the database has.
    async fn share(&self, text: &str, version: u64) {
        let version = Version(version);
        let lead = Lead { link: LinkId(1), target: SHARED, expired_url: None, rules: Rules::PLAIN, version };
        self.links().unwrap().publish(DomainId::BASE, &code(text), version, Some(lead), NOW).await.unwrap();
    }

    /// Where a code leads; there is an answer soon.
    async fn target(&self, text: &str) -> Option<String> {
        let code = code(text);
        let resolved = tokio::time::timeout(DEADLINE, self.resolver.resolve(DomainId::BASE, &code)).await.unwrap();
        resolved.unwrap().map(|found| found.lead().target.to_owned())
    }

    fn count(&self, outcome: &str) -> u64 {
        let lookups = self.resolver.shared_use().unwrap().lookups;
        lookups.iter().find(|(name, _)| *name == outcome).unwrap().1
    }
}

fn code(text: &str) -> Code {
    Code::parse(text).unwrap()
}

async fn until(is_so: impl Fn() -> bool) {
    let looks = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(DEADLINE, looks).await.unwrap();
}

#[tokio::test]
async fn what_redis_knows_is_not_asked_of_the_database() {
    let node = Node::start().await;
    node.share("a", 5).await;
    assert_eq!(node.target("a").await.as_deref(), Some(SHARED));
    let links = node.links().unwrap();
    links.publish(DomainId::BASE, &code("gone"), Version(6), None, NOW).await.unwrap();
    assert_eq!(node.target("gone").await, None);
    assert_eq!((node.count("hit"), node.count("miss")), (2, 0));
}

#[tokio::test]
async fn what_the_database_said_is_handed_on_but_no_absence() {
    let node = Node::start().await;
    let link = node.store("a").await;
    assert_eq!(node.target("a").await.as_deref(), Some(STORED));
    assert_eq!(node.target("nobody").await, None);
    let key = format!("test:{}:link:0:", node.store.cache_generation().number);
    until(|| node.server.command(&["EXISTS", &format!("{key}a")]) == "(integer) 1").await;
    assert_eq!(node.server.command(&["EXISTS", &format!("{key}nobody")]), "(integer) 0");
    let known = node.links().unwrap().find(DomainId::BASE, &code("a"), |lead| lead == link.lead()).await.unwrap();
    assert_eq!(known.map(|known| (known.version, known.link)), Some((link.version, Some(true))));
    assert_eq!(node.target("a").await.as_deref(), Some(STORED));
    assert_eq!((node.count("hit"), node.count("miss")), (1, 2));
}

#[tokio::test]
async fn what_is_older_than_a_change_that_is_known_is_not_taken() {
    let node = Node::start().await;
    node.store("b").await;
    let link = node.store("a").await;
    node.share("a", link.version.0 - 1).await;
    assert_eq!(node.target("a").await.as_deref(), Some(STORED));
    assert_eq!((node.count("old"), node.count("hit")), (1, 0));
    assert_eq!(node.target("b").await.as_deref(), Some(STORED));
    node.share("a", link.version.0 + 1).await;
    assert_eq!(node.target("a").await.as_deref(), Some(SHARED));
}

#[tokio::test]
async fn a_redis_that_stands_still_is_not_waited_for() {
    let node = Node::start().await;
    for text in ["a", "b"] {
        node.store(text).await;
    }
    node.server.pause();
    while node.redis.is_usable() {
        for text in ["a", "b"] {
            assert_eq!(node.target(text).await.as_deref(), Some(STORED));
        }
    }
    assert_eq!(node.target("a").await.as_deref(), Some(STORED));
    assert!(node.count("late") > 0 && node.count("skipped") > 0);
    node.server.resume();
    node.wait_until_used().await;
    node.share("c", 9).await;
    assert_eq!(node.target("c").await.as_deref(), Some(SHARED));
}

#[tokio::test]
async fn without_its_database_a_node_goes_on_with_what_redis_knows() {
    let node = Node::start().await;
    node.share("a", 5).await;
    node.store.close().await;
    assert_eq!(node.target("a").await.as_deref(), Some(SHARED));
    assert!(node.resolver.resolve(DomainId::BASE, &code("b")).await.is_err());
}

#[tokio::test]
async fn what_another_run_has_kept_is_not_taken() {
    let mut node = Node::start().await;
    for text in ["a", "b"] {
        node.store(text).await;
        node.share(text, 100).await;
    }
    node.server.save();
    let before = node.store.cache_generation();
    node.server.kill();
    assert_eq!(node.target("a").await.as_deref(), Some(STORED));
    node.server.start_again();
    until(|| node.redis.is_usable()).await;
    assert_eq!(node.target("b").await.as_deref(), Some(STORED));
    node.wait_until_used().await;
    let after = node.store.cache_generation();
    assert!(after.number > before.number && after.run_id != before.run_id);
    assert_eq!(node.target("a").await.as_deref(), Some(STORED));
}
