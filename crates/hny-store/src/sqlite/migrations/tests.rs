use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use super::*;

fn columns(sql: &Connection) -> Vec<String> {
    let mut statement = sql.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn migrating_again_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("hny.db");
    let before = columns(&open_migrated(&path).unwrap());
    assert_eq!(columns(&open_migrated(&path).unwrap()), before);
}

#[test]
fn a_file_of_a_newer_version_is_opened() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("hny.db");
    let newer = open_migrated(&path).unwrap();
    newer
        .execute_batch(
            "ALTER TABLE links ADD COLUMN added_later TEXT;
             INSERT INTO refinery_schema_history VALUES (9999, 'notes', '2030-01-01T00:00:00Z', '1');",
        )
        .unwrap();
    assert!(columns(&open_migrated(&path).unwrap()).iter().any(|sql| sql.contains("added_later TEXT")));
}

#[test]
fn a_migration_that_was_cut_short_leaves_nothing() {
    let mut sql = Connection::open_in_memory().unwrap();
    // The second file cannot be applied, so neither may the first one stay.
    sql.execute_batch("CREATE TABLE links (id INTEGER)").unwrap();
    migrate(&mut sql).unwrap_err();
    assert_eq!(columns(&sql).iter().filter(|sql| sql.contains("TABLE keys")).count(), 0);
    sql.execute_batch("DROP TABLE links").unwrap();
    migrate(&mut sql).unwrap();
}

/// The rows of a file that was made before codes had skeletons.
fn file_of_version_2() -> Connection {
    let mut sql = Connection::open_in_memory().unwrap();
    migrations::runner().set_target(refinery::Target::Version(2)).run(&mut sql).unwrap();
    let insert = "INSERT INTO links (id, domain, code, is_custom, target, target_hash, created_at, updated_at, active, version, deleted_at)
        VALUES (?1, 0, ?2, ?3, ?4, ?5, 0, 0, 1, ?1, ?6)";
    let (target, none) = (Some("https://example.com/"), None::<&str>);
    sql.execute(insert, (1, "OIl0o1i", true, target, Some(1), None::<i64>)).unwrap();
    sql.execute(insert, (2, "OIl0o1j", false, target, Some(1), None::<i64>)).unwrap();
    sql.execute(insert, (3, "OIl0o1k", true, none, None::<i64>, Some(1))).unwrap();
    sql
}

#[test]
fn codes_that_were_chosen_before_get_their_skeletons() {
    let mut sql = file_of_version_2();
    migrate(&mut sql).unwrap();
    let skeleton = |code: &str| {
        let skeleton = "SELECT skeleton FROM links WHERE code = ?1";
        sql.query_row(skeleton, [code], |row| row.get::<_, Option<String>>(0)).unwrap()
    };
    let ours = hny_domain::Code::parse("OIl0o1i").unwrap().skeleton();
    assert_eq!(skeleton("OIl0o1i").as_deref(), Some(ours.as_str()));
    assert_eq!((skeleton("OIl0o1j"), skeleton("OIl0o1k")), (None, None), "drawn ones and tombstones have none");
}

#[test]
fn nobody_migrates_while_another_process_does() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("hny.db");
    File::create(&path).unwrap();
    let held = lock(&path).unwrap();
    let (report, reports) = mpsc::channel();
    let opening = thread::spawn(move || report.send(open_migrated(&path).is_ok()).unwrap());
    // Long enough for whoever does not wait to be done.
    assert_eq!(reports.recv_timeout(Duration::from_millis(200)), Err(mpsc::RecvTimeoutError::Timeout));
    drop(held);
    assert_eq!(reports.recv(), Ok(true));
    opening.join().unwrap();
}

#[test]
fn all_names_of_a_file_have_one_lock() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("hny.db");
    File::create(&path).unwrap();
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert_eq!(lock_file::beside(&link, "-lock").unwrap(), lock_file::beside(&path, "-lock").unwrap());
}

#[test]
fn commits_are_durable_and_deletions_thorough() {
    let folder = TempDir::new().unwrap();
    let sql = open_migrated(&folder.path().join("hny.db")).unwrap();
    let pragma = |name| sql.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(pragma("synchronous"), 2, "FULL");
    assert_eq!(pragma("secure_delete"), 1);
    assert_eq!(pragma("foreign_keys"), 1);
}
