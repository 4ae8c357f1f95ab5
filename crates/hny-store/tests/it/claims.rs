//! Clicks of links that have only so many.

use hny_domain::edit::Patch;
use hny_domain::{Caller, Draft, EditInput, Link, LinkId, VisitId};
use hny_store::{NewLink, Store};
use tokio::task::JoinSet;

use crate::database::{Database, NOW, code, contract, delete, draft, edit, insert, new_link};

contract![
    as_many_are_granted_as_the_limit_has,
    of_all_who_claim_at_once_as_many_get_one,
    a_link_without_a_limit_always_has_one,
    a_limit_is_raised_lowered_and_taken_away,
    a_visit_that_is_asked_for_again_is_one,
    a_link_that_is_gone_has_none,
];

async fn limited(store: &Store, max_clicks: Option<u32>) -> Link {
    insert(store, NewLink { draft: Draft { max_clicks, ..draft("https://example.com/") }, ..new_link("a") }).await
}

async fn claim(store: &Store, link: LinkId) -> bool {
    store.claim_click(link, None).await.unwrap()
}

async fn used(store: &Store, link: &Link) -> u32 {
    store.find_link(link.domain, &link.code).await.unwrap().unwrap().clicks_used
}

async fn as_many_are_granted_as_the_limit_has(database: Database) {
    let store = database.store().await;
    let link = limited(&store, Some(2)).await;
    for (granted, used_then) in [(true, 1), (true, 2), (false, 2), (false, 2)] {
        assert_eq!(store.has_clicks_left(link.id).await.unwrap(), granted);
        assert_eq!(claim(&store, link.id).await, granted);
        assert_eq!(used(&store, &link).await, used_then);
    }
    let again = database.store().await;
    assert!(!claim(&again, link.id).await, "it is in the database");
    assert_eq!(again.find_link(link.domain, &link.code).await.unwrap().unwrap().version, link.version);
}

async fn of_all_who_claim_at_once_as_many_get_one(database: Database) {
    const LIMIT: u32 = 5;
    let stores = [database.store().await, database.store().await];
    let link = limited(&stores[0], Some(LIMIT)).await.id;
    let mut claims = JoinSet::new();
    for number in 0..100 {
        let store = stores[number % 2].clone();
        claims.spawn(async move { claim(&store, link).await });
    }
    let granted = claims.join_all().await.into_iter().filter(|granted| *granted).count();
    assert_eq!(granted, LIMIT as usize);
}

async fn a_link_without_a_limit_always_has_one(database: Database) {
    let store = database.store().await;
    let link = limited(&store, None).await;
    for _ in 0..3 {
        assert!(claim(&store, link.id).await && store.has_clicks_left(link.id).await.unwrap());
    }
    assert_eq!((used(&store, &link).await, database.count("claims")), (0, 0));
}

async fn a_limit_is_raised_lowered_and_taken_away(database: Database) {
    let store = database.store().await;
    let link = limited(&store, Some(2)).await;
    assert!(claim(&store, link.id).await && claim(&store, link.id).await);
    for (max_clicks, granted) in [
        (Patch::Set(3), [true, false]),
        (Patch::Set(1), [false, false]),
        (Patch::Clear, [true, true]),
        (Patch::Set(4), [true, false]),
    ] {
        let input = EditInput { max_clicks, ..EditInput::default() };
        let edition = store.edit_link(link.domain, &link.code, edit(input), Caller::Operator, NOW).await.unwrap();
        assert!(edition.link().is_some());
        assert_eq!([claim(&store, link.id).await, claim(&store, link.id).await], granted, "{max_clicks:?}");
    }
    assert_eq!(used(&store, &link).await, 4);
}

async fn a_visit_that_is_asked_for_again_is_one(database: Database) {
    let store = database.store().await;
    let link = limited(&store, Some(2)).await;
    for (id, granted, used_then) in
        [("a", true, 1), ("a", true, 1), ("b", true, 2), ("b", true, 2), ("a", false, 2), ("c", false, 2)]
    {
        let visit = VisitId::parse(id.as_bytes());
        assert_eq!(store.claim_click(link.id, visit).await.unwrap(), granted, "{id}");
        assert_eq!(used(&store, &link).await, used_then, "{id}");
    }
}

async fn a_link_that_is_gone_has_none(database: Database) {
    let store = database.store().await;
    let link = limited(&store, Some(2)).await.id;
    assert!(claim(&store, link).await);
    delete(&store, &code("a")).await;
    assert!(!claim(&store, link).await && !store.has_clicks_left(link).await.unwrap());
    assert!(!claim(&store, LinkId(12_345)).await);
    let again = limited(&store, Some(1)).await;
    assert_eq!(again.clicks_used, 0);
    assert!(claim(&store, again.id).await && !claim(&store, again.id).await);
}
