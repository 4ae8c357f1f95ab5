use std::path::Path;
use std::sync::mpsc as std_mpsc;
use std::time::Duration;

use hny_domain::{Code, DomainId, Version};
use rusqlite::params;
use tempfile::TempDir;

use super::job::Work;
use super::*;
use crate::sqlite::{change_log, migrations};

fn database() -> (TempDir, Connection) {
    let folder = TempDir::new().unwrap();
    let connection = migrations::open_migrated(&folder.path().join("hny.db")).unwrap();
    (folder, connection)
}

fn reader(folder: &TempDir) -> hny_mapping::Mapped {
    crate::sqlite::connection::open_reader(&folder.path().join("hny.db")).unwrap()
}

fn turn_at(connection: &Connection) -> Turn {
    Turn::at(Path::new(connection.path().unwrap())).unwrap()
}

fn start(connection: Connection) -> Writer {
    let turn = turn_at(&connection);
    Writer::start(connection, turn, Arc::default(), Arc::default(), Arc::default()).unwrap()
}

/// Makes a link and takes a version for it.
fn insert(sql: &Connection, log: &mut ChangeLog, code: &str, target: &str) -> Result<(), StoreError> {
    let version = log.next_version().0.cast_signed();
    sql.execute(
        "INSERT INTO links (id, domain, code, is_custom, target, target_hash, created_at, updated_at, active, version)
            VALUES (?1, 0, ?2, 0, ?3, 0, 0, 0, 1, ?1)",
        params![version, code, target],
    )?;
    log.record(DomainId::BASE, Code::parse(code).unwrap());
    Ok(())
}

fn good(code: &'static str) -> Work {
    Box::new(move |sql, log| insert(sql, log, code, "https://example.com/"))
}

/// Writes a good row, and then one that breaks a CHECK.
fn bad(code: &'static str) -> Work {
    Box::new(move |sql, log| {
        insert(sql, log, code, "https://example.com/")?;
        sql.execute("UPDATE links SET redirect_status = 303 WHERE code = ?1", [code])?;
        Ok(())
    })
}

fn panicking(code: &'static str) -> Work {
    Box::new(move |sql, log| {
        insert(sql, log, code, "https://example.com/")?;
        panic!("a fault of ours, made for this test");
    })
}

