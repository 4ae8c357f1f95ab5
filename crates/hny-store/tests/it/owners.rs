//! Whose links are, by their numbers.

use std::collections::BTreeMap;

use hny_domain::{Caller, DomainId, LinkId};

use crate::database::{Database, NOW, caller, contract, insert, insert_key, new_link};
use hny_store::NewLink;

contract![links_that_are_there_have_owners_or_nobody, a_deleted_link_is_not_there];

async fn links_that_are_there_have_owners_or_nobody(database: Database) {
    let store = database.store().await;
    let key = insert_key(&store, "a").await.id;
    let owned = insert(&store, NewLink { caller: caller(key), ..new_link("a") }).await.id;
    let free = insert(&store, new_link("b")).await.id;
    let asked = vec![free, LinkId(i64::MAX), owned, free, LinkId(-1)];
    assert_eq!(store.owners(asked).await.unwrap(), BTreeMap::from([(owned, Some(key)), (free, None)]));
    assert_eq!(store.owners(Vec::new()).await.unwrap(), BTreeMap::new());
}

async fn a_deleted_link_is_not_there(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await;
    store.delete_link(DomainId::BASE, &link.code, Caller::Operator, NOW).await.unwrap();
    assert_eq!(store.owners(vec![link.id]).await.unwrap(), BTreeMap::new());
}
