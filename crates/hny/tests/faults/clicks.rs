//! Clicks when things break: what a visitor was answered is counted, but for the last 100 ms before a crash, and never twice.

mod full;
#[cfg(feature = "kafka")]
mod kafka;
pub(crate) mod kills;
mod postgres;
mod spool;

use std::fs::File;
use std::time::Instant;

use hny_testkit::{Client, DEADLINE, Postgres, Program, Running, Strace, read_trace_so_far};

use crate::{program, visit};
use spool::Spool;

const TARGET: &str = "https://example.com/";

/// What `hny stats` says of a link.
fn counted(program: &Program, code: &str) -> u64 {
    let said = program.run(["stats", code, "--json"]);
    assert!(said.status.success(), "{said:?}");
    let stats: serde_json::Value = serde_json::from_slice(&said.stdout).expect("it is JSON");
    stats["total"]["clicks"].as_u64().expect("clicks are a number")
}

/// Follows a link so often.
pub(crate) fn follow(hny: &Running, code: &str, times: u64) {
    let mut client = Client::connect(hny.address());
    for _ in 0..times {
        assert_eq!(visit::target(&mut client, code).as_deref(), Some(TARGET));
    }
}

/// Looks again and again until it is so.
pub(crate) fn until(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < DEADLINE, "it has not happened within {DEADLINE:?}");
    }
}

/// Stops a node in order.
pub(crate) fn stop(mut hny: Running) -> String {
    hny.terminate();
    assert_eq!(hny.wait(DEADLINE).code(), Some(0), "{}", hny.stderr());
    hny.stderr()
}

/// Keeps every process from changing the database, until it is dropped: it is never their turn.
struct Locked(File);

impl Locked {
    fn of(program: &Program) -> Self {
        let turn = File::create(program.folder().join("hny.db-turn")).expect("the folder can be written");
        turn.lock().expect("the lock is free sometimes");
        Self(turn)
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        self.0.unlock().expect("a lock that is held can be given back");
    }
}

/// A node, and a link that it has at hand.
pub(crate) fn node(program: &Program) -> (Running, String) {
    let hny = program.start();
    let code = visit::shorten(&mut Client::connect(hny.address()), TARGET);
    (hny, code)
}

#[test]
fn a_database_that_takes_nothing_for_a_while_loses_no_click() {
    let program = program();
    let (hny, code) = node(&program);
    let locked = Locked::of(&program);
    follow(&hny, &code, 500);
    hny.wait_for_line(|line| line.contains("clicks cannot be counted now").then_some(()));
    assert_eq!((counted(&program, &code), Spool::of(&program).clicks()), (0, 500));
    drop(locked);
    until(|| counted(&program, &code) == 500);
    follow(&hny, &code, 10);
    stop(hny);
    assert_eq!(counted(&program, &code), 510);
    assert_eq!(Spool::of(&program).folders().len(), 0, "nothing is left behind");
}

#[test]
fn what_the_database_does_not_take_at_the_stop_is_counted_by_the_next_start() {
    let program = program();
    let (mut hny, code) = node(&program);
    let locked = Locked::of(&program);
    follow(&hny, &code, 300);
    hny.terminate();
    hny.wait_for_line(|line| line.contains("clicks are left in the spool").then_some(()));
    drop(locked);
    hny.wait(DEADLINE);
    assert_eq!((counted(&program, &code), Spool::of(&program).clicks()), (0, 300));
    stop(program.start());
    assert_eq!(counted(&program, &code), 300);
}

#[test]
fn a_postgres_that_is_down_for_a_while_loses_no_click() {
    let server = Postgres::start();
    let program = program().env("HNY_DATABASE_URL", server.url("postgres")).env("HNY_SPOOL_DIR", "spool");
    let (hny, code) = node(&program);
    follow(&hny, &code, 1);
    server.crash();
    follow(&hny, &code, 300);
    hny.wait_for_line(|line| line.contains("clicks cannot be counted now").then_some(()));
    server.start_again();
    until(|| counted(&program, &code) == 301);
    server.stop();
    follow(&hny, &code, 100);
    let mut hny = hny;
    hny.terminate();
    hny.wait(DEADLINE);
    server.start_again();
    assert_eq!(counted(&program, &code), 301);
    stop(program.start());
    assert_eq!(counted(&program, &code), 401);
}

