//! Migrations, retention and removal.

use std::time::Duration;

use hny_clicks::clickhouse::ClickHouseError;
use hny_domain::LinkId;
use hny_store::DatabaseId;

use crate::engine::{Draw, KEEP, block, client, start};

#[tokio::test]
async fn migrations_run_again_and_at_once() {
    let engine = hny_testkit::ClickHouse::start();
    let both = tokio::join!(async { client(&engine).migrate(KEEP).await.unwrap() }, async {
        client(&engine).migrate(KEEP).await.unwrap();
    },);
    let ((), ()) = both;
    client(&engine).migrate(KEEP).await.unwrap();
    assert_eq!(engine.query("SELECT version FROM migrations FINAL ORDER BY version"), "1\n2");
    assert_eq!(engine.query("SELECT count() FROM system.tables WHERE database = 'default'"), "7");
}

#[tokio::test]
async fn an_interrupted_migration_is_finished() {
    let (engine, clickhouse) = start().await;
    for sql in ["DROP TABLE click_visitors_view", "DROP TABLE click_visitors", "TRUNCATE TABLE migrations"] {
        engine.query(sql);
    }
    clickhouse.migrate(KEEP).await.unwrap();
    clickhouse.add(&block(&mut Draw(1), "a", 1, 10)).await.unwrap();
    assert_ne!(engine.query("SELECT count() FROM click_visitors"), "0");
}

#[tokio::test]
async fn what_is_too_old_is_forgotten() {
    let (engine, clickhouse) = start().await;
    clickhouse.add(&block(&mut Draw(1), "a", 1, 100)).await.unwrap();
    let tables = ["clicks", "click_quarters", "click_visitors"];
    let are_gone = |expected: &str| {
        for table in tables {
            engine.query(&format!("OPTIMIZE TABLE {table} FINAL"));
            assert_eq!(engine.query(&format!("SELECT count() = 0 FROM {table}")), expected, "{table}");
        }
    };
    are_gone("0");
    let rules =
        "SELECT countIf(create_table_query LIKE '% TTL %') FROM system.tables WHERE database = currentDatabase()";
    clickhouse.migrate(None).await.unwrap();
    assert_eq!(engine.query(rules), "0");
    clickhouse.migrate(Some(Duration::from_hours(24))).await.unwrap();
    assert_eq!(engine.query(rules), "3");
    are_gone("1");
}

#[tokio::test]
async fn a_database_has_the_clicks_of_one_installation() {
    let (_engine, clickhouse) = start().await;
    let both = tokio::join!(clickhouse.claim(DatabaseId(u64::MAX)), clickhouse.claim(DatabaseId(u64::MAX)));
    both.0.unwrap();
    both.1.unwrap();
    clickhouse.claim(DatabaseId(u64::MAX)).await.unwrap();
    assert!(matches!(clickhouse.claim(DatabaseId(1)).await, Err(ClickHouseError::OfOthers)));
}

#[tokio::test]
async fn links_that_are_gone_are_found_and_removed_everywhere() {
    let (engine, clickhouse) = start().await;
    let block = block(&mut Draw(1), "a", 1, 200);
    clickhouse.add(&block).await.unwrap();
    let links = |numbers: &[i64]| numbers.iter().copied().map(LinkId).collect::<Vec<_>>();
    assert_eq!(clickhouse.links_after(None, 3).await.unwrap(), links(&[1, 2, 3]));
    assert_eq!(clickhouse.links_after(Some(LinkId(3)), 3).await.unwrap(), links(&[4]));
    clickhouse.remove(&links(&[2, 4])).await.unwrap();
    assert_eq!(clickhouse.links_after(None, 9).await.unwrap(), links(&[1, 3]));
    for table in ["clicks", "click_quarters", "click_visitors"] {
        assert_eq!(engine.query(&format!("SELECT count() FROM {table} WHERE link IN (2, 4)")), "0", "{table}");
        assert_ne!(engine.query(&format!("SELECT count() FROM {table}")), "0", "{table}");
    }
    clickhouse.add(&block).await.unwrap();
    assert_eq!(clickhouse.links_after(None, 9).await.unwrap(), links(&[1, 3]), "sent again it does not come back");
}
