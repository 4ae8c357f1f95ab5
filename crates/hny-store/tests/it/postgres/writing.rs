//! How links share a transaction.

use hny_domain::{DomainId, KeyId};
use hny_store::{Insertion, NewLink, Store, StoreError};

use crate::database::{Database, caller, code, new_link};

/// Hands over so many links at once; what became of each, in their order.
async fn insert_all(store: &Store, links: Vec<NewLink>) -> Vec<Result<Insertion, StoreError>> {
    let inserts: Vec<_> = links
        .into_iter()
        .map(|link| {
            let store = store.clone();
            tokio::spawn(async move { store.insert_link(link).await })
        })
        .collect();
    let mut results = Vec::new();
    for insert in inserts {
        results.push(insert.await.unwrap());
    }
    results
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bad_row_fails_alone() {
    let store = Database::postgres().store().await;
    let link = |number: usize| {
        let good = new_link(&format!("c{number}"));
        match number % 10 {
            3 => NewLink { domain: DomainId(999), ..good },
            7 => NewLink { caller: caller(KeyId(999)), ..good },
            _ => good,
        }
    };
    for (number, result) in insert_all(&store, (0..100).map(link).collect()).await.into_iter().enumerate() {
        match (number % 10, result) {
            (3 | 7, Err(StoreError::Broken(_))) => {}
            (3 | 7, other) => panic!("{number}: {other:?}"),
            (_, result) => assert!(matches!(result, Ok(Insertion::Inserted(_))), "{number}: {result:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nodes_that_want_the_same_codes_do_not_block_each_other() {
    let database = Database::postgres();
    let nodes = [database.store().await, database.store().await];
    for round in 0..5 {
        let [one, two] = nodes.each_ref().map(|store| {
            // Each from the other end.
            let numbers: Vec<_> = if round % 2 == 0 { (0..200).collect() } else { (0..200).rev().collect() };
            insert_all(store, numbers.into_iter().map(|number| new_link(&format!("r{round}-{number}"))).collect())
        });
        let (one, two) = tokio::join!(one, two);
        let made = one.into_iter().chain(two).filter(|result| match result {
            Ok(Insertion::Inserted(_)) => true,
            Ok(Insertion::CodeTaken) => false,
            other => panic!("{other:?}"),
        });
        assert_eq!(made.count(), 200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn codes_that_look_alike_do_not_slip_in_together() {
    let database = Database::postgres();
    let nodes = [database.store().await, database.store().await];
    for round in 0..20 {
        let alike = || ["O", "0"].map(|end| new_link(&format!("r{round}-{end}"))).into();
        let (one, two) = tokio::join!(insert_all(&nodes[0], alike()), insert_all(&nodes[1], alike()));
        let made = one.into_iter().chain(two).filter(|result| matches!(result, Ok(Insertion::Inserted(_))));
        assert_eq!(made.count(), 1, "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_made_together_has_versions_of_its_own() {
    let store = Database::postgres().store().await;
    let made = insert_all(&store, (0..1_500).map(|number| new_link(&format!("c{number}"))).collect()).await;
    for (number, made) in made.into_iter().enumerate() {
        let Ok(Insertion::Inserted(link)) = made else { panic!("{number}: {made:?}") };
        let found = store.find_link(DomainId::BASE, &code(&format!("c{number}"))).await.unwrap();
        assert_eq!(found, Some(link));
    }
}
