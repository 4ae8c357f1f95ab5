//! The end of a store.

use std::path::Path;

use hny_domain::{Caller, Dimension, DomainId, Edit, Grant, Grid, KeyId, LinkId, Scope, Span};
use hny_store::{Insertion, LastAdmin, NewKey, Settings, SpoolId, Store, StoreError};
use tempfile::TempDir;

use crate::database::{Database, LATER, NOW, clicks, code, contract, first_step, insert, new_link};

contract![a_closed_store_says_so, clones_are_closed_together, what_was_acknowledged_is_there_afterwards];

fn assert_closed<T: std::fmt::Debug>(result: &Result<T, StoreError>) {
    assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
}

async fn a_closed_store_says_so(database: Database) {
    let store = database.store().await;
    insert(&store, new_link("a")).await;
    store.ping().await.unwrap();
    store.close().await;
    store.close().await;
    let (domain, code, nobody) = (DomainId::BASE, code("a"), Caller::Operator);
    assert_closed(&store.ping().await);
    assert_closed(&store.find_link(domain, &code).await);
    assert_closed(&store.find_lead(domain, &code, |_| ()).await);
    assert_closed(&store.insert_link(new_link("b")).await);
    assert_closed(&store.edit_link(domain, &code, Edit::default(), nobody, NOW).await);
    assert_closed(&store.delete_link(domain, &code, nobody, NOW).await);
    assert_closed(&store.take_clicks(clicks(LinkId(1), 1), first_step(SpoolId(1), 1)).await);
    let span = Span { from: NOW, to: LATER };
    assert_closed(&store.quarters(Scope::All, span, Grid::QUARTERS).await);
    assert_closed(&store.groups(Scope::All, Dimension::Os, span).await);
    assert_closed(&store.clicks(LinkId(1), span, None, 1).await);
    assert_closed(&store.remove_clicks_of_deleted(1).await);
    assert_closed(&store.remove_clicks_before(NOW, None, 1).await);
    assert_closed(&store.remove_expired_links(NOW, NOW, 1).await);
    assert_closed(&store.visitor_key(1, [0; 32]).await);
    assert_closed(&store.remove_visitor_keys(1).await);
    assert_closed(&store.database_id().await);
    assert_closed(&store.open_spool(SpoolId(1)).await);
    assert_closed(&store.forget_spool(SpoolId(1)).await);
    assert_closed(&store.clicks_of(LinkId(1)).await);
    assert_closed(&store.find_key(KeyId(1)).await);
    assert_closed(&store.list_keys().await);
    let key =
        NewKey { name: String::new(), grant: Grant::EVERYTHING, expires_at: None, secret_hash: [0; 32], now: NOW };
    assert_closed(&store.insert_key(key).await);
    assert_closed(&store.revoke_key(KeyId(1), LastAdmin::Keep, NOW).await);
    assert_closed(&store.note_key_use(KeyId(1), NOW).await);
}

async fn clones_are_closed_together(database: Database) {
    let store = database.store().await;
    store.clone().close().await;
    assert_closed(&store.ping().await);
}

async fn what_was_acknowledged_is_there_afterwards(database: Database) {
    let store = database.store().await;
    let inserts: Vec<_> = (0..100)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move { store.insert_link(new_link(&format!("c{number}"))).await })
        })
        .collect();
    store.close().await;
    let again = database.store().await;
    for (number, insert) in inserts.into_iter().enumerate() {
        let found = again.find_link(DomainId::BASE, &code(&format!("c{number}"))).await.unwrap();
        match insert.await.unwrap() {
            Ok(Insertion::Inserted(link)) => assert_eq!(found, Some(link)),
            Ok(other) => panic!("nobody else has this code: {other:?}"),
            Err(error) => {
                assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
                assert_eq!(found, None, "refused and yet there");
            }
        }
    }
}

#[tokio::test]
async fn the_last_one_writes_the_log_back() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("hny.db");
    let log = folder.path().join("hny.db-wal");
    let open = async |path: &Path| Store::open(Settings::new(path)).await.unwrap();
    let (first, second) = (open(&path).await, open(&path).await);
    insert(&first, new_link("a")).await;
    first.close().await;
    assert!(log.exists(), "the second store still uses it");
    second.close().await;
    assert!(!log.exists());
}
