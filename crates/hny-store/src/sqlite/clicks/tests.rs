use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::sqlite::migrations;
use crate::{SpoolId, SpoolMark};

/// An open file with links of these ids, and a connection to it that is nobody else's.
async fn database(ids: &[i64]) -> (TempDir, Sqlite, Connection) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("hny.db");
    let sqlite = Sqlite::open(path.clone(), 1).await.unwrap();
    let other = migrations::open_migrated(&path).unwrap();
    for id in ids {
        other
            .execute(
                "INSERT INTO links (id, domain, code, is_custom, target, target_hash, created_at, updated_at, active, version)
                    VALUES (?1, 0, ?2, 0, 'https://example.com/', 0, 0, 0, 1, ?1)",
                (id, format!("c{id}")),
            )
            .unwrap();
    }
    (folder, sqlite, other)
}

/// Adds clicks that are a spool of their own.
async fn add_clicks(sqlite: &Sqlite, clicks: Vec<(LinkId, u64)>) -> Result<(), StoreError> {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let spool = SpoolId(LAST.fetch_add(1, Ordering::Relaxed));
    let from = sqlite.open_spool(spool).await?;
    assert!(sqlite.add_clicks(clicks, SpoolStep { spool, from, to: SpoolMark::at(1) }).await?);
    Ok(())
}

fn counts(sqlite: &Sqlite, ids: &[i64]) -> Vec<u64> {
    ids.iter().map(|&id| sqlite.clicks_of(LinkId(id)).unwrap()).collect()
}

#[tokio::test]
async fn what_fails_half_way_has_counted_nothing() {
    let (_folder, sqlite, other) = database(&[1, 2, 3]).await;
    add_clicks(&sqlite, vec![(LinkId(1), 5)]).await.unwrap();
    other
        .execute_batch(
            "CREATE TRIGGER refuse BEFORE INSERT ON click_counts WHEN new.link = 3 BEGIN SELECT RAISE(ABORT, 'no'); END",
        )
        .unwrap();
    let all = || (1..=3).map(|id| (LinkId(id), 1)).collect();
    add_clicks(&sqlite, all()).await.unwrap_err();
    assert_eq!(counts(&sqlite, &[1, 2, 3]), [5, 0, 0]);
    other.execute_batch("DROP TRIGGER refuse").unwrap();
    add_clicks(&sqlite, all()).await.unwrap();
    assert_eq!(counts(&sqlite, &[1, 2, 3]), [6, 1, 1]);
}

#[tokio::test]
async fn an_older_version_of_the_program_deletes_the_count_too() {
    let (_folder, sqlite, other) = database(&[1, 2]).await;
    add_clicks(&sqlite, vec![(LinkId(1), 5), (LinkId(2), 6)]).await.unwrap();
    other.execute("UPDATE links SET target = NULL, target_hash = NULL, deleted_at = 1 WHERE id = 1", []).unwrap();
    assert_eq!(counts(&sqlite, &[1, 2]), [0, 6]);
}

#[tokio::test]
async fn a_file_that_was_replaced_is_not_counted_in() {
    let (folder, sqlite, other) = database(&[1]).await;
    let spool = SpoolId(1_000_000);
    let step = SpoolStep { spool, from: sqlite.open_spool(spool).await.unwrap(), to: SpoolMark::at(1) };
    let (path, aside) = (folder.path().join("hny.db"), folder.path().join("aside.db"));
    std::fs::rename(&path, &aside).unwrap();
    let error = sqlite.add_clicks(vec![(LinkId(1), 5)], step).await.unwrap_err();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
    std::fs::rename(&aside, &path).unwrap();
    assert_eq!(other.query_row("SELECT count(*) FROM click_counts", [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    assert!(sqlite.add_clicks(vec![(LinkId(1), 5)], step).await.unwrap());
    assert_eq!(counts(&sqlite, &[1]), [5]);
}
