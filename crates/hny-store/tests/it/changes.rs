//! Hearing of changes, one's own and those of other processes.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hny_domain::{Caller, DomainId, Edit, Version};
use hny_store::{Change, Insertion, Store};

use crate::database::{Database, NOW, code, contract, insert, new_link};

contract![
    an_own_change_is_heard_before_the_answer,
    every_kind_of_change_is_heard,
    what_changes_nothing_is_not_heard,
    a_change_by_another_process_is_heard,
    what_another_process_changed_is_there_to_be_read,
    all_listeners_hear,
    the_newest_known_version_is_that_of_the_newest_change,
    what_was_changed_before_is_known_or_forgotten,
];

/// The promise to other processes is one second; the store itself is quicker.
const DEADLINE: Duration = Duration::from_secs(1);

fn listen(store: &Store) -> Receiver<Change> {
    let (report, reports) = channel();
    store.subscribe(move |changes| {
        for change in changes {
            // The test may be over.
            drop(report.send(change.clone()));
        }
    });
    reports
}

fn change(text: &str, version: Version) -> Change {
    Change { domain: DomainId::BASE, code: code(text), version }
}

/// Waits until `wanted` is heard; what is heard twice or besides does not disturb.
fn expect(reports: &Receiver<Change>, wanted: &Change) {
    assert_eq!(first_with(reports, |change| change == wanted).as_ref(), Some(wanted), "within {DEADLINE:?}");
}

/// Waits for the first change behind `version`, and leaves out what is heard a second time.
fn first_after(reports: &Receiver<Change>, version: Version) -> Option<Change> {
    first_with(reports, |change| change.version > version)
}

fn first_with(reports: &Receiver<Change>, wanted: impl Fn(&Change) -> bool) -> Option<Change> {
    let start = Instant::now();
    let next = || reports.recv_timeout(DEADLINE.saturating_sub(start.elapsed())).ok();
    std::iter::from_fn(next).find(wanted)
}

async fn an_own_change_is_heard_before_the_answer(database: Database) {
    let store = database.store().await;
    let heard = Arc::new(Mutex::new(Vec::new()));
    store.subscribe({
        let heard = Arc::clone(&heard);
        move |changes| heard.lock().unwrap().extend_from_slice(changes)
    });
    let inserts: Vec<_> = (0..64)
        .map(|number| {
            let (store, heard, text) = (store.clone(), Arc::clone(&heard), format!("c{number}"));
            tokio::spawn(async move {
                let version = insert(&store, new_link(&text)).await.version;
                assert!(heard.lock().unwrap().contains(&change(&text, version)), "{text} was answered unheard");
            })
        })
        .collect();
    for insert in inserts {
        insert.await.unwrap();
    }
}

async fn every_kind_of_change_is_heard(database: Database) {
    let store = database.store().await;
    let reports = listen(&store);
    let (domain, code) = (DomainId::BASE, code("a"));
    let made = insert(&store, new_link("a")).await;
    expect(&reports, &change("a", made.version));
    let edited = store.edit_link(domain, &code, Edit::default(), Caller::Operator, NOW).await.unwrap().link().unwrap();
    expect(&reports, &change("a", edited.version));
    store.delete_link(domain, &code, Caller::Operator, NOW).await.unwrap();
    let deleted = first_after(&reports, edited.version).unwrap();
    assert_eq!(deleted.code, code);
    let again = insert(&store, new_link("a")).await;
    expect(&reports, &change("a", again.version));
}

async fn what_changes_nothing_is_not_heard(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await;
    let reports = listen(&store);
    assert_eq!(store.insert_link(new_link("a")).await.unwrap(), Insertion::CodeTaken);
    assert!(store.delete_link(link.domain, &link.code, Caller::Anonymous, NOW).await.unwrap().is_none());
    let next = insert(&store, new_link("b")).await;
    assert_eq!(first_after(&reports, link.version), Some(change("b", next.version)));
}

async fn a_change_by_another_process_is_heard(database: Database) {
    let (here, there) = (database.store().await, database.store().await);
    let reports = listen(&here);
    let (domain, code) = (DomainId::BASE, code("a"));
    let made = insert(&there, new_link("a")).await;
    expect(&reports, &change("a", made.version));
    let edited = there.edit_link(domain, &code, Edit::default(), Caller::Operator, NOW).await.unwrap().link().unwrap();
    expect(&reports, &change("a", edited.version));
    // Changes from here in between must not hide those from there.
    insert(&here, new_link("b")).await;
    there.delete_link(domain, &code, Caller::Operator, NOW).await.unwrap();
    let again = insert(&there, new_link("a")).await;
    insert(&here, new_link("c")).await;
    expect(&reports, &change("a", again.version));
}

async fn what_another_process_changed_is_there_to_be_read(database: Database) {
    let (here, there) = (database.store().await, database.store().await);
    assert_eq!(here.find_link(DomainId::BASE, &code("a")).await.unwrap(), None);
    let link = insert(&there, new_link("a")).await;
    assert_eq!(here.find_link(DomainId::BASE, &code("a")).await.unwrap(), Some(link));
}

async fn all_listeners_hear(database: Database) {
    let store = database.store().await;
    let (first, second) = (listen(&store), listen(&store));
    let link = insert(&store, new_link("a")).await;
    expect(&first, &change("a", link.version));
    expect(&second, &change("a", link.version));
}

async fn the_newest_known_version_is_that_of_the_newest_change(database: Database) {
    let (here, there) = (database.store().await, database.store().await);
    let (domain, code) = (DomainId::BASE, code("a"));
    let reports = listen(&here);
    let made = insert(&here, new_link("a")).await;
    assert_eq!(here.newest_known_version(domain, &code), made.version, "one's own at once");
    let edited = there.edit_link(domain, &code, Edit::default(), Caller::Operator, NOW).await.unwrap().link().unwrap();
    expect(&reports, &change("a", edited.version));
    assert_eq!(here.newest_known_version(domain, &code), edited.version, "another's as soon as it is heard");
    there.delete_link(domain, &code, Caller::Operator, NOW).await.unwrap();
    let deleted = first_after(&reports, edited.version).unwrap();
    assert_eq!(here.newest_known_version(domain, &code), deleted.version, "a deletion too");
}

async fn what_was_changed_before_is_known_or_forgotten(database: Database) {
    let version = insert(&database.store().await, new_link("a")).await.version;
    let later = database.store().await;
    assert!(later.newest_known_version(DomainId::BASE, &code("a")) >= version);
}
