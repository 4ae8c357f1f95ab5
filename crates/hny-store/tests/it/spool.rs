//! How far the clicks of spools are stored.

use hny_domain::LinkId;
use hny_store::{SpoolId, SpoolStep, Store, StoreError};

use crate::database::{Database, clicks, contract, first_step, insert, new_link, new_spool};

contract![
    a_new_spool_begins_at_its_beginning,
    clicks_and_position_move_together,
    a_step_from_somewhere_else_stores_nothing,
    of_processes_that_take_the_same_step_one_does,
    a_spool_that_is_not_known_stores_nothing,
    spools_are_told_apart,
    every_process_knows_which_database_it_is,
];

async fn link(store: &Store) -> LinkId {
    insert(store, new_link("a")).await.id
}

/// Takes as many clicks on a step.
async fn step(
    store: &Store,
    (link, count): (LinkId, usize),
    (spool, from, to): (SpoolId, u64, u64),
) -> Result<bool, StoreError> {
    store.take_clicks(clicks(link, count), SpoolStep { spool, from, to }).await
}

async fn a_new_spool_begins_at_its_beginning(database: Database) {
    let (store, spool) = (database.store().await, new_spool());
    assert_eq!(store.open_spool(spool).await.unwrap(), 0);
    assert_eq!(store.open_spool(spool).await.unwrap(), 0, "opened again it is the same");
}

async fn clicks_and_position_move_together(database: Database) {
    let (store, spool) = (database.store().await, new_spool());
    let link = link(&store).await;
    store.open_spool(spool).await.unwrap();
    assert!(step(&store, (link, 2), (spool, 0, 40)).await.unwrap());
    assert_eq!(database.store().await.open_spool(spool).await.unwrap(), 40);
    assert!(step(&store, (link, 3), (spool, 40, 90)).await.unwrap());
    store.close().await;
    let store = database.store().await;
    assert_eq!((store.open_spool(spool).await.unwrap(), store.clicks_of(link).await.unwrap()), (90, 5));
}

async fn a_step_from_somewhere_else_stores_nothing(database: Database) {
    let (store, spool) = (database.store().await, new_spool());
    let link = link(&store).await;
    store.open_spool(spool).await.unwrap();
    assert!(step(&store, (link, 1), (spool, 0, 90)).await.unwrap());
    for from in [0, 89, 91, u64::MAX] {
        assert!(!step(&store, (link, 10), (spool, from, 100)).await.unwrap(), "{from}");
    }
    assert_eq!((store.open_spool(spool).await.unwrap(), store.clicks_of(link).await.unwrap()), (90, 1));
}

async fn of_processes_that_take_the_same_step_one_does(database: Database) {
    const ROUNDS: u64 = 20;
    let (stores, spool) = ([database.store().await, database.store().await], new_spool());
    let link = link(&stores[0]).await;
    stores[0].open_spool(spool).await.unwrap();
    for round in 0..ROUNDS {
        let [a, b] = stores.each_ref().map(|store| step(store, (link, 1), (spool, round, round + 1)));
        let (a, b) = tokio::join!(a, b);
        assert_ne!(a.unwrap(), b.unwrap(), "{round}");
    }
    assert_eq!(stores[0].clicks_of(link).await.unwrap(), ROUNDS);
}

async fn a_spool_that_is_not_known_stores_nothing(database: Database) {
    let (store, spool) = (database.store().await, new_spool());
    let link = link(&store).await;
    assert!(!store.take_clicks(clicks(link, 1), first_step(spool, 1)).await.unwrap(), "it was never opened");
    store.open_spool(spool).await.unwrap();
    assert!(store.take_clicks(clicks(link, 1), first_step(spool, 1)).await.unwrap());
    store.forget_spool(spool).await.unwrap();
    assert!(!step(&store, (link, 1), (spool, 1, 2)).await.unwrap(), "it was forgotten");
    assert_eq!(store.clicks_of(link).await.unwrap(), 1);
}

async fn spools_are_told_apart(database: Database) {
    let (store, one, other) = (database.store().await, new_spool(), new_spool());
    let link = link(&store).await;
    for spool in [one, other] {
        store.open_spool(spool).await.unwrap();
    }
    assert!(store.take_clicks(clicks(link, 1), first_step(one, 7)).await.unwrap());
    assert_eq!(store.open_spool(other).await.unwrap(), 0);
    assert!(store.take_clicks(clicks(link, 1), first_step(other, 7)).await.unwrap());
    assert_eq!(store.clicks_of(link).await.unwrap(), 2);
}

async fn every_process_knows_which_database_it_is(database: Database) {
    let (here, there) = (database.store().await, database.store().await);
    let id = here.database_id().await.unwrap();
    assert_eq!(there.database_id().await.unwrap(), id);
    for other in [Database::sqlite(), Database::postgres()] {
        assert_ne!(other.store().await.database_id().await.unwrap(), id);
    }
}
