//! Links: made, found, edited, deleted.

use std::collections::HashSet;

use hny_domain::edit::Patch;
use hny_domain::{Caller, CodeOrigin, DomainId, Edit, EditInput, KeyId, RedirectStatus, Target};
use hny_store::{Insertion, NewLink, Store, StoreError};

use crate::database::{Database, LATER, NOW, caller, code, contract, draft, edit, insert, insert_key, new_link};

contract![
    a_link_comes_out_as_it_went_in,
    an_unset_field_stays_unset,
    codes_differ_by_case,
    there_is_no_link_without_one,
    a_taken_code_is_told_from_a_fault,
    the_unique_index_decides,
    a_generated_code_is_never_given_again,
    a_custom_code_is_free_again,
    an_edit_changes_what_it_names,
    an_edit_of_nothing_is_none,
    only_who_may_can_edit_and_delete,
    a_deleted_link_is_gone,
    concurrent_edits_are_all_kept,
    versions_grow,
    versions_are_unique_between_processes,
    a_change_is_made_though_nobody_waits,
];

async fn a_link_comes_out_as_it_went_in(database: Database) {
    let store = database.store().await;
    let owner = insert_key(&store, "owner").await.id;
    let target = "https://example.com/%E4%BD%A0?a=%2F&b=+#%23fragment";
    let mut new = NewLink { caller: caller(owner), ..new_link("aB3_x-Z") };
    new.draft = draft(target);
    new.draft.expires_at = Some(LATER);
    new.draft.valid_from = Some(NOW);
    new.draft.redirect_status = Some(RedirectStatus::PermanentRedirect);
    new.draft.forward_query = Some(false);
    new.draft.title = Some("Grüße, \"world\"; --".to_owned());
    new.draft.active = false;
    new.draft.private = true;
    let link = insert(&store, new.clone()).await;
    assert_eq!(link.target.as_str(), target);
    assert_eq!((link.origin, link.owner), (CodeOrigin::Custom, Some(owner)));
    assert_eq!((link.created_at, link.updated_at), (NOW, NOW));
    assert_eq!((link.valid_from, link.expires_at), (new.draft.valid_from, new.draft.expires_at));
    assert_eq!((link.redirect_status, link.forward_query), (new.draft.redirect_status, new.draft.forward_query));
    assert_eq!((&link.title, link.active, link.private), (&new.draft.title, false, true));
    assert_eq!(find(&store, "aB3_x-Z").await, Some(link.clone()));
    assert_eq!(find(&database.store().await, "aB3_x-Z").await, Some(link), "read by another process");
}

async fn an_unset_field_stays_unset(database: Database) {
    let store = database.store().await;
    let new = NewLink { caller: Caller::Anonymous, origin: CodeOrigin::Generated, ..new_link("a") };
    insert(&store, new).await;
    let link = find(&store, "a").await.unwrap();
    assert_eq!((link.origin, link.owner, link.title.as_deref()), (CodeOrigin::Generated, None, None));
    assert_eq!((link.valid_from, link.expires_at), (None, None));
    assert_eq!((link.redirect_status, link.forward_query), (None, None));
    assert!(link.active && !link.private);
}

async fn codes_differ_by_case(database: Database) {
    let store = database.store().await;
    for text in ["abc", "ABC", "Abc"] {
        let draft = draft(&format!("https://example.com/{text}"));
        insert(&store, NewLink { draft, ..new_link(text) }).await;
    }
    for text in ["abc", "ABC", "Abc"] {
        let target = find(&store, text).await.unwrap().target;
        assert_eq!(target.as_str(), format!("https://example.com/{text}"));
    }
    assert_eq!(find(&store, "aBC").await, None);
}

async fn there_is_no_link_without_one(database: Database) {
    let store = database.store().await;
    insert(&store, new_link("a")).await;
    assert_eq!(find(&store, "b").await, None);
    assert_eq!(store.find_link(DomainId(1), &code("a")).await.unwrap(), None, "another domain");
}

async fn a_taken_code_is_told_from_a_fault(database: Database) {
    let store = database.store().await;
    insert(&store, new_link("a")).await;
    assert_eq!(store.insert_link(new_link("a")).await.unwrap(), Insertion::CodeTaken);
    let error = store.insert_link(NewLink { domain: DomainId(999), ..new_link("a") }).await.unwrap_err();
    assert!(matches!(error, StoreError::Broken(_)), "there is no such domain: {error:?}");
    let stranger = NewLink { caller: caller(KeyId(999)), ..new_link("b") };
    let error = store.insert_link(stranger).await.unwrap_err();
    assert!(matches!(error, StoreError::Broken(_)), "there is no such key: {error:?}");
}

