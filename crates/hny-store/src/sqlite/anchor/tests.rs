use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::sqlite::migrations;

/// An anchor, and a connection to the same file as another process has it.
struct Stand {
    _folder: TempDir,
    other: Connection,
    anchor: Anchor,
}

impl Stand {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("hny.db");
        let other = migrations::open_migrated(&path).unwrap();
        let anchor = Anchor::open(&path).unwrap();
        Self { _folder: folder, other, anchor }
    }

    fn commit(&self) {
        self.other.execute("UPDATE sequence SET version = version + 1", []).unwrap();
    }

    fn is_held(&self) -> bool {
        self.anchor.state().connection.as_ref().is_some_and(|connection| !connection.is_autocommit())
    }

    /// Whether the log can be written back and begun anew.
    fn log_is_free(&self) -> bool {
        self.other.busy_timeout(Duration::ZERO).unwrap();
        self.other.query_row("PRAGMA wal_checkpoint(RESTART)", [], |row| row.get::<_, i64>("busy")).unwrap() == 0
    }
}

#[test]
fn it_is_held_while_nobody_commits() {
    let stand = Stand::new();
    assert!(!stand.is_held());
    stand.anchor.look(false);
    assert!(stand.is_held());
}

#[test]
fn it_is_let_go_for_a_commit_of_ours() {
    let stand = Stand::new();
    stand.anchor.look(false);
    stand.anchor.before_commit();
    assert!(!stand.is_held());
    stand.anchor.look(false);
    assert!(!stand.is_held(), "the commit is not done");
    stand.anchor.after_commit();
    assert!(stand.is_held());
    stand.anchor.look(true);
    assert!(stand.is_held(), "that was our own commit");
}

#[test]
fn it_is_let_go_while_others_commit() {
    let stand = Stand::new();
    stand.anchor.look(false);
    for _ in 0..2 {
        stand.anchor.look(true);
        assert!(!stand.is_held());
    }
    stand.anchor.look(false);
    assert!(stand.is_held());
}

#[test]
fn the_log_begins_anew_though_it_is_held() {
    let stand = Stand::new();
    stand.commit();
    stand.anchor.look(false);
    stand.commit();
    assert!(!stand.log_is_free(), "an older state is held, or this test would show nothing");
    stand.anchor.look(true);
    assert!(stand.log_is_free());
    stand.anchor.look(false);
    assert!(stand.is_held() && stand.log_is_free(), "all is written back, so the log is not needed");
}

#[test]
fn it_moves_to_the_newest_state() {
    let stand = Stand::new();
    stand.commit();
    stand.anchor.look(false);
    stand.commit();
    stand.anchor.look(false);
    let state = stand.anchor.state();
    assert_eq!(change_log::last_version(state.connection.as_ref().unwrap()).unwrap().0, 2);
}

#[test]
fn once_closed_it_is_never_held() {
    let stand = Stand::new();
    stand.anchor.look(false);
    stand.anchor.close();
    stand.anchor.after_commit();
    stand.anchor.look(false);
    assert!(!stand.is_held() && stand.log_is_free());
}
