//! Two servers and the command line on one file.

use std::collections::HashMap;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use hny_testkit::{Client, DEADLINE, Running};
use serde_json::json;

use crate::admin::{Admin, new_key};
use crate::ledger::Ledger;
use crate::load::Load;
use crate::{program, visit};

/// How soon every other node knows of a change.
const SECOND: Duration = Duration::from_secs(1);

/// Two servers on one file.
fn pair() -> (Running, Running) {
    let first = program().start();
    let second = program().beside(first.program()).start();
    (first, second)
}

#[test]
fn a_link_made_on_one_is_found_on_the_other_at_once() {
    let (a, b) = pair();
    let (mut on_a, mut on_b) = (Client::connect(a.address()), Client::connect(b.address()));
    for number in 0..100 {
        let target = format!("https://example.com/{number}");
        let code = visit::shorten(&mut on_a, &target);
        assert_eq!(visit::target(&mut on_b, &code), Some(target), "{code}");
    }
}

#[test]
fn where_its_absence_was_cached_a_link_is_found_within_a_second() {
    let (a, b) = pair();
    let (mut on_a, mut on_b) = (Client::connect(a.address()), Client::connect(b.address()));
    for code in ["one", "two", "three"] {
        assert_eq!(visit::target(&mut on_b, code), None);
        visit::shorten_as(&mut on_a, code, "https://example.com/");
        assert_shows(&mut on_b, code, Some("https://example.com/"));
    }
}

#[test]
fn every_change_on_one_is_seen_on_the_other_within_a_second() {
    let (a, b) = pair();
    let key = new_key(a.program());
    let (mut admin, mut on_b) = (Admin::connect(&a, &key), Client::connect(b.address()));
    let before = "https://example.com/before";
    assert_eq!(admin.create("link", before).status, 201);
    assert_eq!(visit::target(&mut on_b, "link").as_deref(), Some(before));

    let after = "https://example.com/after";
    assert_eq!(admin.edit("link", &json!({"originalUrl": after})).status, 200);
    assert_shows(&mut on_b, "link", Some(after));
    assert_eq!(admin.edit("link", &json!({"active": false})).status, 200);
    assert_shows(&mut on_b, "link", None);
    assert_eq!(admin.edit("link", &json!({"active": true})).status, 200);
    assert_shows(&mut on_b, "link", Some(after));
    assert_eq!(admin.delete("link").status, 204);
    assert_shows(&mut on_b, "link", None);
    let again = "https://example.com/again";
    assert_eq!(admin.create("link", again).status, 201);
    assert_shows(&mut on_b, "link", Some(again));
}

