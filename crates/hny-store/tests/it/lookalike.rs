//! Codes that look alike in print.

use hny_domain::{Caller, CodeOrigin, DomainId};
use hny_store::{Insertion, NewLink, Store};

use crate::database::{Database, NOW, code, contract, insert, new_link};

contract![
    a_chosen_code_may_not_look_like_another_chosen_one,
    a_code_that_is_taken_itself_is_told_first,
    whoever_knows_may_have_a_lookalike,
    generated_codes_look_as_they_like,
    a_deleted_link_looks_like_nothing,
];

fn allowed(text: &str) -> NewLink {
    let mut new = new_link(text);
    new.draft.allow_lookalike = true;
    new
}

fn generated(text: &str) -> NewLink {
    NewLink { origin: CodeOrigin::Generated, ..new_link(text) }
}

async fn refusal(store: &Store, new: NewLink) -> Insertion {
    let insertion = store.insert_link(new).await.unwrap();
    assert!(!matches!(insertion, Insertion::Inserted(_)), "{insertion:?}");
    insertion
}

async fn a_chosen_code_may_not_look_like_another_chosen_one(database: Database) {
    let store = database.store().await;
    insert(&store, new_link("PromO1")).await;
    for text in ["Prom01", "PromOl", "PromOI", "Prom0I"] {
        assert_eq!(refusal(&store, new_link(text)).await, Insertion::Lookalike, "{text}");
        assert_eq!(store.find_link(DomainId::BASE, &code(text)).await.unwrap(), None);
    }
    for text in ["promO1", "Promo1", "PromOi", "PromOL", "PromO"] {
        insert(&store, new_link(text)).await;
    }
}

async fn a_code_that_is_taken_itself_is_told_first(database: Database) {
    let store = database.store().await;
    insert(&store, new_link("a0")).await;
    insert(&store, allowed("aO")).await;
    insert(&store, new_link("bO")).await;
    insert(&store, generated("b0")).await;
    for text in ["a0", "aO", "b0"] {
        assert_eq!(refusal(&store, new_link(text)).await, Insertion::CodeTaken, "{text}");
        assert_eq!(refusal(&store, allowed(text)).await, Insertion::CodeTaken, "{text}");
    }
}

async fn whoever_knows_may_have_a_lookalike(database: Database) {
    let store = database.store().await;
    let first = insert(&store, new_link("a1")).await;
    let second = insert(&store, allowed("al")).await;
    assert_ne!(first.code, second.code);
    for link in [first, second] {
        assert_eq!(store.find_link(DomainId::BASE, &link.code).await.unwrap(), Some(link));
    }
}

async fn generated_codes_look_as_they_like(database: Database) {
    let store = database.store().await;
    insert(&store, new_link("aO")).await;
    insert(&store, generated("a0")).await;
    insert(&store, generated("b0")).await;
    insert(&store, new_link("bO")).await;
    insert(&store, generated("c1")).await;
    insert(&store, generated("cl")).await;
}

async fn a_deleted_link_looks_like_nothing(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("aO")).await;
    assert_eq!(refusal(&store, new_link("a0")).await, Insertion::Lookalike);
    assert!(store.delete_link(link.domain, &link.code, Caller::Operator, NOW).await.unwrap().is_some());
    insert(&store, new_link("a0")).await;
    assert_eq!(refusal(&store, new_link("aO")).await, Insertion::Lookalike, "its own old code looks like the new one");
    insert(&store, allowed("aO")).await;
}
