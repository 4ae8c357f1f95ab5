//! What is not kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hny_domain::{
    Caller, CodeOrigin, Dimension, DomainId, EditInput, Grid, Link, LinkId, Patch, Scope, Span, Timestamp,
};
use hny_statistics_contract::model::Model;
use hny_statistics_contract::random::{self, draw};
use hny_statistics_contract::some_links;
use hny_store::{Insertion, NewLink, Store};
use proptest::test_runner::TestRunner;

use crate::database::{
    Database, LATER, NOW, caller, click, click_by, clicks, contract, delete, draft, edit, insert, insert_key, new_link,
    take,
};
use crate::statistics::Counted;

contract![
    clicks_of_deleted_links_go_in_small_steps,
    clicks_that_come_while_their_link_is_deleted_leave_nothing,
    old_clicks_go_in_small_steps,
    all_answers_agree_after_each_step,
    late_clicks_of_old_days_go_with_the_next_walk,
    what_stays_behind_a_removed_first_click_is_not_taken_again,
    expired_links_are_deleted,
    a_link_that_does_not_expire_stays,
];

const DAY: i64 = 86_400_000;

/// Removes all there is to remove of deleted links, and says in how many steps. PostgreSQL waits for all transactions that may not have
/// seen that they are deleted, also for those of other tests.
async fn remove_all_of_deleted(database: &Database, store: &Store, limit: u32) -> u64 {
    let mut steps = 0;
    while database.count("clicks_to_remove") > 0 {
        let removed = store.remove_clicks_of_deleted(limit).await.unwrap();
        assert!(removed <= u64::from(limit));
        steps += u64::from(removed > 0);
        tokio::task::yield_now().await;
    }
    steps
}

/// How many rows each table of clicks has.
fn rows(database: &Database) -> Vec<u64> {
    let mut counts = Vec::new();
    for table in ["clicks", "click_quarters", "click_days", "clicks_to_remove"] {
        counts.push(database.count(table));
    }
    counts
}

async fn clicks_of_deleted_links_go_in_small_steps(database: Database) {
    let store = database.store().await;
    let (gone, stays) = (insert(&store, new_link("a")).await, insert(&store, new_link("b")).await);
    take(&store, [clicks(gone.id, 25), clicks(stays.id, 3)].concat()).await.unwrap();
    assert_eq!(store.remove_clicks_of_deleted(10).await.unwrap(), 0, "nothing is deleted");
    delete(&store, &gone.code).await;
    let steps = remove_all_of_deleted(&database, &store, 10).await;
    assert!((3..=8).contains(&steps), "{steps}");
    assert_eq!(rows(&database), [3, 1, 6, 0]);
    assert_eq!(store.clicks_of(stays.id).await.unwrap(), 3);
    // Nothing comes back.
    take(&store, clicks(gone.id, 1)).await.unwrap();
    assert_eq!(rows(&database), [3, 1, 6, 0]);
    delete(&store, &stays.code).await;
    remove_all_of_deleted(&database, &store, 1).await;
    assert_eq!(rows(&database), [0; 4]);
}

async fn clicks_that_come_while_their_link_is_deleted_leave_nothing(database: Database) {
    let (store, other) = (database.store().await, database.store().await);
    for round in 0..10 {
        let link = insert(&store, new_link(&format!("c{round}"))).await;
        take(&store, clicks(link.id, 10)).await.unwrap();
        let deleted = Arc::new(AtomicBool::new(false));
        let taking = tokio::spawn({
            let (other, deleted) = (other.clone(), Arc::clone(&deleted));
            async move {
                while !deleted.load(Ordering::SeqCst) {
                    take(&other, clicks(link.id, 100)).await.unwrap();
                }
            }
        });
        delete(&store, &link.code).await;
        remove_all_of_deleted(&database, &store, 1000).await;
        deleted.store(true, Ordering::SeqCst);
        taking.await.unwrap();
        assert_eq!(rows(&database), [0; 4], "{round}");
    }
}

