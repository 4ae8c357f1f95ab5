use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;
use tempfile::TempDir;

use hny_domain::{ClickId, Timestamp, Traits, VisitorId};

use super::*;
use crate::SpoolId;
use crate::sqlite::migrations;

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

/// Takes clicks of these links that are a spool of their own.
async fn take(sqlite: &Sqlite, links: &[i64]) -> Result<(), StoreError> {
    let spool = SpoolId(next());
    let from = sqlite.open_spool(spool).await?;
    assert!(sqlite.take_clicks(clicks(links), SpoolStep { spool, from, to: 1 }).await?);
    Ok(())
}

fn clicks(links: &[i64]) -> Vec<Click> {
    let click = |link: &i64| Click {
        id: ClickId(next()),
        link: LinkId(*link),
        at: Timestamp::from_millis(1_900_000_000_000),
        kind: VisitKind::Person,
        visitor: Some(VisitorId(1)),
        traits: Traits::default(),
    };
    links.iter().map(click).collect()
}

fn next() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

fn counts(sqlite: &Sqlite, ids: &[i64]) -> Vec<u64> {
    ids.iter().map(|&id| sqlite.clicks_of(LinkId(id)).unwrap()).collect()
}

#[tokio::test]
async fn what_fails_half_way_has_stored_nothing() {
    let (_folder, sqlite, other) = database(&[1, 2, 3]).await;
    take(&sqlite, &[1; 5]).await.unwrap();
    other
        .execute_batch(
            "CREATE TRIGGER refuse BEFORE INSERT ON click_counts WHEN new.link = 3 BEGIN SELECT RAISE(ABORT, 'no'); END",
        )
        .unwrap();
    let rows = || other.query_row("SELECT count(*) FROM clicks", [], |row| row.get::<_, i64>(0)).unwrap();
    take(&sqlite, &[1, 2, 3]).await.unwrap_err();
    assert_eq!((counts(&sqlite, &[1, 2, 3]), rows()), (vec![5, 0, 0], 5));
    other.execute_batch("DROP TRIGGER refuse").unwrap();
    take(&sqlite, &[1, 2, 3]).await.unwrap();
    assert_eq!((counts(&sqlite, &[1, 2, 3]), rows()), (vec![6, 1, 1], 8));
}

#[tokio::test]
async fn an_older_version_of_the_program_deletes_the_count_too() {
    let (_folder, sqlite, other) = database(&[1, 2]).await;
    take(&sqlite, &[1, 1, 2, 2, 2]).await.unwrap();
    other.execute("UPDATE links SET target = NULL, target_hash = NULL, deleted_at = 1 WHERE id = 1", []).unwrap();
    assert_eq!(counts(&sqlite, &[1, 2]), [0, 3]);
    assert!(sqlite.remove_clicks_of_deleted(100).await.unwrap() > 2, "it is noted that it has clicks");
}

#[tokio::test]
async fn a_file_that_was_replaced_takes_nothing() {
    let (folder, sqlite, other) = database(&[1]).await;
    let spool = SpoolId(1_000_000);
    let step = SpoolStep { spool, from: sqlite.open_spool(spool).await.unwrap(), to: 1 };
    let (path, aside) = (folder.path().join("hny.db"), folder.path().join("aside.db"));
    std::fs::rename(&path, &aside).unwrap();
    let error = sqlite.take_clicks(clicks(&[1; 5]), step).await.unwrap_err();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
    std::fs::rename(&aside, &path).unwrap();
    assert_eq!(other.query_row("SELECT count(*) FROM clicks", [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    assert!(sqlite.take_clicks(clicks(&[1; 5]), step).await.unwrap());
    assert_eq!(counts(&sqlite, &[1]), [5]);
}
