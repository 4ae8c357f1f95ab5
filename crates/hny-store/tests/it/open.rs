//! Opening a file: made when missing, kept when there, refused with a reason.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use hny_domain::DomainId;
use hny_store::{OpenError, Settings, Store, StoreError};
use tempfile::TempDir;

use crate::database::{code, insert, new_link};

fn folder_and_path() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("hny.db");
    (folder, path)
}

#[tokio::test]
async fn an_old_file_is_opened_again() {
    let (_folder, path) = folder_and_path();
    let store = Store::open(Settings::new(&path)).await.unwrap();
    let link = insert(&store, new_link("a")).await;
    store.close().await;
    let store = Store::open(Settings::new(&path)).await.unwrap();
    assert_eq!(store.find_link(DomainId::BASE, &code("a")).await.unwrap(), Some(link.clone()));
    assert!(insert(&store, new_link("b")).await.version > link.version);
}

#[tokio::test]
async fn many_may_open_a_new_file_at_once() {
    let (_folder, path) = folder_and_path();
    let opened: Vec<_> = (0..8).map(|_| tokio::spawn(Store::open(Settings::new(&path)))).collect();
    for (number, store) in opened.into_iter().enumerate() {
        let store = store.await.unwrap().unwrap();
        insert(&store, new_link(&format!("c{number}"))).await;
    }
}

#[tokio::test]
async fn no_reader_at_all_is_one() {
    let (_folder, path) = folder_and_path();
    let store = Store::open(Settings::Sqlite { path, readers: 0 }).await.unwrap();
    store.ping().await.unwrap();
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_named() {
    let path = TempDir::new().unwrap().path().join("nowhere").join("hny.db");
    let error = Store::open(Settings::new(&path)).await.unwrap_err();
    assert!(matches!(error, OpenError::Open { .. }), "{error:?}");
    assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
}

#[tokio::test]
async fn a_file_of_another_kind_is_left_alone() {
    let (_folder, path) = folder_and_path();
    let text = "a letter, not a database. ".repeat(100);
    fs::write(&path, &text).unwrap();
    let error = Store::open(Settings::new(&path)).await.unwrap_err();
    assert!(matches!(error, OpenError::NotADatabase { .. }), "{error:?}");
    assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[tokio::test]
async fn nothing_is_acknowledged_once_the_file_was_replaced() {
    let (_folder, path) = folder_and_path();
    let store = Store::open(Settings::new(&path)).await.unwrap();
    insert(&store, new_link("before")).await;
    assert!(store.ping().await.is_ok());
    fs::rename(&path, path.with_extension("old")).unwrap();
    let gone = store.insert_link(new_link("gone")).await.unwrap_err();
    fs::write(&path, b"").unwrap();
    let replaced = store.insert_link(new_link("replaced")).await.unwrap_err();
    for error in [gone, replaced, store.ping().await.unwrap_err()] {
        let StoreError::Unavailable(cause) = error else { panic!("{error:?}") };
        assert!(cause.to_string().contains("was replaced or removed"), "{cause}");
    }
}

#[tokio::test]
async fn a_new_file_and_its_log_are_their_owners_alone() {
    let (_folder, path) = folder_and_path();
    let store = Store::open(Settings::new(&path)).await.unwrap();
    insert(&store, new_link("a")).await;
    for suffix in ["", "-wal", "-shm"] {
        let path = format!("{}{suffix}", path.display());
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{path}");
    }
}
