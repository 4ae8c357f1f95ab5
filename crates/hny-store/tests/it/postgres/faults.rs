//! The server goes away, or the way to it, at the worst moment.

use std::future::Future;
use std::net::SocketAddr;
use std::thread::JoinHandle;
use std::time::Duration;

use hny_domain::{Caller, DomainId, Edit, Link};
use hny_store::{Insertion, Store, StoreError};
use hny_testkit::{Postgres, Proxy};

use crate::database::{LATER, NOW, clicks, code, insert, new_link, postgres, server, take};

/// A store that reaches the database by a wire that can be cut.
async fn by_wire(database: &str) -> (Proxy, Store) {
    let wire = Proxy::to(server().address());
    let store = Store::open(postgres(&url_at(wire.address(), database))).await.unwrap();
    (wire, store)
}

fn url_at(address: SocketAddr, database: &str) -> String {
    format!("postgres://postgres@{address}/{database}?sslmode=disable")
}

/// A store that uses whichever of the two takes changes.
async fn on_either(first: &Postgres, second: &Postgres) -> Store {
    let hosts = format!("{},{}", first.address(), second.address());
    let url = format!("postgres://postgres@{hosts}/postgres?target_session_attrs=read-write");
    Store::open(postgres(&url)).await.unwrap()
}

/// Waits until `sql` has this answer, asked on another way.
pub(super) async fn until(server: &Postgres, database: &str, sql: &str, answer: &str) {
    let reached = async {
        while server.try_run(database, sql).as_deref() != Ok(answer) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), reached).await.unwrap();
}

