//! What is promised holds while visitors keep the program as busy as they can.

mod visitors;

use std::net::Ipv4Addr;
use std::time::Duration;

use bench_visitors::{Draw, Traffic, links};
use hny_domain::{Clock, Timestamp};
use hny_testkit::{Client, DEADLINE, Running};
use serde_json::json;

use crate::admin::{Admin, new_key};
use crate::memory::own_kib;
use crate::{program, visit};
use visitors::Visitors;

/// How many links the visitors ask for.
const LINKS: u64 = 300;

/// How often each change is made.
const ROUNDS: usize = 150;

/// A program with the links that visitors ask for, and an admin.
fn busy_site() -> (Running, Admin) {
    let program = program();
    let key = new_key(&program);
    let hny = program.start();
    let mut admin = Admin::connect(&hny, &key);
    for code in (0..LINKS).map(links::code) {
        let answer = admin.create_like_others(&links::text(code), &links::target(code));
        assert_eq!(answer.status, 201, "{answer:?}");
    }
    (hny, admin)
}

#[test]
fn a_change_is_seen_at_once_by_whoever_asks_the_node_that_answered_it() {
    let (hny, mut admin) = busy_site();
    let visitors = Visitors::start(hny.address(), LINKS);
    let mut client = Client::connect(hny.address());
    for round in 0..ROUNDS {
        let target = |step: &str| format!("https://example.com/{round}/{step}");
        assert_eq!(admin.create("edited", &target("first")).status, 201);
        assert_eq!(visit::target(&mut client, "edited"), Some(target("first")));
        assert_eq!(admin.edit("edited", &json!({"originalUrl": target("second")})).status, 200);
        assert_eq!(visit::target(&mut client, "edited"), Some(target("second")));
        assert_eq!(admin.edit("edited", &json!({"active": false})).status, 200);
        assert_eq!(visit::target(&mut client, "edited"), None);
        assert_eq!(admin.delete("edited").status, 204);
        assert_eq!(visit::target(&mut client, "edited"), None);
    }
    assert!(visitors.stop() > 1000, "there was no load");
}

#[test]
fn a_link_ends_at_its_instant() {
    let (hny, mut admin) = busy_site();
    let visitors = Visitors::start(hny.address(), LINKS);
    let mut client = Client::connect(hny.address());
    for _ in 0..5 {
        let end = now().after(Duration::from_millis(800));
        let made =
            admin.send("POST", "/api/v1/links", &json!({"originalUrl": links::TARGET, "expiresAt": end.to_string()}));
        let path = format!("/{}", visit::code(&visit::created(&made)));
        while !is_gone(&mut client, &path, end) {}
    }
    assert!(visitors.stop() > 1000, "there was no load");
}

fn now() -> Timestamp {
    Clock::system().now()
}

/// Whether a link is gone, which must be right for the time it is asked at.
fn is_gone(client: &mut Client, path: &str, end: Timestamp) -> bool {
    let before = now();
    let status = client.get(path).status;
    let after = now();
    match status {
        302 => assert!(before < end, "it went on at {before}, after {end}"),
        410 => assert!(after >= end, "it was gone at {after}, before {end}"),
        _ => panic!("{status}"),
    }
    status == 410
}

/// How often each link is followed by each of the threads that follow all of them.
const FOLLOWED: usize = 10;
const FOLLOWERS: usize = 3;

#[test]
fn counts_are_exact_when_the_load_is_over() {
    let (mut hny, mut admin) = busy_site();
    // Changes go on meanwhile, for they share the store's writer with the counts.
    std::thread::scope(|scope| {
        let followers: Vec<_> = (0..FOLLOWERS)
            .map(|_| {
                scope.spawn(|| {
                    for _ in 0..FOLLOWED {
                        visitors::ask(hny.address(), &mut Traffic::new(Draw::Each(0..LINKS), 0), ENOUGH);
                    }
                })
            })
            .collect();
        let mut round = 0;
        while !followers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            round += 1;
            let title = json!({"title": format!("round {round}")});
            assert_eq!(admin.edit(&links::text(links::code(round % LINKS)), &title).status, 200);
        }
    });
    hny.terminate();
    assert!(hny.wait(DEADLINE).success());
    for number in (0..LINKS).step_by(12) {
        let code = links::text(links::code(number));
        let said = hny.program().run(["stats", code.as_str(), "--json"]);
        let stats: serde_json::Value = serde_json::from_slice(&said.stdout).expect("it is JSON");
        assert_eq!(stats["total"]["clicks"], FOLLOWED * FOLLOWERS, "{code}");
    }
}

/// Long enough for any machine.
const ENOUGH: Duration = Duration::from_mins(5);

/// How many addresses clients come from.
const ADDRESSES: u32 = 100_000;

/// Nothing that is kept of a client may be kept for ever.
#[test]
fn a_hundred_thousand_client_addresses_do_not_fill_the_memory() {
    let hny = program().start();
    let warm = ADDRESSES / 2;
    visitors::come_from((0..warm).map(address), hny.address());
    let before = own_kib(hny.pid());
    visitors::come_from((warm..ADDRESSES).map(address), hny.address());
    let grown = own_kib(hny.pid()).saturating_sub(before);
    println!("memory after {warm} addresses: {before} KiB, and {grown} KiB more after {ADDRESSES}");
    // 50,000 addresses kept with a hundred bytes each would be 5 MiB.
    assert!(grown < 4 * 1024, "{grown} KiB more");
}

/// One of the sixteen million addresses of the loopback device.
fn address(number: u32) -> Ipv4Addr {
    Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 1, 0, 0)) + number)
}

impl Admin {
    /// Makes a link that may look like another.
    fn create_like_others(&mut self, code: &str, target: &str) -> hny_testkit::Response {
        let document = json!({"originalUrl": target, "customCode": code, "allowLookalike": true});
        self.send("POST", "/api/v1/links", &document)
    }
}
