//! Opening a database: many at once, and refused with a reason.

use hny_store::{OpenError, Store};
use hny_testkit::Postgres;

use crate::database::{insert, new_link, postgres, server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_may_open_a_new_database_at_once() {
    let url = server().url(&server().new_database());
    let opened: Vec<_> = (0..10).map(|_| tokio::spawn(Store::open(postgres(&url)))).collect();
    for (number, store) in opened.into_iter().enumerate() {
        let store = store.await.unwrap().unwrap();
        insert(&store, new_link(&format!("c{number}"))).await;
        store.close().await;
    }
}

#[tokio::test]
async fn a_newer_version_may_have_been_there() {
    let database = server().new_database();
    let settings = || postgres(&server().url(&database));
    Store::open(settings()).await.unwrap().close().await;
    server().run(&database, "ALTER TABLE links ADD COLUMN novelty text");
    server().run(&database, "INSERT INTO hny_migrations (version, name) VALUES (999, 'novelty')");
    let store = Store::open(settings()).await.unwrap();
    insert(&store, new_link("a")).await;
    store.close().await;
}

#[tokio::test]
async fn a_user_who_may_make_no_tables_may_open_what_is_up_to_date() {
    let database = server().new_database();
    Store::open(postgres(&server().url(&database))).await.unwrap().close().await;
    server().run(&database, "CREATE ROLE visitor LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO visitor");
    let url = server().url(&database).replace("postgres@", "visitor@");
    let store = Store::open(postgres(&url)).await.unwrap();
    insert(&store, new_link("a")).await;
    store.close().await;
    let empty = server().url(&server().new_database()).replace("postgres@", "visitor@");
    let error = Store::open(postgres(&empty)).await.unwrap_err();
    assert!(matches!(error, OpenError::MigratePostgres { .. }), "{error:?}");
}

#[tokio::test]
async fn what_cannot_be_opened_says_why_and_shows_no_password() {
    let address = server().address();
    let cases = [
        (format!("postgres://nobody:s3cret@{address}/postgres"), "Login"),
        (format!("postgres://postgres:s3cret@{address}/nowhere"), "Login"),
        (format!("postgres://postgres:s3cret@{address}/postgres?sslmode=require"), "Tls"),
        ("postgres://postgres:s3cret@127.0.0.1:1/postgres".to_owned(), "Unreachable"),
    ];
    for (url, kind) in cases {
        let error = Store::open(postgres(&url)).await.unwrap_err();
        assert!(format!("{error:?}").starts_with(kind), "{error:?}");
        let said = format!("{error} {error:?}");
        assert!(!said.contains("s3cret"), "{said}");
        assert!(said.contains("127.0.0.1"), "{said}");
    }
}

#[tokio::test]
async fn a_replica_is_not_taken_for_the_primary() {
    let primary = Postgres::start();
    let replica = primary.replica("");
    for url in [replica.url("postgres"), format!("{}?target_session_attrs=read-write", replica.url("postgres"))] {
        let error = Store::open(postgres(&url)).await.unwrap_err();
        assert!(matches!(error, OpenError::Replica { .. }), "{error:?}");
    }
    let (first, second) = (replica.address(), primary.address());
    let both = format!("postgres://postgres@{first},{second}/postgres?target_session_attrs=read-write");
    let store = Store::open(postgres(&both)).await.unwrap();
    insert(&store, new_link("a")).await;
    store.close().await;
}
