//! The order of system calls: on disk first, acknowledged second.
//!
//! A killed process leaves its writes to the system, so only this order says anything about power loss.

use std::path::{Path, PathBuf};

use hny_testkit::{Client, DEADLINE, Event, Program, Running, Strace, read_trace};
use serde_json::json;

use crate::admin::{Admin, new_key};
use crate::{program, visit};

/// Whatever may write files or sockets, or bring files to disk.
const CALLS: &str = "openat,write,writev,pwrite64,pwritev,sendto,sendmsg,fsync,fdatasync";

#[test]
fn a_change_is_on_disk_before_it_is_acknowledged() {
    let program = program();
    let key = new_key(&program);
    let (mut hny, file) = start_traced(&program);
    let mut admin = Admin::connect(&hny, &key);
    // Twice each: the first change of a log also writes its header.
    for code in ["one", "two"] {
        visit::shorten(&mut Client::connect(hny.address()), "https://example.com/");
        assert_eq!(admin.create(code, "https://example.com/").status, 201);
        assert_eq!(admin.edit(code, &json!({"originalUrl": "https://example.com/after"})).status, 200);
        assert_eq!(admin.delete(code).status, 204);
    }
    let trace = stop(&mut hny, &file);
    let answers: Vec<_> = trace.iter().filter(|event| is_answer(event)).collect();
    let statuses: Vec<_> = answers.iter().map(|answer| status(answer)).collect();
    assert_eq!(statuses, ["201", "201", "200", "204", "201", "201", "200", "204"]);
    let mut begin = 0;
    for answer in answers {
        assert_synced_before(&trace, begin, answer);
        begin = answer.began;
    }
}

#[test]
fn new_files_are_in_their_folder_on_disk_before_the_first_answer() {
    let program = program();
    for start in ["first", "second"] {
        let (mut hny, file) = start_traced(&program);
        visit::shorten(&mut Client::connect(hny.address()), "https://example.com/");
        let trace = stop(&mut hny, &file);
        let answer = trace.iter().find(|event| is_answer(event)).expect("the 201 is in the trace");
        let made = |name: &str| opened(&trace, &program.folder().join(name));
        // The log is removed at every clean end, so it is made by every start.
        let log = made("hny.db-wal").expect("the log is opened");
        let folder = trace.iter().filter(|event| is_sync(event) && is_of(event, program.folder()));
        let in_time = folder.filter(|sync| log.before(sync) && sync.before(answer)).count();
        assert!(in_time > 0, "{start} start: the folder is not synced between {log:?} and {answer:?}");
        if start == "first" {
            let database = made("hny.db").expect("the database is opened");
            let of_file = |event: &&Event| is_sync(event) && is_of(event, &program.database());
            let sync = trace.iter().find(of_file).expect("the new database is synced");
            assert!(database.before(sync) && sync.before(answer), "{sync:?}");
        }
    }
}

/// Starts the program under strace; where the trace is.
fn start_traced(program: &Program) -> (Running, PathBuf) {
    let file = program.folder().join("trace");
    let hny = program.clone().under(Strace::of(CALLS).command(&file)).start();
    (hny, file)
}

fn stop(hny: &mut Running, file: &Path) -> Vec<Event> {
    hny.terminate();
    assert!(hny.wait(DEADLINE).success());
    read_trace(file)
}

/// After the last write to the log between `begin` and `answer`, of which there must be one, the log was synced.
fn assert_synced_before(trace: &[Event], begin: usize, answer: &Event) {
    let change: Vec<_> = trace.iter().filter(|event| event.began > begin && event.before(answer)).collect();
    let of_log = |event: &&&Event| event.arguments.contains("/hny.db-wal>");
    let is_write = |event: &&&Event| event.call.contains("write") && event.succeeded();
    let write = change.iter().filter(of_log).rfind(is_write);
    let write = write.unwrap_or_else(|| panic!("nothing was written before {answer:?}: {change:?}"));
    let synced = change.iter().filter(of_log).any(|event| is_sync(event) && write.before(event));
    assert!(synced, "no sync between {write:?} and {answer:?}: {change:?}");
}

fn is_sync(event: &Event) -> bool {
    matches!(event.call.as_str(), "fsync" | "fdatasync") && event.succeeded()
}

fn is_of(event: &Event, path: &Path) -> bool {
    event.arguments.ends_with(&format!("<{}>", path.display()))
}

fn is_answer(event: &Event) -> bool {
    event.arguments.contains("<TCP") && event.arguments.contains("HTTP/1.1 ")
}

fn status(answer: &Event) -> &str {
    answer.arguments.split("HTTP/1.1 ").nth(1).and_then(|line| line.get(..3)).unwrap_or_default()
}

/// The first time that a file was opened so that it is made.
fn opened<'a>(trace: &'a [Event], path: &Path) -> Option<&'a Event> {
    let name = format!("\"{}\"", path.display());
    trace
        .iter()
        .find(|event| event.call == "openat" && event.arguments.contains(&name) && event.arguments.contains("O_CREAT"))
}