#[test]
fn of_parallel_creates_of_one_code_on_both_exactly_one_is_done() {
    const EACH: usize = 4;
    const CODES: usize = 50;
    let (a, b) = pair();
    let start = Barrier::new(2 * EACH);
    let create_all = |hny: &Running, number: usize| {
        let mut client = Client::connect(hny.address());
        let target = |code| format!("https://example.com/{}/{number}/{code}", hny.pid());
        let mut create = |code: usize| {
            start.wait();
            let answer = visit::try_shorten_as(&mut client, &format!("code-{code}"), &target(code));
            assert!(matches!(answer.status, 201 | 409), "{answer:?}");
            (answer.status == 201).then(|| (code, target(code)))
        };
        (0..CODES).filter_map(&mut create).collect::<Vec<_>>()
    };
    let winners: Vec<_> = thread::scope(|scope| {
        let callers = [&a, &b].into_iter().flat_map(|hny| (0..EACH).map(move |number| (hny, number)));
        let create_all = &create_all;
        let threads: Vec<_> = callers.map(|(hny, number)| scope.spawn(move || create_all(hny, number))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no caller panics")).collect()
    });
    let targets: HashMap<_, _> = winners.iter().cloned().collect();
    assert_eq!((winners.len(), targets.len()), (CODES, CODES), "each code once: {winners:?}");
    for hny in [&a, &b] {
        let mut client = Client::connect(hny.address());
        for (code, target) in &targets {
            assert_shows(&mut client, &format!("code-{code}"), Some(target));
        }
    }
}

#[test]
fn thousands_of_creates_on_both_are_all_distinct_and_all_there() {
    let (a, b) = pair();
    let on_both = [Load::limited(a.address(), "a", 8, 500), Load::limited(b.address(), "b", 8, 500)];
    let mut ledger = Ledger::default();
    for load in on_both {
        ledger.note(load.finish());
    }
    assert_eq!(ledger.acknowledged(), 8000);
    ledger.check(&a);
    ledger.check(&b);
}

#[test]
fn the_command_line_works_beside_a_server() {
    let hny = program().start();
    let mut client = Client::connect(hny.address());
    let made = hny.program().run(["shorten", "https://example.com/cli", "--json"]);
    assert!(made.status.success(), "{made:?}");
    let code = visit::code(&serde_json::from_slice(&made.stdout).unwrap());
    assert_eq!(visit::target(&mut client, &code).as_deref(), Some("https://example.com/cli"));
    let code = visit::shorten(&mut client, "https://example.com/api");
    let found = hny.program().run(["resolve", &code]);
    assert!(String::from_utf8_lossy(&found.stdout).contains("https://example.com/api"), "{found:?}");
}

#[test]
fn a_key_works_and_is_revoked_at_once_on_every_server() {
    let (a, b) = pair();
    let key = new_key(a.program());
    for (hny, code) in [(&a, "on-a"), (&b, "on-b")] {
        assert_eq!(Admin::connect(hny, &key).create(code, "https://example.com/").status, 201);
    }
    let revoked = a.program().run(["key", "revoke", "1"]);
    assert!(revoked.status.success(), "{revoked:?}");
    for (hny, code) in [(&a, "on-a"), (&b, "on-b")] {
        assert_eq!(Admin::connect(hny, &key).read(code).status, 401);
    }
}

#[test]
fn a_stopped_server_that_does_nothing_blocks_nobody() {
    let (a, b) = pair();
    let (mut on_a, mut on_b) = (Client::connect(a.address()), Client::connect(b.address()));
    let code = visit::shorten(&mut on_a, "https://example.com/a");
    a.pause_between_writes();
    for number in 0..50 {
        visit::shorten(&mut on_b, &format!("https://example.com/{number}"));
    }
    assert_eq!(visit::target(&mut on_b, &code).as_deref(), Some("https://example.com/a"));
    let made = b.program().run(["shorten", "https://example.com/cli"]);
    assert!(made.status.success(), "{made:?}");
    a.resume();
    visit::shorten(&mut on_a, "https://example.com/again");
}

#[test]
fn a_server_stopped_in_the_middle_of_its_work_costs_the_other_no_redirect_and_no_link() {
    let (mut a, b) = pair();
    let mut on_b = Client::connect(b.address());
    let code = visit::shorten(&mut on_b, "https://example.com/b");
    let load = Load::start(a.address(), "busy");
    load.wait_for(200);
    a.pause();
    assert_eq!(visit::target(&mut on_b, &code).as_deref(), Some("https://example.com/b"));
    // It may have been stopped with the lock in its hand: then the other says so, and does not hang.
    let answer = visit::try_shorten_as(&mut on_b, "meanwhile", "https://example.com/meanwhile");
    if answer.status != 201 {
        visit::assert_unavailable(&answer);
    }
    assert_eq!(visit::target(&mut on_b, &code).as_deref(), Some("https://example.com/b"));
    a.resume();
    visit::shorten(&mut on_b, "https://example.com/after");
    let there = visit::target(&mut on_b, "meanwhile");
    assert_eq!(there.is_some(), answer.status == 201, "{there:?}");
    a.terminate();
    assert!(a.wait(DEADLINE).success());
    let mut ledger = Ledger::default();
    ledger.note(load.finish());
    ledger.check(&b);
}

/// Polls until the server shows `expected`, for a second from now; and from then on it shows nothing else.
fn assert_shows(client: &mut Client, code: &str, expected: Option<&str>) {
    let change = Instant::now();
    loop {
        let found = visit::target(client, code);
        if found.as_deref() == expected {
            break;
        }
        assert!(change.elapsed() < SECOND, "{code} still shows {found:?}, not {expected:?}");
    }
    for _ in 0..50 {
        assert_eq!(visit::target(client, code).as_deref(), expected, "{code} showed the change, and then not");
    }
}
