//! Several services on one PostgreSQL database.

pub(crate) mod replicas;

use std::collections::BTreeSet;
use std::sync::{Barrier, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

use hny_codes::Permutation;
use hny_codes::snowflake::{Id, Node};
use hny_testkit::{Client, Postgres, Program, Response};
use serde_json::json;

use crate::caller::{Caller, text};
use crate::site::Site;

const TARGET: &str = "https://example.com/a?b=%2F";
const OTHER: &str = "https://example.com/other";

/// Every other node shows a change within this time.
const PROMISE: Duration = Duration::from_secs(1);

/// How long there is rest between two looks, so that nodes and database have a processor: every look is a click, too.
const PACE: Duration = Duration::from_millis(5);

/// The server that these tests share.
pub(crate) fn server() -> &'static Postgres {
    static SERVER: LazyLock<Postgres> = LazyLock::new(Postgres::start);
    &SERVER
}

/// A program on a new database.
pub(crate) fn program() -> Program {
    program_on(&server().new_database())
}

/// A program on this database of the server.
pub(crate) fn program_on(database: &str) -> Program {
    Program::new(env!("CARGO_BIN_EXE_hny")).env("HNY_DATABASE_URL", server().url(database))
}

/// The visit that shows what is wanted, within the time that is promised.
fn soon(visitor: &mut Client, path: &str, wanted: impl Fn(&Response) -> bool) {
    let start = Instant::now();
    loop {
        let answer = visitor.get(path);
        if wanted(&answer) {
            return;
        }
        assert!(start.elapsed() < PROMISE, "{path} still shows {answer:?}");
        thread::park_timeout(PACE);
    }
}

fn leads_to(answer: &Response, target: &str) -> bool {
    answer.status == 302 && answer.header("location") == Some(target)
}

#[test]
fn a_link_that_one_node_made_is_found_on_the_other_at_once() {
    let program = program();
    let (one, two) = (Site::start(&program), Site::start(&program));
    let (mut admin, mut visitor) = (one.admin(), two.visitor());
    for _ in 0..50 {
        let path = admin.link(&json!({"originalUrl": TARGET}));
        assert!(leads_to(&visitor.get(&path), TARGET), "{path}");
    }
}

#[test]
fn where_its_absence_was_cached_a_link_is_found_within_a_second() {
    let program = program();
    let (one, two) = (Site::start(&program), Site::start(&program));
    let (mut admin, mut visitor) = (one.admin(), two.visitor());
    for code in ["one", "two", "three"] {
        let path = format!("/{code}");
        assert_eq!(visitor.get(&path).status, 404);
        admin.link(&json!({"originalUrl": TARGET, "customCode": code}));
        soon(&mut visitor, &path, |answer| leads_to(answer, TARGET));
    }
}

#[test]
fn what_one_node_changes_the_other_shows_within_a_second() {
    let program = program();
    let (one, two) = (Site::start(&program), Site::start(&program));
    let (mut admin, mut visitor) = (one.admin(), two.visitor());
    let path = admin.link(&json!({"originalUrl": TARGET, "customCode": "mine"}));
    assert!(leads_to(&visitor.get(&path), TARGET));
    assert_eq!(admin.edit(&path, &json!({"originalUrl": OTHER})).status, 200);
    soon(&mut visitor, &path, |answer| leads_to(answer, OTHER));
    assert_eq!(admin.edit(&path, &json!({"active": false})).status, 200);
    soon(&mut visitor, &path, |answer| answer.status == 404);
    assert_eq!(admin.edit(&path, &json!({"active": true})).status, 200);
    soon(&mut visitor, &path, |answer| leads_to(answer, OTHER));
    assert_eq!(admin.delete(&path).status, 204);
    soon(&mut visitor, &path, |answer| answer.status == 404);
    admin.link(&json!({"originalUrl": TARGET, "customCode": "mine"}));
    soon(&mut visitor, &path, |answer| leads_to(answer, TARGET));
}

#[test]
fn of_all_who_want_a_code_one_gets_it() {
    const CALLERS: usize = 64;
    let program = program();
    let sites: Vec<_> = (0..4).map(|_| Site::start(&program)).collect();
    let start = Barrier::new(sites.len() * CALLERS);
    let create = |mut caller: Caller| {
        start.wait();
        caller.shorten(&json!({"originalUrl": TARGET, "customCode": "wanted"})).status
    };
    let statuses: Vec<u16> = thread::scope(|scope| {
        let callers: Vec<_> = sites.iter().flat_map(|site| (0..CALLERS).map(move |_| site.admin())).collect();
        let creating: Vec<_> = callers.into_iter().map(|caller| scope.spawn(|| create(caller))).collect();
        creating.into_iter().map(|creating| creating.join().expect("an answer")).collect()
    });
    let count = |status| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((count(201), count(409)), (1, 4 * CALLERS - 1), "{statuses:?}");
}

#[test]
fn each_service_is_a_node_of_its_own() {
    const KEY: &str = "a secret of at least 32 characters";
    let program = program().env("HNY_CODES", "snowflake").env("HNY_CODE_KEY", KEY);
    let sites: Vec<_> = (0..3).map(|_| Site::start(&program)).collect();
    let node = |site: &Site| -> Node {
        let code = text(&site.admin().create(&json!({"originalUrl": TARGET})), "shortCode");
        Id::try_from(Permutation::new(KEY, 11).unwrap().invert(&code).unwrap()).unwrap().node()
    };
    let nodes: BTreeSet<_> = sites.iter().map(|site| format!("{:?}", node(site))).collect();
    assert_eq!(nodes.len(), 3, "{nodes:?}");
}

#[test]
fn the_command_line_works_beside_the_service() {
    let program = program();
    let migrated = program.run(["migrate"]);
    assert!(migrated.status.success(), "{migrated:?}");
    let site = Site::start(&program);
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    let resolved = program.run(["resolve", &path[1..]]);
    assert_eq!(String::from_utf8_lossy(&resolved.stdout).trim_end(), TARGET, "{resolved:?}");
}

#[test]
fn what_would_lose_links_is_warned_about() {
    // The server of these tests does not wait for the disk.
    let mut site = Site::start(&program());
    let said = site.stop();
    assert!(said.contains("fsync is off in PostgreSQL"), "{said}");
    assert!(said.contains("full_page_writes is off in PostgreSQL"), "{said}");
    assert!(!said.contains("synchronous_commit is off"), "{said}");
}

#[test]
fn without_its_database_it_says_so_and_shows_no_password() {
    let program = program().env("HNY_DATABASE_URL", "postgres://hny:S3CRET@127.0.0.1:1/hny");
    let Err(stopped) = program.try_start() else { panic!("nobody answers there") };
    let said = String::from_utf8_lossy(&stopped.stderr);
    assert_eq!(stopped.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot reach PostgreSQL at 127.0.0.1:1/hny") && !said.contains("S3CRET"), "{said}");
}
