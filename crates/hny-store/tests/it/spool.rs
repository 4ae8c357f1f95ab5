//! How far the clicks of spools are counted.

use hny_domain::LinkId;
use hny_store::{SpoolMark, SpoolStep, Store};

use crate::database::{Database, contract, first_step, insert, new_link, new_spool};

contract![
    a_new_spool_begins_at_its_beginning,
    counts_and_mark_move_together,
    a_step_from_somewhere_else_counts_nothing,
    of_processes_that_take_the_same_step_one_does,
    a_spool_that_is_not_known_counts_nothing,
    spools_are_told_apart,
    every_process_knows_which_database_it_is,
];

async fn link(store: &Store) -> LinkId {
    insert(store, new_link("a")).await.id
}

async fn a_new_spool_begins_at_its_beginning(database: Database) {
    let (store, spool) = (database.store().await, new_spool());
    assert_eq!(store.open_spool(spool).await.unwrap(), SpoolMark::at(0));
    assert_eq!(store.open_spool(spool).await.unwrap(), SpoolMark::at(0), "opened again it is the same");
}

async fn counts_and_mark_move_together(database: Database) {
    let (store, spool) = (database.store().await, new_spool());
    let link = link(&store).await;
    let from = store.open_spool(spool).await.unwrap();
    // In the middle of a flush, and at its end.
    let half = SpoolMark { position: 0, until: 90, link };
    assert!(store.add_clicks(vec![(link, 2)], SpoolStep { spool, from, to: half }).await.unwrap());
    assert_eq!(database.store().await.open_spool(spool).await.unwrap(), half);
    let whole = SpoolMark::at(90);
    assert!(store.add_clicks(vec![(link, 3)], SpoolStep { spool, from: half, to: whole }).await.unwrap());
    store.close().await;
    let store = database.store().await;
    assert_eq!((store.open_spool(spool).await.unwrap(), store.clicks_of(link).await.unwrap()), (whole, 5));
}

async fn a_step_from_somewhere_else_counts_nothing(database: Database) {
    let (store, spool) = (database.store().await, new_spool());
    let link = link(&store).await;
    store.open_spool(spool).await.unwrap();
    let half = SpoolMark { position: 0, until: 90, link };
    assert!(store.add_clicks(vec![(link, 1)], SpoolStep { to: half, ..first_step(spool, 0) }).await.unwrap());
    let others = [
        SpoolMark::at(0),
        SpoolMark { position: 1, ..half },
        SpoolMark { until: 91, ..half },
        SpoolMark { link: LinkId(link.0 + 1), ..half },
    ];
    for from in others {
        let step = SpoolStep { spool, from, to: SpoolMark::at(90) };
        assert!(!store.add_clicks(vec![(link, 10)], step).await.unwrap(), "{from:?}");
    }
    assert_eq!((store.open_spool(spool).await.unwrap(), store.clicks_of(link).await.unwrap()), (half, 1));
}

async fn of_processes_that_take_the_same_step_one_does(database: Database) {
    const ROUNDS: u64 = 20;
    let (stores, spool) = ([database.store().await, database.store().await], new_spool());
    let link = link(&stores[0]).await;
    stores[0].open_spool(spool).await.unwrap();
    for round in 0..ROUNDS {
        let step = SpoolStep { spool, from: SpoolMark::at(round), to: SpoolMark::at(round + 1) };
        let steps = stores.each_ref().map(|store| store.add_clicks(vec![(link, 1)], step));
        let [a, b] = steps;
        let (a, b) = tokio::join!(a, b);
        assert_ne!(a.unwrap(), b.unwrap(), "{round}");
    }
    assert_eq!(stores[0].clicks_of(link).await.unwrap(), ROUNDS);
}

async fn a_spool_that_is_not_known_counts_nothing(database: Database) {
    let (store, spool) = (database.store().await, new_spool());
    let link = link(&store).await;
    assert!(!store.add_clicks(vec![(link, 1)], first_step(spool, 1)).await.unwrap());
    store.open_spool(spool).await.unwrap();
    assert!(store.add_clicks(vec![(link, 1)], first_step(spool, 1)).await.unwrap());
    store.forget_spool(spool).await.unwrap();
    let step = SpoolStep { spool, from: SpoolMark::at(1), to: SpoolMark::at(2) };
    assert!(!store.add_clicks(vec![(link, 1)], step).await.unwrap());
    assert_eq!(store.clicks_of(link).await.unwrap(), 1);
}

async fn spools_are_told_apart(database: Database) {
    let (store, one, other) = (database.store().await, new_spool(), new_spool());
    let link = link(&store).await;
    for spool in [one, other] {
        store.open_spool(spool).await.unwrap();
    }
    assert!(store.add_clicks(vec![(link, 1)], first_step(one, 7)).await.unwrap());
    assert_eq!(store.open_spool(other).await.unwrap(), SpoolMark::at(0));
    assert!(store.add_clicks(vec![(link, 1)], first_step(other, 7)).await.unwrap());
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