async fn the_unique_index_decides(database: Database) {
    let stores = [database.store().await, database.store().await, database.store().await, database.store().await];
    let attempts: Vec<_> = (0..100)
        .map(|number| {
            let store = stores[number % stores.len()].clone();
            let draft = draft(&format!("https://example.com/{number}"));
            tokio::spawn(async move { store.insert_link(NewLink { draft, ..new_link("mine") }).await.unwrap() })
        })
        .collect();
    let mut winners = Vec::new();
    for attempt in attempts {
        if let Insertion::Inserted(link) = attempt.await.unwrap() {
            winners.push(link);
        }
    }
    assert_eq!(winners.len(), 1);
    for store in &stores {
        assert_eq!(find(store, "mine").await.as_ref(), winners.first());
    }
}

/// Whether a code of origin `was`, once its link is deleted, is given again for `wanted`. The rules for each kind of caller
/// are with the SQL, where a caller can be made that is not an admin.
async fn is_given_again(store: &Store, text: &str, was: CodeOrigin, wanted: CodeOrigin) -> bool {
    let first = insert(store, NewLink { origin: was, ..new_link(text) }).await;
    assert!(store.delete_link(first.domain, &first.code, Caller::Operator, NOW).await.unwrap().is_some());
    match store.insert_link(NewLink { origin: wanted, ..new_link(text) }).await.unwrap() {
        Insertion::Inserted(second) => {
            assert!(second.id != first.id && second.version > first.version);
            assert_eq!(find(store, text).await, Some(second));
            true
        }
        Insertion::CodeTaken | Insertion::Lookalike | Insertion::Found(_) | Insertion::Answered(_) => {
            assert_eq!(find(store, text).await, None);
            false
        }
    }
}

async fn a_generated_code_is_never_given_again(database: Database) {
    let store = database.store().await;
    assert!(!is_given_again(&store, "a", CodeOrigin::Generated, CodeOrigin::Generated).await);
    assert!(!is_given_again(&store, "b", CodeOrigin::Generated, CodeOrigin::Custom).await);
    assert!(!is_given_again(&store, "c", CodeOrigin::Custom, CodeOrigin::Generated).await);
}

async fn a_custom_code_is_free_again(database: Database) {
    let store = database.store().await;
    assert!(is_given_again(&store, "a", CodeOrigin::Custom, CodeOrigin::Custom).await);
    let anonymous = NewLink { caller: Caller::Anonymous, ..new_link("a") };
    assert!(store.delete_link(DomainId::BASE, &code("a"), Caller::Operator, NOW).await.unwrap().is_some());
    assert_eq!(store.insert_link(anonymous).await.unwrap(), Insertion::CodeTaken, "but not for everybody");
}

async fn an_edit_changes_what_it_names(database: Database) {
    let store = database.store().await;
    let before = insert(&store, new_link("a")).await;
    let wish = edit(EditInput {
        original_url: Patch::Set("https://example.org/new"),
        title: Patch::Set("new"),
        active: Patch::Set(false),
        ..EditInput::default()
    });
    let after =
        store.edit_link(before.domain, &before.code, wish, Caller::Operator, LATER).await.unwrap().link().unwrap();
    assert!(after.version > before.version);
    let mut expected = before;
    expected.target = Target::parse("https://example.org/new").unwrap();
    expected.title = Some("new".to_owned());
    expected.active = false;
    expected.updated_at = LATER;
    expected.version = after.version;
    assert_eq!(after, expected);
    assert_eq!(find(&store, "a").await, Some(after));
}

async fn an_edit_of_nothing_is_none(database: Database) {
    let store = database.store().await;
    let (domain, code) = (DomainId::BASE, code("a"));
    let edited = store.edit_link(domain, &code, Edit::default(), Caller::Operator, NOW).await.unwrap().link();
    assert_eq!(edited, None);
    assert!(store.delete_link(domain, &code, Caller::Operator, NOW).await.unwrap().is_none());
}

