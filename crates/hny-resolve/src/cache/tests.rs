use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hny_domain::{Code, Lead, LinkId, Rules, Version};
use tokio::sync::oneshot;

use super::*;

const BASE: DomainId = DomainId::BASE;

fn key(code: &str) -> Key {
    Key::new(BASE, &Code::parse(code).unwrap())
}

/// A link; the tests tell them apart by their ids.
fn link(code: &str, id: i64) -> Found {
    Found::link(
        key(code),
        Lead {
            link: LinkId(id),
            target: "https://example.com/",
            expired_url: None,
            rules: Rules::PLAIN,
            version: Version(1),
        },
    )
}

fn id(found: &Found) -> Option<i64> {
    found.is_link().then(|| found.lead().link.0)
}

/// Fills with the link of this id, or with an absence.
async fn fill(cache: &LinkCache, code: &str, id: Option<i64>) -> Found {
    let found = id.map_or_else(|| Found::absence(key(code)), |id| link(code, id));
    cache.get_or_fill(&key(code), async { Ok::<_, Infallible>(found) }).await.unwrap()
}

#[tokio::test]
async fn links_and_absences_are_kept() {
    let cache = LinkCache::new(1 << 20);
    fill(&cache, "here", Some(1)).await;
    fill(&cache, "gone", None).await;
    assert_eq!(id(&cache.get(BASE, "here").unwrap()), Some(1));
    assert_eq!(id(&cache.get(BASE, "gone").unwrap()), None);
    assert_eq!(cache.get(BASE, "HERE"), None);
    assert_eq!(cache.get(DomainId(7), "here"), None);
    cache.remove(&key("gone"));
    assert_eq!(cache.get(BASE, "gone"), None);
}

#[tokio::test]
async fn a_fill_that_began_before_a_removal_does_not_land() {
    let cache = Arc::new(LinkCache::new(1 << 20));
    for old in [Found::absence(key("abc")), link("abc", 1)] {
        let (read, has_read) = oneshot::channel();
        let (go, gate) = oneshot::channel::<()>();
        let (filling, old) = (Arc::clone(&cache), old.clone());
        let slow = tokio::spawn(async move {
            let fill = async {
                read.send(()).unwrap();
                gate.await.unwrap();
                Ok::<_, Infallible>(old)
            };
            filling.get_or_fill(&key("abc"), fill).await
        });
        has_read.await.unwrap();
        cache.remove(&key("abc"));
        // A fill that begins after the removal reads the new state, and wins over the slow one in either order.
        assert_eq!(id(&fill(&cache, "abc", Some(2)).await), Some(2));
        go.send(()).unwrap();
        slow.await.unwrap().unwrap();
        assert_eq!(id(&cache.get(BASE, "abc").unwrap()), Some(2));
        cache.remove(&key("abc"));
        assert_eq!(cache.get(BASE, "abc"), None);
    }
}

#[tokio::test]
async fn misses_of_one_code_are_merged() {
    let cache = Arc::new(LinkCache::new(1 << 20));
    let fills = Arc::new(AtomicUsize::new(0));
    let (go, gate) = tokio::sync::watch::channel(false);
    let tasks: Vec<_> = (0..100)
        .map(|_| {
            let (cache, fills, mut gate) = (Arc::clone(&cache), Arc::clone(&fills), gate.clone());
            tokio::spawn(async move {
                let fill = async {
                    fills.fetch_add(1, Ordering::SeqCst);
                    gate.wait_for(|open| *open).await.unwrap();
                    Ok::<_, Infallible>(link("abc", 1))
                };
                cache.get_or_fill(&key("abc"), fill).await
            })
        })
        .collect();
    go.send(true).unwrap();
    for task in tasks {
        assert_eq!(id(&task.await.unwrap().unwrap()), Some(1));
    }
    assert_eq!(fills.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_failed_or_abandoned_fill_keeps_nothing_and_blocks_nobody() {
    let cache = Arc::new(LinkCache::new(1 << 20));
    let failed = cache.get_or_fill(&key("abc"), async { Err::<Found, _>("disk") }).await;
    assert_eq!(failed, Err("disk"));
    assert_eq!(cache.get(BASE, "abc"), None);
    let filling = Arc::clone(&cache);
    let (read, has_read) = oneshot::channel();
    let abandoned = tokio::spawn(async move {
        let fill = async {
            read.send(()).unwrap();
            std::future::pending::<Result<Found, Infallible>>().await
        };
        filling.get_or_fill(&key("abc"), fill).await
    });
    has_read.await.unwrap();
    abandoned.abort();
    assert!(abandoned.await.unwrap_err().is_cancelled());
    assert_eq!(id(&fill(&cache, "abc", Some(3)).await), Some(3));
}

#[tokio::test]
async fn the_cache_stays_within_its_bytes() {
    let cache = LinkCache::new(100_000);
    for number in 0..10_000 {
        let code = format!("c{number}");
        fill(&cache, &code, (number % 2 == 0).then_some(1)).await;
        assert!(cache.bytes() <= 100_000);
    }
    assert!(cache.entries() > 100, "{} entries", cache.entries());
}
