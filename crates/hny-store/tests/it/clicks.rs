//! Clicks that are taken, and how many a link has.

use std::sync::{Arc, Mutex};

use hny_domain::{Click, ClickId, DomainId, Grid, LinkId, Scope, Span, Timestamp, VisitKind, VisitorId};
use hny_store::{Change, Store};

use crate::database::{Database, NOW, click, click_by, clicks, contract, delete, insert, new_link, take};

contract![
    clicks_add_up,
    links_are_told_apart,
    the_count_is_there_after_the_end,
    nothing_is_counted_for_no_link,
    a_deleted_link_takes_its_count_with_it,
    a_count_changes_no_link,
    processes_count_together,
    a_click_that_is_stored_already_is_not_counted_again,
    a_click_that_comes_by_two_spools_at_once_is_counted_once,
    only_persons_are_counted,
    clicks_are_read_back_as_they_came,
    clicks_come_in_pages,
    strange_texts_are_cut,
];

const ALWAYS: Span = Span { from: Timestamp::from_millis(0), to: Timestamp::from_millis(3_600_000_000_000) };

async fn all_of(store: &Store, link: LinkId) -> Vec<Click> {
    store.clicks(link, ALWAYS, None, 1_000_000).await.unwrap()
}

async fn clicks_add_up(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    assert_eq!(store.clicks_of(link).await.unwrap(), 0);
    for (added, sum) in [(1, 1), (2, 3), (3000, 3003), (0, 3003)] {
        take(&store, clicks(link, added)).await.unwrap();
        assert_eq!(store.clicks_of(link).await.unwrap(), sum);
    }
}

async fn links_are_told_apart(database: Database) {
    let store = database.store().await;
    let (a, b) = (insert(&store, new_link("a")).await.id, insert(&store, new_link("b")).await.id);
    let c = insert(&store, new_link("c")).await.id;
    take(&store, [clicks(b, 20), clicks(a, 1)].concat()).await.unwrap();
    take(&store, clicks(b, 300)).await.unwrap();
    let counts = [store.clicks_of(a).await, store.clicks_of(b).await, store.clicks_of(c).await].map(Result::unwrap);
    assert_eq!(counts, [1, 320, 0]);
}

async fn the_count_is_there_after_the_end(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    take(&store, clicks(link, 5)).await.unwrap();
    store.close().await;
    assert_eq!(database.store().await.clicks_of(link).await.unwrap(), 5);
}

async fn nothing_is_counted_for_no_link(database: Database) {
    let store = database.store().await;
    let (there, deleted) = (insert(&store, new_link("a")).await, insert(&store, new_link("b")).await);
    delete(&store, &deleted.code).await;
    let nobody = LinkId(i64::MAX);
    let all = [clicks(deleted.id, 1), clicks(there.id, 2), clicks(nobody, 3), clicks(LinkId(-1), 4)].concat();
    take(&store, all).await.unwrap();
    for (link, count) in [(there.id, 2), (deleted.id, 0), (nobody, 0), (LinkId(-1), 0)] {
        assert_eq!(store.clicks_of(link).await.unwrap(), count, "{link:?}");
        assert_eq!(all_of(&store, link).await.len() as u64, count, "{link:?}");
    }
}