async fn only_who_may_can_edit_and_delete(database: Database) {
    let store = database.store().await;
    let owner = insert_key(&store, "owner").await.id;
    let link = insert(&store, NewLink { caller: caller(owner), ..new_link("a") }).await;
    let nobody = Caller::Anonymous;
    assert_eq!(store.edit_link(link.domain, &link.code, Edit::default(), nobody, NOW).await.unwrap().link(), None);
    assert!(store.delete_link(link.domain, &link.code, nobody, NOW).await.unwrap().is_none());
    assert_eq!(find(&store, "a").await, Some(link.clone()), "untouched");
    let edited = store.edit_link(link.domain, &link.code, Edit::default(), caller(owner), NOW).await.unwrap().link();
    assert!(edited.is_some());
    assert!(store.delete_link(link.domain, &link.code, caller(owner), NOW).await.unwrap().is_some());
}

async fn a_deleted_link_is_gone(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await;
    assert!(store.delete_link(link.domain, &link.code, Caller::Operator, NOW).await.unwrap().is_some());
    assert_eq!(find(&store, "a").await, None);
    assert!(store.delete_link(link.domain, &link.code, Caller::Operator, NOW).await.unwrap().is_none(), "only once");
    let edited = store.edit_link(link.domain, &link.code, Edit::default(), Caller::Operator, NOW).await.unwrap().link();
    assert_eq!(edited, None);
}

/// Two stores edit different fields of one link at once. Read and write are one step, so neither undoes the other.
async fn concurrent_edits_are_all_kept(database: Database) {
    let (one, two) = (database.store().await, database.store().await);
    insert(&one, new_link("a")).await;
    for round in 0..20 {
        let title = format!("round {round}");
        let url = format!("https://example.com/{round}");
        let title_edit = edit(EditInput { title: Patch::Set(&title), ..EditInput::default() });
        let url_edit = edit(EditInput { original_url: Patch::Set(&url), ..EditInput::default() });
        let code = code("a");
        let (left, right) = tokio::join!(
            one.edit_link(DomainId::BASE, &code, title_edit, Caller::Operator, NOW),
            two.edit_link(DomainId::BASE, &code, url_edit, Caller::Operator, NOW),
        );
        assert_ne!(left.unwrap().link().unwrap().version, right.unwrap().link().unwrap().version);
        let link = find(&one, "a").await.unwrap();
        assert_eq!((link.title.as_deref(), link.target.as_str()), (Some(&*title), &*url));
    }
}

async fn versions_grow(database: Database) {
    let store = database.store().await;
    let a = insert(&store, new_link("a")).await.version;
    let b = insert(&store, new_link("b")).await.version;
    let edited = store.edit_link(DomainId::BASE, &code("a"), Edit::default(), Caller::Operator, NOW).await;
    let a_edited = edited.unwrap().link().unwrap().version;
    assert!(store.delete_link(DomainId::BASE, &code("b"), Caller::Operator, NOW).await.unwrap().is_some());
    let b_again = insert(&store, new_link("b")).await.version;
    assert!(a < b && b < a_edited, "{a} {b} {a_edited}");
    assert!(b_again.0 > a_edited.0 + 1, "the deletion took a version too: {a_edited} {b_again}");
}

async fn versions_are_unique_between_processes(database: Database) {
    let stores = [database.store().await, database.store().await];
    let inserts: Vec<_> = (0..200)
        .map(|number| {
            let store = stores[number % 2].clone();
            tokio::spawn(async move { insert(&store, new_link(&format!("c{number}"))).await })
        })
        .collect();
    let (mut versions, mut ids) = (HashSet::new(), HashSet::new());
    for link in inserts {
        let link = link.await.unwrap();
        versions.insert(link.version);
        ids.insert(link.id);
    }
    assert_eq!((versions.len(), ids.len()), (200, 200));
}

async fn a_change_is_made_though_nobody_waits(database: Database) {
    let store = database.store().await;
    let (report, reports) = std::sync::mpsc::channel();
    store.subscribe(move |changes| report.send(changes.to_vec()).unwrap());
    tokio::select! {
        biased;
        _ = store.insert_link(new_link("a")) => {}
        () = std::future::ready(()) => {}
    }
    reports.recv_timeout(std::time::Duration::from_secs(5)).unwrap();
    assert!(find(&store, "a").await.is_some());
}

async fn find(store: &Store, text: &str) -> Option<hny_domain::Link> {
    store.find_link(DomainId::BASE, &code(text)).await.unwrap()
}
