//! Counts of clicks.

use hny_domain::{Caller, Code, DomainId, LinkId};
use hny_store::{Change, Store};
use std::sync::{Arc, Mutex};

use crate::database::{Database, NOW, add_clicks, contract, insert, new_link};

contract![
    clicks_add_up,
    a_link_may_appear_twice,
    links_are_told_apart,
    the_count_is_there_after_the_end,
    nothing_is_counted_for_no_link,
    a_deleted_link_takes_its_count_with_it,
    a_count_changes_no_link,
    a_count_stays_at_the_greatest,
    processes_count_together,
];

async fn delete(store: &Store, code: &Code) {
    assert!(store.delete_link(DomainId::BASE, code, Caller::Operator, NOW).await.unwrap().is_some());
}

async fn clicks_add_up(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    assert_eq!(store.clicks_of(link).await.unwrap(), 0);
    for (added, sum) in [(1, 1), (2, 3), (1_000_000, 1_000_003), (0, 1_000_003)] {
        add_clicks(&store, vec![(link, added)]).await.unwrap();
        assert_eq!(store.clicks_of(link).await.unwrap(), sum);
    }
}

async fn a_link_may_appear_twice(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    add_clicks(&store, vec![(link, 3), (link, 4)]).await.unwrap();
    assert_eq!(store.clicks_of(link).await.unwrap(), 7);
    add_clicks(&store, Vec::new()).await.unwrap();
    assert_eq!(store.clicks_of(link).await.unwrap(), 7);
}

async fn links_are_told_apart(database: Database) {
    let store = database.store().await;
    let (a, b) = (insert(&store, new_link("a")).await.id, insert(&store, new_link("b")).await.id);
    let c = insert(&store, new_link("c")).await.id;
    add_clicks(&store, vec![(a, 1), (b, 20)]).await.unwrap();
    add_clicks(&store, vec![(b, 300)]).await.unwrap();
    let counts = [store.clicks_of(a).await, store.clicks_of(b).await, store.clicks_of(c).await].map(Result::unwrap);
    assert_eq!(counts, [1, 320, 0]);
}

async fn the_count_is_there_after_the_end(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    add_clicks(&store, vec![(link, 5)]).await.unwrap();
    store.close().await;
    assert_eq!(database.store().await.clicks_of(link).await.unwrap(), 5);
}

async fn nothing_is_counted_for_no_link(database: Database) {
    let store = database.store().await;
    let (there, deleted) = (insert(&store, new_link("a")).await, insert(&store, new_link("b")).await);
    delete(&store, &deleted.code).await;
    let nobody = LinkId(i64::MAX);
    add_clicks(&store, vec![(deleted.id, 1), (there.id, 2), (nobody, 3), (LinkId(-1), 4)]).await.unwrap();
    for (link, count) in [(there.id, 2), (deleted.id, 0), (nobody, 0), (LinkId(-1), 0)] {
        assert_eq!(store.clicks_of(link).await.unwrap(), count, "{link:?}");
    }
}

async fn a_deleted_link_takes_its_count_with_it(database: Database) {
    let store = database.store().await;
    let (deleted, other) = (insert(&store, new_link("a")).await, insert(&store, new_link("b")).await);
    add_clicks(&store, vec![(deleted.id, 1), (other.id, 2)]).await.unwrap();
    delete(&store, &deleted.code).await;
    assert_eq!(store.clicks_of(deleted.id).await.unwrap(), 0);
    // The same code again is another link.
    let again = insert(&store, new_link("a")).await;
    assert_eq!(store.clicks_of(again.id).await.unwrap(), 0);
    add_clicks(&store, vec![(deleted.id, 10), (again.id, 20)]).await.unwrap();
    let counts = [deleted.id, again.id, other.id].map(|link| store.clicks_of(link));
    let [deleted, again, other] = counts;
    assert_eq!((deleted.await.unwrap(), again.await.unwrap(), other.await.unwrap()), (0, 20, 2));
}

async fn a_count_changes_no_link(database: Database) {
    let (here, there) = (database.store().await, database.store().await);
    let heard = Arc::new(Mutex::new(Vec::new()));
    for store in [&here, &there] {
        let heard = Arc::clone(&heard);
        store.subscribe(move |changes| heard.lock().unwrap().extend_from_slice(changes));
    }
    let link = insert(&here, new_link("a")).await;
    add_clicks(&here, vec![(link.id, 1)]).await.unwrap();
    assert_eq!(here.find_link(DomainId::BASE, &link.code).await.unwrap(), Some(link.clone()));
    // The next change takes the next version, and once everybody has heard of it, nothing was heard in between.
    let next = insert(&here, new_link("b")).await;
    assert_eq!(next.version.0, link.version.0 + 1);
    let ours = |change: &Change| change.version == link.version || change.version == next.version;
    let all_heard = || heard.lock().unwrap().iter().filter(|change| change.version == next.version).count() >= 2;
    while !all_heard() {
        tokio::task::yield_now().await;
    }
    assert!(heard.lock().unwrap().iter().all(ours), "{heard:?}");
}

async fn a_count_stays_at_the_greatest(database: Database) {
    let store = database.store().await;
    let (a, b) = (insert(&store, new_link("a")).await.id, insert(&store, new_link("b")).await.id);
    let greatest = i64::MAX.unsigned_abs();
    add_clicks(&store, vec![(a, greatest - 1), (b, u64::MAX)]).await.unwrap();
    assert_eq!(store.clicks_of(b).await.unwrap(), greatest);
    for added in [1, 1, u64::MAX] {
        add_clicks(&store, vec![(a, added), (b, added)]).await.unwrap();
        assert_eq!((store.clicks_of(a).await.unwrap(), store.clicks_of(b).await.unwrap()), (greatest, greatest));
    }
}

async fn processes_count_together(database: Database) {
    const ROUNDS: u64 = 50;
    let stores = [database.store().await, database.store().await];
    let link = insert(&stores[0], new_link("a")).await.id;
    let counting = stores.clone().map(|store| {
        tokio::spawn(async move {
            for _ in 0..ROUNDS {
                add_clicks(&store, vec![(link, 3)]).await.unwrap();
            }
        })
    });
    for counting in counting {
        counting.await.unwrap();
    }
    assert_eq!(stores[0].clicks_of(link).await.unwrap(), 2 * 3 * ROUNDS);
}
