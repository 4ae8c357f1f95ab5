//! Nodes that count clicks of one link at the same time do not wait for each other.

use std::time::Duration;

use hny_store::{SpoolId, Store};
use hny_testkit::Postgres;

use crate::database::{clicks, first_step, insert, new_link, postgres, server};

/// The commit of whoever moves the spool 32 waits for a table.
const GATE: &str = "
    CREATE TABLE gate ();
    CREATE FUNCTION pass() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM FROM gate; RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER gate AFTER UPDATE ON spools DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.id = 32) EXECUTE FUNCTION pass()";

/// Less than a wait for somebody's rows may take, and far more than a batch of a few clicks.
const AT_ONCE: Duration = Duration::from_secs(4);

async fn stores() -> (&'static Postgres, String, [Store; 2]) {
    let server = server();
    let database = server.new_database();
    let settings = || postgres(&server.url(&database));
    let stores = [Store::open(settings()).await.unwrap(), Store::open(settings()).await.unwrap()];
    (server, database, stores)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_spool_has_a_lane_of_its_own_as_long_as_it_is_known() {
    let (server, database, [one, other]) = stores().await;
    for spool in 0..20 {
        let [here, there] = [(&one, 2 * spool), (&other, 2 * spool + 1)];
        let opened = tokio::try_join!(here.0.open_spool(SpoolId(here.1)), there.0.open_spool(SpoolId(there.1)));
        assert_eq!(opened.unwrap(), (0, 0));
    }
    let lanes = || server.run(&database, "SELECT count(DISTINCT lane), min(lane), max(lane) FROM spools");
    assert_eq!(lanes(), "40|16|55");
    other.forget_spool(SpoolId(7)).await.unwrap();
    assert_eq!(one.open_spool(SpoolId(40)).await.unwrap(), 0);
    assert_eq!(lanes(), "40|16|55", "the one that is free is taken again");
    // A version from before knows of no lanes.
    server.run(&database, "INSERT INTO spools (id, position) VALUES (50, 5)");
    assert_eq!(one.open_spool(SpoolId(50)).await.unwrap(), 5);
    assert_eq!(lanes(), "41|16|56");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_does_not_wait_for_another_that_counts_the_same_link() {
    let (server, database, [slow, other]) = stores().await;
    let link = insert(&slow, new_link("hot")).await.id;
    for spool in [32, 48] {
        slow.open_spool(SpoolId(spool)).await.unwrap();
    }
    server.run(&database, GATE);
    let gate = server.hold_table(&database, "gate");
    let taking = {
        let slow = slow.clone();
        tokio::spawn(async move { slow.take_clicks(clicks(link, 3), first_step(SpoolId(32), 1)).await })
    };
    gate.wait_for_somebody();
    // All that it has counted is written, and nobody sees it yet.
    let taken = tokio::time::timeout(AT_ONCE, other.take_clicks(clicks(link, 4), first_step(SpoolId(48), 1))).await;
    assert!(taken.expect("it does not wait").unwrap());
    assert_eq!(other.clicks_of(link).await.unwrap(), 4);
    drop(gate);
    assert!(taking.await.unwrap().unwrap());
    assert_eq!(other.clicks_of(link).await.unwrap(), 7);
}