#[test]
fn a_node_counts_what_another_on_its_file_left_behind() {
    let program = program();
    let (mut one, code) = node(&program);
    let other = program.start();
    follow(&other, &code, 1);
    until(|| counted(&program, &code) == 1);
    let locked = Locked::of(&program);
    follow(&one, &code, 200);
    let spool = Spool::of(&program);
    assert_eq!(spool.folders().len(), 2, "each has its own");
    until(|| spool.clicks() == 201);
    one.kill();
    one.wait(DEADLINE);
    drop(locked);
    until(|| counted(&program, &code) == 201);
    stop(other);
    assert_eq!((counted(&program, &code), spool.folders().len()), (201, 0));
}

#[test]
fn a_write_that_was_cut_short_is_cut_off_and_said_once() {
    let program = program();
    let (mut hny, code) = node(&program);
    let locked = Locked::of(&program);
    follow(&hny, &code, 50);
    until(|| Spool::of(&program).clicks() == 50);
    hny.kill();
    hny.wait(DEADLINE);
    drop(locked);
    Spool::of(&program).tear();
    let said = stop(program.start());
    assert_eq!(said.matches("a write of clicks was cut short").count(), 1, "{said}");
    assert_eq!(counted(&program, &code), 50);
}

#[test]
fn no_address_and_no_query_is_in_the_spool() {
    let program = program().env("HNY_TRUSTED_PROXIES", "127.0.0.1");
    let (hny, code) = node(&program);
    let locked = Locked::of(&program);
    let headers = [
        ("User-Agent", "Browser/1.0"),
        ("Referer", "https://user:secret@site.example/secret?secret#secret"),
        ("X-Forwarded-For", "203.0.113.77"),
        ("Accept-Language", "de-secret"),
        ("Cookie", "secret"),
    ];
    let mut client = Client::connect(hny.address());
    for _ in 0..100 {
        assert_eq!(client.request("GET", &format!("/{code}?secret"), &headers, b"").status, 302);
    }
    let spool = Spool::of(&program);
    until(|| spool.clicks() == 100);
    let has = |text: &[u8]| spool.bytes().windows(text.len()).any(|bytes| bytes == text);
    assert!(has(b"site.example") && has(b"Browser/1.0"));
    for secret in ["secret", "203.0.113.77", "127.0.0.1"].map(str::as_bytes).iter().chain(&[&[203, 0, 113, 77][..]]) {
        assert!(!has(secret), "{secret:?}");
    }
    drop(locked);
    stop(hny);
    let database = std::fs::read(program.folder().join("hny.db")).expect("the database can be read");
    let has = |text: &[u8]| database.windows(text.len()).any(|bytes| bytes == text);
    assert!(has(b"site.example"));
    for secret in [&b"Browser/1.0"[..], b"203.0.113.77", &[203, 0, 113, 77], b"/secret"] {
        assert!(!has(secret), "{secret:?}");
    }
}

#[test]
fn the_spool_is_brought_to_disk() {
    let program = program();
    let trace = program.folder().join("trace");
    let hny = program.clone().under(Strace::of("fsync,fdatasync").command(&trace)).start();
    let code = visit::shorten(&mut Client::connect(hny.address()), TARGET);
    let synced = || {
        let events = read_trace_so_far(&trace).into_iter();
        let synced = events.filter(|event| event.succeeded() && event.arguments.contains("hny.db-spool/"));
        let (files, folders): (Vec<_>, Vec<_>) = synced.partition(|event| event.arguments.ends_with(".clicks>"));
        (files.len(), folders.len())
    };
    // While it runs, and again whenever there is something new.
    for round in 1..=3 {
        let (before, _) = synced();
        follow(&hny, &code, 1);
        until(|| matches!(synced(), (files, 1..) if files > before));
        assert!(synced().0 >= round, "the clicks, and that their file is there");
    }
    stop(hny);
}