/// Removes all clicks before a time, and says how many, and in how many steps.
async fn remove_all_before(store: &Store, cut: Timestamp, limit: u32) -> (u64, u64) {
    let (mut removed, mut steps, mut after) = (0, 0, None);
    loop {
        let step = store.remove_clicks_before(cut, after, limit).await.unwrap();
        assert!(step.clicks <= u64::from(limit));
        (removed, steps) = (removed + step.clicks, steps + 1);
        after = step.next;
        if after.is_none() {
            return (removed, steps);
        }
    }
}

async fn old_clicks_go_in_small_steps(database: Database) {
    let store = database.store().await;
    let links = [insert(&store, new_link("a")).await.id, insert(&store, new_link("b")).await.id];
    let at = |day: i64| Timestamp::from_millis(day * DAY);
    for link in links {
        let old = (0..25).map(|visitor| click_by(visitor, link, at(100)));
        take(&store, old.chain([click(link, at(101)), click(link, at(102))]).collect()).await.unwrap();
    }
    assert_eq!(remove_all_before(&store, at(100), 10).await.0, 0);
    // In the middle of a day: nothing of that day goes.
    let (removed, steps) = remove_all_before(&store, Timestamp::from_millis(102 * DAY - 1), 10).await;
    assert_eq!(removed, 50);
    assert!(steps > 5, "{steps}");
    for link in links {
        assert_eq!(store.clicks_of(link).await.unwrap(), 2);
        assert_eq!(
            store.quarters(Scope::Link(link), Span { from: at(0), to: at(1000) }, Grid::QUARTERS).await.unwrap().len(),
            2
        );
    }
    assert_eq!(rows(&database), [4, 4, 24, 0]);
    assert_eq!(remove_all_before(&store, at(1000), 10).await.0, 4);
    assert_eq!(rows(&database), [0; 4]);
    assert_eq!(store.clicks_of(links[0]).await.unwrap(), 0);
}

async fn all_answers_agree_after_each_step(database: Database) {
    let counted = Counted::new(database).await;
    let store = counted.store.clone();
    let mut runner = TestRunner::deterministic();
    let mut model = Model::default();
    let links = some_links(&counted, &mut model).await;
    let spans = draw(&mut runner, &random::spans());
    let random: Vec<_> = (0..5).flat_map(|_| draw(&mut runner, &random::deliveries(links.len())).0).collect();
    let random: Vec<_> = random.iter().enumerate().map(|(number, click)| click.click(number, &links)).collect();
    assert!(random.len() > 50);
    model.take(&random);
    take(&store, random).await.unwrap();
    let whole = Span { from: Timestamp::from_millis(0), to: Timestamp::from_millis(random::FIRST_DAY * 2 * DAY) };
    for day in 1..=random::DAYS {
        let cut = Timestamp::from_millis((random::FIRST_DAY + day) * DAY);
        let mut after = None;
        loop {
            let step = store.remove_clicks_before(cut, after, 3).await.unwrap();
            agree(&store, &links, whole).await;
            after = step.next;
            if after.is_none() {
                break;
            }
        }
        model.remove_before(cut);
        counted.check(&model, &spans).await;
    }
    assert_eq!(rows(&counted.database), [0; 4]);
}

/// What is answered of each link by quarter, by group, click by click, and as one number.
async fn agree(store: &Store, links: &[LinkId], span: Span) {
    for &link in links {
        let scope = Scope::Link(link);
        let quarters = store.quarters(scope, span, Grid::QUARTERS).await.unwrap();
        let clicks: u64 = quarters.iter().map(|quarter| quarter.counts.clicks).sum();
        let visits: u64 =
            store.groups(scope, Dimension::Kind, span).await.unwrap().iter().map(|kind| kind.clicks).sum();
        let groups = store.groups(scope, Dimension::Country, span).await.unwrap();
        assert_eq!(groups.iter().map(|group| group.clicks).sum::<u64>(), clicks);
        let uniques: u64 = groups.iter().map(|group| group.uniques).sum();
        assert_eq!(uniques, quarters.iter().map(|quarter| quarter.uniques).sum::<u64>());
        assert_eq!(store.clicks(link, span, None, 1000).await.unwrap().len() as u64, visits);
        assert_eq!(store.clicks_of(link).await.unwrap(), clicks);
    }
}