fn codes(sql: &Connection) -> Vec<String> {
    let mut statement = sql.prepare("SELECT code FROM links ORDER BY version").unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_bad_job_does_not_fail_its_neighbours() {
    let (_folder, mut connection) = database();
    let works = vec![good("a"), bad("b"), good("c"), panicking("d"), good("e")];
    let turn = turn_at(&connection);
    let (results, log) = transaction::run(&mut connection, &turn, works).unwrap();
    assert!(
        matches!(results.as_slice(), [Ok(()), Err(StoreError::Broken(_)), Ok(()), Err(StoreError::Broken(_)), Ok(())]),
        "{results:?}"
    );
    assert_eq!(codes(&connection), ["a", "c", "e"]);
    let versions: Vec<_> = log.into_changes().into_iter().map(|change| change.version.0).collect();
    assert_eq!(versions, [1, 2, 3], "what failed took no version");
    assert_eq!(change_log::last_version(&connection).unwrap(), Version(3));
}

#[test]
fn a_transaction_that_sqlite_ended_fails_as_a_whole() {
    let (_folder, mut connection) = database();
    let ending: Work = Box::new(|sql, _| Ok(sql.execute_batch("ROLLBACK")?));
    let turn = turn_at(&connection);
    let error = transaction::run(&mut connection, &turn, vec![good("a"), ending, good("b")]).unwrap_err();
    assert!(matches!(error, transaction::TransactionError::RolledBack(_)), "{error:?}");
    assert!(codes(&connection).is_empty());
    transaction::run(&mut connection, &turn, vec![good("c")]).unwrap();
    assert_eq!(codes(&connection), ["c"]);
}

#[tokio::test]
async fn what_waits_during_a_commit_shares_the_next_one() {
    let (_folder, connection) = database();
    let (report, reports) = std_mpsc::channel();
    let listeners = Arc::new(Listeners::default());
    listeners.add(Box::new(move |changes| report.send(changes.len()).unwrap()));
    let turn = turn_at(&connection);
    let writer = Writer::start(connection, turn, listeners, Arc::default(), Arc::default()).unwrap();
    let (go_on, wait) = std_mpsc::channel();
    let (begun, has_begun) = oneshot::channel();
    let first = writer.change(move |sql, log| {
        begun.send(()).unwrap();
        wait.recv().unwrap();
        insert(sql, log, "first", "https://a/")
    });
    let others = async {
        has_begun.await.unwrap();
        let others = ["a", "b", "c"].map(|code| writer.change(move |sql, log| insert(sql, log, code, "https://a/")));
        let [a, b, c] = others;
        // The last one is polled after the three others have handed over their work.
        let last = async { go_on.send(()).unwrap() };
        let (a, b, c, ()) = tokio::join!(biased; a, b, c, last);
        a.and(b).and(c)
    };
    let (first, others) = tokio::join!(first, others);
    first.and(others).unwrap();
    assert_eq!(reports.try_iter().collect::<Vec<_>>(), [1, 3]);
}

#[tokio::test]
async fn the_listener_hears_first_and_the_caller_second() {
    let (_folder, connection) = database();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listeners = Arc::new(Listeners::default());
    listeners.add(Box::new({
        let heard = Arc::clone(&heard);
        move |changes| heard.lock().unwrap().extend(changes.iter().map(|change| change.version.0))
    }));
    let turn = turn_at(&connection);
    let writer = Writer::start(connection, turn, listeners, Arc::default(), Arc::default()).unwrap();
    for version in 1..=20 {
        writer.change(move |sql, log| insert(sql, log, &format!("c{version}"), "https://a/")).await.unwrap();
        assert_eq!(heard.lock().unwrap().last(), Some(&version));
    }
}

#[tokio::test]
async fn a_full_disk_is_unavailable_and_passes() {
    let (folder, connection) = database();
    let writer = start(connection);
    let limit = |pages: i64| {
        move |sql: &Connection, _: &mut ChangeLog| {
            Ok(sql.pragma_update_and_check(None, "max_page_count", pages, |row| row.get::<_, i64>(0))?)
        }
    };
    // Smaller than the file already is means: as small as it is.
    writer.change(limit(1)).await.unwrap();
    let target = "https://example.com/".to_owned() + &"x".repeat(8000);
    let mut stored = 0;
    let error = loop {
        let (target, code) = (target.clone(), format!("c{stored}"));
        match writer.change(move |sql, log| insert(sql, log, &code, &target)).await {
            Ok(()) => stored += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
    writer.change(limit(1_000_000)).await.unwrap();
    writer.change(move |sql, log| insert(sql, log, "later", &target)).await.unwrap();
    assert_eq!(codes(&reader(&folder)).len(), stored + 1);
}

#[tokio::test]
async fn a_locked_file_is_unavailable_and_passes() {
    let (folder, connection) = database();
    connection.busy_timeout(Duration::ZERO).unwrap();
    let other = migrations::open_migrated(&folder.path().join("hny.db")).unwrap();
    let writer = start(connection);
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = writer.change(|sql, log| insert(sql, log, "a", "https://a/")).await.unwrap_err();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
    other.execute_batch("ROLLBACK").unwrap();
    writer.change(|sql, log| insert(sql, log, "b", "https://a/")).await.unwrap();
    assert_eq!(codes(&other), ["b"]);
}

#[tokio::test]
async fn a_panic_is_answered_and_the_writer_goes_on() {
    let (folder, connection) = database();
    let writer = start(connection);
    let error = writer.change(|sql, log| panicking("a")(sql, log)).await.unwrap_err();
    assert!(matches!(error, StoreError::Broken(_)), "{error:?}");
    writer.change(|sql, log| insert(sql, log, "b", "https://a/")).await.unwrap();
    assert_eq!(codes(&reader(&folder)), ["b"]);
}

#[tokio::test]
async fn a_listener_that_panics_does_not_stop_the_writer() {
    let (_folder, connection) = database();
    let listeners = Arc::new(Listeners::default());
    listeners.add(Box::new(|_| panic!("a fault of a listener, made for this test")));
    let turn = turn_at(&connection);
    let writer = Writer::start(connection, turn, listeners, Arc::default(), Arc::default()).unwrap();
    for code in ["a", "b"] {
        writer.change(move |sql, log| insert(sql, log, code, "https://a/")).await.unwrap();
    }
}

#[tokio::test]
async fn closing_finishes_what_was_handed_over() {
    let (folder, connection) = database();
    let writer = Arc::new(start(connection));
    let (go_on, wait) = std_mpsc::channel::<()>();
    let (begun, has_begun) = oneshot::channel();
    let first = writer.change(move |sql, log| {
        begun.send(()).unwrap();
        wait.recv().unwrap();
        insert(sql, log, "a", "https://a/")
    });
    let others = async {
        has_begun.await.unwrap();
        let closing = async {
            let closing = tokio::task::spawn_blocking({
                let writer = Arc::clone(&writer);
                move || writer.close()
            });
            // Until the second change and the wish to close are both in the queue.
            while writer.queue.capacity() > QUEUE_LENGTH - 2 {
                tokio::task::yield_now().await;
            }
            go_on.send(()).unwrap();
            closing.await.unwrap();
        };
        tokio::join!(writer.change(|sql, log| insert(sql, log, "b", "https://a/")), closing)
    };
    let (first, (second, ())) = tokio::join!(first, others);
    first.and(second).unwrap();
    assert_eq!(codes(&reader(&folder)), ["a", "b"]);
    let late = writer.change(|sql, log| insert(sql, log, "c", "https://a/")).await.unwrap_err();
    assert!(matches!(late, StoreError::Unavailable(_)), "{late:?}");
}