async fn a_deleted_link_takes_its_count_with_it(database: Database) {
    let store = database.store().await;
    let (deleted, other) = (insert(&store, new_link("a")).await, insert(&store, new_link("b")).await);
    take(&store, [clicks(deleted.id, 1), clicks(other.id, 2)].concat()).await.unwrap();
    delete(&store, &deleted.code).await;
    assert_eq!(store.clicks_of(deleted.id).await.unwrap(), 0);
    // The same code again is another link.
    let again = insert(&store, new_link("a")).await;
    assert_eq!(store.clicks_of(again.id).await.unwrap(), 0);
    take(&store, [clicks(deleted.id, 10), clicks(again.id, 20)].concat()).await.unwrap();
    let [deleted, again, other] = [deleted.id, again.id, other.id].map(|link| store.clicks_of(link));
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
    take(&here, clicks(link.id, 1)).await.unwrap();
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

async fn processes_count_together(database: Database) {
    const ROUNDS: usize = 50;
    let stores = [database.store().await, database.store().await];
    let link = insert(&stores[0], new_link("a")).await.id;
    let counting = stores.clone().map(|store| {
        tokio::spawn(async move {
            for _ in 0..ROUNDS {
                take(&store, clicks(link, 3)).await.unwrap();
            }
        })
    });
    for counting in counting {
        counting.await.unwrap();
    }
    assert_eq!(stores[0].clicks_of(link).await.unwrap(), 2 * 3 * ROUNDS as u64);
}

async fn a_click_that_is_stored_already_is_not_counted_again(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    let some = [click(link, NOW), click_by(1, link, NOW), click_by(1, link, NOW), click_by(2, link, NOW)];
    let robot = Click { kind: VisitKind::Robot, ..click(link, NOW) };
    let some = [some.to_vec(), vec![robot]].concat();
    take(&store, [some.clone(), some.clone()].concat()).await.unwrap();
    take(&store, [some.clone(), vec![click(link, NOW)]].concat()).await.unwrap();
    assert_eq!(store.clicks_of(link).await.unwrap(), 5);
    assert_eq!(all_of(&store, link).await.len(), 6);
}

async fn a_click_that_comes_by_two_spools_at_once_is_counted_once(database: Database) {
    const ROUNDS: u64 = 20;
    let stores = [database.store().await, database.store().await];
    let link = insert(&stores[0], new_link("a")).await.id;
    for round in 0..ROUNDS {
        let some: Vec<_> = (0..50).map(|visitor| click_by(round * 10 + visitor / 2, link, NOW)).collect();
        let [here, there] = [(&stores[0], some.clone()), (&stores[1], some.into_iter().rev().collect())];
        let (here, there) = tokio::join!(take(here.0, here.1), take(there.0, there.1));
        here.and(there).unwrap();
    }
    assert_eq!(stores[0].clicks_of(link).await.unwrap(), ROUNDS * 50);
    let quarters = stores[0].quarters(Scope::Link(link), ALWAYS, Grid::QUARTERS).await.unwrap();
    assert_eq!(quarters.iter().map(|quarter| quarter.uniques).sum::<u64>(), ROUNDS * 10 + 15);
}

async fn only_persons_are_counted(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    let of_kinds = VisitKind::ALL.map(|kind| Click { kind, ..click_by(1, link, NOW) });
    take(&store, of_kinds.to_vec()).await.unwrap();
    assert_eq!(store.clicks_of(link).await.unwrap(), 1);
    assert_eq!(all_of(&store, link).await, of_kinds);
}

/// A click of which everything is known.
fn known(link: LinkId, at: Timestamp) -> Click {
    let mut click = click_by(u64::MAX, link, at);
    click.traits.country = Some("DE".into());
    click.traits.referrer = Some("news.example".into());
    click.traits.browser = Some("Firefox".into());
    click.traits.os = Some("Größe 🦀".into());
    click.traits.device = Some("desktop".into());
    click.traits.language = Some("de".into());
    click
}

async fn clicks_are_read_back_as_they_came(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    let mut all = vec![known(link, NOW), click(link, NOW), click_by(0, link, NOW)];
    for id in [0, (1 << 63) - 1, 1 << 63, u64::MAX] {
        all.push(Click { id: ClickId(id), ..known(link, Timestamp::from_millis(NOW.as_millis() + 1)) });
    }
    take(&store, all.iter().rev().cloned().collect()).await.unwrap();
    assert_eq!(all_of(&store, link).await, all);
}

async fn clicks_come_in_pages(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    let at = |minute: i64| Timestamp::from_millis(NOW.as_millis() / 900_000 * 900_000 + minute * 60_000);
    let all: Vec<Click> = [0, 0, 0, 14, 15, 15, 29, 30].map(|minute| click(link, at(minute))).to_vec();
    take(&store, [all.clone(), clicks(LinkId(link.0 + 1), 1)].concat()).await.unwrap();
    let span = Span { from: at(0), to: at(30) };
    let (mut read, mut after) = (Vec::new(), None);
    loop {
        let page = store.clicks(link, span, after, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some((last.at, last.id));
        assert!(page.len() <= 2);
        read.extend(page);
    }
    assert_eq!(read, all[..7], "the last is at the end of the span");
    assert_eq!(store.clicks(link, Span { from: at(15), to: at(30) }, None, 9).await.unwrap(), all[4..7]);
}

async fn strange_texts_are_cut(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    let mut strange = known(link, NOW);
    strange.traits.browser = Some("ä".repeat(4000).into());
    strange.traits.os = Some("a\0b".into());
    strange.traits.device = Some("".into());
    take(&store, vec![strange]).await.unwrap();
    let stored = all_of(&store, link).await.remove(0);
    assert_eq!(stored.visitor, Some(VisitorId(u64::MAX)));
    let traits = stored.traits;
    assert_eq!(traits.browser.as_deref(), Some(&*"ä".repeat(127)));
    assert_eq!((traits.os.as_deref(), traits.device), (Some("a"), None));
}
