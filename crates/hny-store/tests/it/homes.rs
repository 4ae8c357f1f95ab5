//! Whose links are and where they live, by their numbers.

use std::collections::BTreeMap;

use hny_domain::{Caller, DomainId, LinkId};
use hny_store::{Home, NewLink};

use crate::database::{Database, NOW, caller, contract, insert, insert_key, new_link};

contract![links_that_are_there_have_homes, a_deleted_link_is_not_there];

async fn links_that_are_there_have_homes(database: Database) {
    let store = database.store().await;
    let key = insert_key(&store, "a").await.id;
    let there = database.new_domain("there.example");
    let owned = insert(&store, NewLink { caller: caller(key), domain: there, ..new_link("a") }).await.id;
    let free = insert(&store, new_link("b")).await.id;
    let asked = vec![free, LinkId(i64::MAX), owned, free, LinkId(-1)];
    let (of_key, of_nobody) = (Home { owner: Some(key), domain: there }, Home { owner: None, domain: DomainId::BASE });
    assert_eq!(store.homes(asked).await.unwrap(), BTreeMap::from([(owned, of_key), (free, of_nobody)]));
    assert_eq!(store.homes(Vec::new()).await.unwrap(), BTreeMap::new());
}

async fn a_deleted_link_is_not_there(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await;
    store.delete_link(DomainId::BASE, &link.code, Caller::Operator, NOW).await.unwrap();
    assert_eq!(store.homes(vec![link.id]).await.unwrap(), BTreeMap::new());
}
