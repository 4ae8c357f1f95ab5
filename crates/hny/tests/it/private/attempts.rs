//! How often passwords may be tried (B64, B73).

use hny_testkit::{Client, Redis, Response};
use serde_json::json;

use super::{PASSWORD, TARGET, assert_asks, assert_opened, locked, send, send_with};
use crate::instant::until_some;
use crate::redis::while_in_use;
use crate::site::{Site, program};

/// A program with these limits, behind a proxy that says whom it answers for.
fn site(by_client: &str, at_link: &str) -> Site {
    let program = program().env("HNY_PASSWORD_LIMIT", by_client).env("HNY_LINK_PASSWORD_LIMIT", at_link);
    Site::start(&program.env("HNY_TRUSTED_PROXIES", "127.0.0.1"))
}

fn send_for(client: &mut Client, path: &str, password: &str, address: &str) -> Response {
    send_with(client, path, password, &[("X-Forwarded-For", address)])
}

/// Asserts that an answer tells to wait, and nothing else.
fn assert_waits(answer: &Response) {
    assert_eq!(answer.status, 429, "{}", answer.text());
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=3_600).contains(&seconds), "{seconds}");
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    super::assert_hides(answer);
}

#[test]
fn a_client_has_so_many_wrong_ones_and_then_the_right_one_is_not_looked_at() {
    let site = site("3/1h", "1000/1h");
    let (one, other) = (locked(&site), locked(&site));
    let mut proxy = site.visitor();
    // One that is right is none of them.
    for _ in 0..5 {
        assert_opened(&send_for(&mut proxy, &one, PASSWORD, "203.0.113.5"), TARGET);
    }
    for path in [&one, &other, &one] {
        assert_asks(&send_for(&mut proxy, path, "wrong", "203.0.113.5"), 403);
    }
    for path in [&one, &other] {
        for password in ["wrong", PASSWORD] {
            assert_waits(&send_for(&mut proxy, path, password, "203.0.113.5"));
        }
    }
    assert_opened(&send_for(&mut proxy, &one, PASSWORD, "203.0.113.6"), TARGET);
    // The page itself is there for everyone.
    assert_asks(&proxy.request("GET", &one, &[("X-Forwarded-For", "203.0.113.5")], b""), 200);
}

#[test]
fn addresses_that_are_forged_or_of_one_subscriber_are_one_client() {
    let site = site("3/1h", "off");
    let path = locked(&site);
    let mut proxy = site.visitor();
    let statuses = |addresses: [&str; 5], proxy: &mut Client| {
        addresses.map(|address| send_for(proxy, &path, "wrong", address).status)
    };
    let subscriber =
        ["2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:3::", "2001:db8:1:2:ffff::1", "2001:db8:9::1"];
    assert_eq!(statuses(subscriber, &mut proxy), [403, 403, 403, 429, 403]);
    let forged =
        ["1.1.1.1, 203.0.113.7", "2.2.2.2, 203.0.113.7", "::ffff:203.0.113.7", "3.3.3.3,203.0.113.7", "203.0.113.8"];
    assert_eq!(statuses(forged, &mut proxy), [403, 403, 403, 429, 403]);
    // Without a proxy that is trusted no header says anything.
    let site = Site::with("HNY_PASSWORD_LIMIT", "2/1h");
    let path = locked(&site);
    let mut direct = site.visitor();
    let answers =
        ["1.1.1.1", "2.2.2.2", "3.3.3.3", "23189987"].map(|address| send_for(&mut direct, &path, "x", address).status);
    assert_eq!(answers, [403, 403, 429, 429]);
}

#[test]
fn a_link_has_so_many_wrong_ones_from_all_clients_together() {
    let site = site("1000/1h", "5/1h");
    let (path, other) = (locked(&site), locked(&site));
    let mut proxy = site.visitor();
    let mut address = 0..;
    let mut send_anew = |path: &str, password: &str| {
        send_for(&mut proxy, path, password, &format!("203.0.113.{}", address.next().unwrap()))
    };
    for _ in 0..5 {
        assert_asks(&send_anew(&path, "wrong"), 403);
    }
    for password in ["wrong", PASSWORD] {
        assert_waits(&send_anew(&path, password));
    }
    assert_opened(&send_anew(&other, PASSWORD), TARGET);
    // Its owner can still let people in.
    let token = site.admin().send("POST", &format!("/api/v1/links{path}/tokens"), &json!({"expiresIn": 60})).json();
    let url = token["url"].as_str().unwrap();
    let opened = site.visitor().get(url.strip_prefix(&site.base()).unwrap());
    assert_eq!((opened.status, opened.header("location")), (302, Some(TARGET)));
}

#[test]
fn two_hundred_guesses_at_once_get_no_further_than_ten() {
    let site = Site::with("HNY_PASSWORD_LIMIT", "10/1h");
    let path = locked(&site);
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let guess = || {
            scope.spawn(|| {
                let mut client = site.visitor();
                (0..10).map(|_| send(&mut client, &path, "guess").status).collect::<Vec<_>>()
            })
        };
        let guessing: Vec<_> = (0..20).map(|_| guess()).collect();
        guessing.into_iter().flat_map(|guesses| guesses.join().unwrap()).collect()
    });
    let looked_at = statuses.iter().filter(|status| **status == 403).count();
    assert_eq!((looked_at, statuses.iter().filter(|status| **status == 429).count()), (10, 190), "{statuses:?}");
}

#[test]
fn nodes_that_share_a_redis_share_the_limit() {
    let redis = Redis::start();
    let program = program().env("HNY_REDIS_URL", redis.url()).env("HNY_PASSWORD_LIMIT", "4/1h");
    let program = program.env("HNY_TRUSTED_PROXIES", "127.0.0.1");
    let sites = [Site::start(&program.clone().env("HNY_ROLES", "redirect")), Site::start(&program)];
    let (path, other) = (locked(&sites[1]), locked(&sites[1]));
    // Each is connected when what it counts is there.
    let mut stranger = 0..;
    let mut connect = |site: &Site| {
        until_some(|| {
            redis.command(&["FLUSHALL"]);
            send_for(&mut site.visitor(), &other, "wrong", &format!("2001:db8:{:x}::1", stranger.next().unwrap()));
            redis.command(&["KEYS", "*"]).contains(":limit:").then_some(())
        });
    };
    let mut client = 1..;
    let answers = while_in_use(&sites.each_ref().map(Site::hny), || {
        sites.iter().for_each(&mut connect);
        let client = format!("203.0.113.{}", client.next().unwrap());
        let by_turns = |turn: usize| send_for(&mut sites[turn % 2].visitor(), &path, "wrong", &client).status;
        (0..8).map(by_turns).collect::<Vec<_>>()
    });
    assert_eq!(answers, [403, 403, 403, 403, 429, 429, 429, 429]);
}