async fn late_clicks_of_old_days_go_with_the_next_walk(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    let old = click_by(1, link, Timestamp::from_millis(100 * DAY));
    for _ in 0..2 {
        take(&store, vec![old.clone(), old.clone()]).await.unwrap();
        assert_eq!(store.clicks_of(link).await.unwrap(), 1);
        assert_eq!(remove_all_before(&store, NOW, 10).await.0, 1);
    }
    assert_eq!((store.clicks_of(link).await.unwrap(), rows(&database)), (0, vec![0; 4]));
}

async fn what_stays_behind_a_removed_first_click_is_not_taken_again(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await.id;
    let at = |millis| click_by(1, link, Timestamp::from_millis(100 * DAY + millis));
    let some = vec![at(1), at(2), at(3)];
    take(&store, some.clone()).await.unwrap();
    assert_eq!(store.remove_clicks_before(NOW, None, 1).await.unwrap().clicks, 1);
    take(&store, some[1..].to_vec()).await.unwrap();
    assert_eq!(store.clicks_of(link).await.unwrap(), 2);
}

async fn expiring(store: &Store, link: NewLink, at: Timestamp) -> Link {
    let draft = hny_domain::Draft { expires_at: Some(at), ..draft("https://example.com/") };
    insert(store, NewLink { draft, ..link }).await
}

async fn find(store: &Store, link: &Link) -> Option<Link> {
    store.find_link(DomainId::BASE, &link.code).await.unwrap()
}

async fn expired_links_are_deleted(database: Database) {
    let store = database.store().await;
    let key = insert_key(&store, "k").await.id;
    let custom = expiring(&store, NewLink { caller: caller(key), ..new_link("custom") }, NOW).await;
    let generated = expiring(&store, NewLink { origin: CodeOrigin::Generated, ..new_link("drawn") }, NOW).await;
    take(&store, [clicks(custom.id, 2), clicks(generated.id, 2)].concat()).await.unwrap();
    let before = generated.version;
    assert_eq!(store.remove_expired_links(NOW, LATER, 10).await.unwrap(), 0, "they expired at that time, not before");
    assert_eq!(store.remove_expired_links(LATER, LATER, 1).await.unwrap(), 1);
    assert_eq!(store.remove_expired_links(LATER, LATER, 10).await.unwrap(), 1);
    assert_eq!(store.remove_expired_links(LATER, LATER, 10).await.unwrap(), 0);
    for link in [&custom, &generated] {
        assert_eq!(find(&store, link).await, None);
        assert!(store.newest_known_version(DomainId::BASE, &link.code) > before, "who listens is told");
        assert_eq!(store.clicks_of(link.id).await.unwrap(), 0);
    }
    let again = NewLink { caller: caller(key), ..new_link("custom") };
    assert!(matches!(store.insert_link(again).await.unwrap(), Insertion::Inserted(_)), "a chosen code is free again");
    let again = NewLink { origin: CodeOrigin::Generated, caller: Caller::Operator, ..new_link("drawn") };
    assert_eq!(store.insert_link(again).await.unwrap(), Insertion::CodeTaken, "a drawn one never");
    remove_all_of_deleted(&database, &store, 100).await;
    assert_eq!(rows(&database), [0; 4]);
}

async fn a_link_that_does_not_expire_stays(database: Database) {
    let store = database.store().await;
    let never = insert(&store, new_link("a")).await;
    let later = expiring(&store, new_link("b"), LATER).await;
    let prolonged = expiring(&store, new_link("c"), NOW).await;
    let more = edit(EditInput { expires_at: Patch::Clear, ..EditInput::default() });
    assert!(
        store.edit_link(DomainId::BASE, &prolonged.code, more, Caller::Operator, NOW).await.unwrap().link().is_some()
    );
    assert_eq!(store.remove_expired_links(LATER, LATER, 10).await.unwrap(), 0);
    for link in [never, later, prolonged] {
        assert!(find(&store, &link).await.is_some());
    }
}