/// Tries until the database is there again.
async fn eventually<T>(mut attempt: impl AsyncFnMut() -> Result<T, StoreError>) -> T {
    let tried = async {
        loop {
            match attempt().await {
                Ok(value) => return value,
                Err(error) => assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}"),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), tried).await.unwrap()
}

async fn find(store: &Store, text: &str) -> Result<Option<Link>, StoreError> {
    store.find_link(DomainId::BASE, &code(text)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_insert_whose_answer_was_lost_is_looked_up() {
    let database = server().new_database();
    let (wire, store) = by_wire(&database).await;
    insert(&store, new_link("before")).await;
    wire.swallow_answers();
    let inserting = tokio::spawn({
        let store = store.clone();
        async move { store.insert_link(new_link("a")).await }
    });
    until(server(), &database, "SELECT count(*) FROM links WHERE code = 'a'", "1").await;
    assert!(!inserting.is_finished());
    wire.cut();
    let Ok(Insertion::Inserted(link)) = inserting.await.unwrap() else { panic!("the link was made") };
    assert_eq!(find(&store, "a").await.unwrap(), Some(link));
    assert_eq!(server().run(&database, "SELECT count(*) FROM links"), "2");
}

/// Whoever writes to a table waits at its commit as long as somebody has locked the table `gate`.
pub(super) fn gate(table: &str) -> String {
    format!(
        "CREATE TABLE gate ();
        CREATE FUNCTION pass() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM FROM gate; RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER gate AFTER INSERT OR UPDATE ON {table} DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION pass()"
    )
}

/// As long as it is there, nobody passes the gate of a database.
pub(super) struct Closed<'a> {
    database: &'a str,
    holder: JoinHandle<Result<String, String>>,
}

impl<'a> Closed<'a> {
    const LOCKS: &'static str = "SELECT count(*) FROM pg_locks WHERE relation = 'gate'::regclass AND";

    pub(super) async fn gate(database: &'a str) -> Self {
        let named = database.to_owned();
        let hold = move || server().try_run(&named, "BEGIN; LOCK TABLE gate; SELECT pg_sleep(60)");
        let holder = std::thread::spawn(hold);
        until(server(), database, &format!("{} granted", Self::LOCKS), "1").await;
        Self { database, holder }
    }

    pub(super) async fn somebody_waits(&self) {
        until(server(), self.database, &format!("{} NOT granted", Self::LOCKS), "1").await;
    }

    pub(super) fn open(self) {
        let others = "FROM pg_stat_activity WHERE query LIKE '%LOCK TABLE gate%' AND pid <> pg_backend_pid()";
        let end = format!("SELECT pg_terminate_backend(pid) {others} AND datname = current_database()");
        server().run(self.database, &end);
        self.holder.join().unwrap().unwrap_err();
    }
}

/// Has a change wait at its commit, and from then on loses all answers. Then the commit happens, `sql` says so, and the wire is cut.
async fn commit_unheard<T: Send + 'static>(
    (wire, database): (&Proxy, &str),
    change: impl Future<Output = T> + Send + 'static,
    sql: &str,
) -> T {
    let closed = Closed::gate(database).await;
    let change = tokio::spawn(change);
    closed.somebody_waits().await;
    wire.swallow_answers();
    closed.open();
    until(server(), database, sql, "t").await;
    assert!(!change.is_finished(), "the answer was lost");
    wire.cut();
    change.await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edit_whose_answer_was_lost_is_looked_up() {
    let database = server().new_database();
    let (wire, store) = by_wire(&database).await;
    let made = insert(&store, new_link("a")).await;
    server().run(&database, &gate("links"));
    let (one, code) = (store.clone(), made.code.clone());
    let edit = async move { one.edit_link(DomainId::BASE, &code, Edit::default(), Caller::Operator, LATER).await };
    let is_made = format!("SELECT updated_at = {} FROM links", LATER.as_millis());
    let edited = commit_unheard((&wire, &database), edit, &is_made).await.unwrap().link().unwrap();
    assert_eq!(edited.version.0, made.version.0 + 1, "made once");
    assert_eq!(find(&store, "a").await.unwrap(), Some(edited));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deletion_whose_answer_was_lost_is_looked_up() {
    let database = server().new_database();
    let (wire, store) = by_wire(&database).await;
    let made = insert(&store, new_link("a")).await;
    server().run(&database, &gate("links"));
    let one = store.clone();
    let delete = async move { one.delete_link(made.domain, &made.code, Caller::Operator, LATER).await };
    let deleted = commit_unheard((&wire, &database), delete, "SELECT deleted_at IS NOT NULL FROM links").await;
    assert!(deleted.unwrap().is_some(), "it was deleted, and by us");
    assert_eq!(find(&store, "a").await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clicks_whose_answer_was_lost_are_counted_once() {
    let database = server().new_database();
    let (wire, store) = by_wire(&database).await;
    let link = insert(&store, new_link("a")).await.id;
    take(&store, clicks(link, 1)).await.unwrap();
    server().run(&database, &gate("click_lanes"));
    let one = store.clone();
    let add = async move { take(&one, clicks(link, 10)).await };
    commit_unheard((&wire, &database), add, "SELECT sum(clicks) = 11 FROM click_lanes").await.unwrap();
    assert_eq!(store.clicks_of(link).await.unwrap(), 11);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_go_on_when_all_connections_are_ended() {
    let server = Postgres::start();
    let store = Store::open(postgres(&server.url("postgres"))).await.unwrap();
    for round in 0..5 {
        let text = format!("c{round}");
        server.terminate_backends();
        let link = insert(&store, new_link(&text)).await;
        server.terminate_backends();
        assert_eq!(find(&store, &text).await.unwrap(), Some(link.clone()));
        server.terminate_backends();
        assert!(
            store
                .edit_link(link.domain, &link.code, Edit::default(), Caller::Operator, NOW)
                .await
                .unwrap()
                .link()
                .is_some()
        );
        server.terminate_backends();
        take(&store, clicks(link.id, 1)).await.unwrap();
        assert_eq!(store.clicks_of(link.id).await.unwrap(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_primary_that_was_away_is_used_again() {
    let server = Postgres::start();
    let store = Store::open(postgres(&server.url("postgres"))).await.unwrap();
    let link = insert(&store, new_link("before")).await;
    server.crash();
    for error in [
        find(&store, "before").await.unwrap_err(),
        store.insert_link(new_link("a")).await.unwrap_err(),
        store.delete_link(link.domain, &link.code, Caller::Operator, NOW).await.unwrap_err(),
        take(&store, clicks(link.id, 1)).await.unwrap_err(),
        store.ping().await.unwrap_err(),
    ] {
        assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
    }
    server.start_again();
    let made = eventually(async || store.insert_link(new_link("a")).await).await;
    assert!(matches!(made, Insertion::Inserted(_)), "{made:?}");
    assert_eq!(eventually(async || find(&store, "before").await).await, Some(link));
    eventually(async || store.ping().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_hangs_keeps_nobody_waiting() {
    let server = Postgres::start();
    let store = Store::open(postgres(&server.url("postgres"))).await.unwrap();
    insert(&store, new_link("a")).await;
    server.pause();
    let asked = tokio::time::timeout(Duration::from_secs(10), async {
        tokio::join!(find(&store, "a"), store.insert_link(new_link("b")))
    });
    let (found, made) = asked.await.unwrap();
    assert!(matches!(found, Err(StoreError::Unavailable(_))), "{found:?}");
    assert!(matches!(made, Err(StoreError::Unavailable(_))), "{made:?}");
    server.resume();
    assert!(eventually(async || find(&store, "a").await).await.is_some());
    eventually(async || store.insert_link(new_link("c")).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_promoted_one_of_two_hosts_is_used() {
    let first = Postgres::start();
    let second = first.replica("");
    let store = on_either(&first, &second).await;
    let link = insert(&store, new_link("a")).await;
    until(&second, "postgres", "SELECT count(*) FROM links", "1").await;
    first.crash();
    second.promote();
    let made = eventually(async || store.insert_link(new_link("b")).await).await;
    assert!(matches!(made, Insertion::Inserted(_)), "{made:?}");
    assert_eq!(eventually(async || find(&store, "a").await).await, Some(link));
    assert_eq!(second.run("postgres", "SELECT count(*) FROM links"), "2");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failover_to_a_synchronous_standby_loses_nothing() {
    let first = Postgres::start();
    let second = first.replica("");
    first.run("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'");
    first.run("postgres", "SELECT pg_reload_conf()");
    until(&first, "postgres", "SELECT sync_state FROM pg_stat_replication", "sync").await;
    let store = on_either(&first, &second).await;
    let (made, mut links) = tokio::sync::mpsc::unbounded_channel();
    let creating: Vec<_> = (0..8)
        .map(|caller| {
            let (store, made) = (store.clone(), made.clone());
            tokio::spawn(async move {
                for number in 0.. {
                    match store.insert_link(new_link(&format!("c{caller}-{number}"))).await {
                        // The test has heard enough.
                        Ok(Insertion::Inserted(link)) => drop(made.send(link)),
                        Ok(other) => panic!("nobody else has this code: {other:?}"),
                        Err(error) => return assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}"),
                    }
                }
            })
        })
        .collect();
    drop(made);
    let mut acknowledged = Vec::new();
    links.recv_many(&mut acknowledged, 1).await;
    while acknowledged.len() < 300 {
        links.recv_many(&mut acknowledged, 300).await;
    }
    first.crash();
    second.promote();
    // Whoever is not told of a failure goes on at the new primary.
    eventually(async || store.insert_link(new_link("after")).await).await;
    for creating in &creating {
        creating.abort();
    }
    while links.recv_many(&mut acknowledged, 300).await > 0 {}
    for link in acknowledged {
        // Each connection that looks up finds the new primary in its own time.
        assert_eq!(eventually(async || find(&store, link.code.as_str()).await).await, Some(link));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_failover_that_lost_changes_another_generation_begins() {
    let first = Postgres::start();
    let second = first.replica("");
    let store = on_either(&first, &second).await;
    insert(&store, new_link("kept")).await;
    until(&second, "postgres", "SELECT count(*) FROM links", "1").await;
    second.crash();
    // The standby hears neither of this link nor of the generation.
    insert(&store, new_link("lost")).await;
    let lost = store.raise_cache_generation(None).await.unwrap().number;
    sees(&store, lost).await;
    first.crash();
    second.start_again();
    second.promote();
    sees(&store, lost + 1).await;
    assert_eq!(eventually(async || find(&store, "lost").await).await, None);
    assert!(eventually(async || find(&store, "kept").await).await.is_some());
}

/// Returns when the store has seen this generation or a later one.
async fn sees(store: &Store, number: u64) {
    let seen = async {
        while store.cache_generation().number < number {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), seen).await.unwrap();
}
