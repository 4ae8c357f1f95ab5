use tempfile::TempDir;

use super::*;
use crate::sqlite::migrations;

fn readers(limit: usize) -> (TempDir, Readers) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("hny.db");
    migrations::open_migrated(&path).unwrap();
    let readers = Readers::open(&path, limit).unwrap();
    (folder, readers)
}

#[test]
fn a_connection_is_used_again() {
    let (_folder, readers) = readers(1);
    readers.read(|sql| sql.execute_batch("CREATE TEMP TABLE here (n)")).unwrap();
    readers.read(|sql| sql.execute_batch("SELECT n FROM here")).unwrap();
}

#[test]
fn nobody_waits_and_what_does_not_fit_is_closed() {
    let (_folder, readers) = readers(2);
    let read_three = |sql: &Connection| {
        readers
            .read(|_| {
                readers.read(|_| Ok(())).unwrap();
                Ok(())
            })
            .unwrap();
        sql.query_row("SELECT 1", [], |_| Ok(()))
    };
    readers.read(read_three).unwrap();
    assert_eq!(readers.idle.len(), 2);
}

#[test]
fn a_connection_that_failed_is_not_used_again() {
    let (_folder, readers) = readers(1);
    let error = readers.read(|sql| sql.execute_batch("SELECT nothing")).unwrap_err();
    assert!(matches!(error, StoreError::Broken(_)), "{error:?}");
    assert!(readers.idle.is_empty());
    readers.read(|sql| sql.execute_batch("SELECT 1")).unwrap();
}

#[test]
fn readers_cannot_write() {
    let (_folder, readers) = readers(1);
    let error = readers.read(|sql| sql.execute_batch("DELETE FROM sequence")).unwrap_err();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
}

#[test]
fn what_comes_back_after_closing_is_closed() {
    let (_folder, readers) = readers(1);
    readers
        .read(|_| {
            readers.close();
            Ok(())
        })
        .unwrap();
    assert!(readers.idle.is_empty());
    let error = readers.read(|_| Ok(())).unwrap_err();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
}
