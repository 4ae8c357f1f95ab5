//! How many links a client without a key may make.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use hny_testkit::Response;
use serde_json::json;

use super::{assert_untold, parameter, shorten, site};
use crate::document::{assert_bad_field, assert_problem};
use crate::instant::until_some;
use crate::site::{Site, program};

/// The three ways to make a link.
const DOORS: [&str; 3] = ["/api/shorten", "/shorten", "/api/v1/links"];

#[test]
fn of_thirty_at_once_ten_pass() {
    let site = site(&[]);
    let barrier = Barrier::new(30);
    let answers: Vec<Response> = std::thread::scope(|scope| {
        let (site, barrier) = (&site, &barrier);
        let ask = |number: usize| {
            let mut client = site.visitor();
            barrier.wait();
            client.post_json(DOORS[number % 3], &json!({"originalUrl": "https://example.com/"}))
        };
        let threads: Vec<_> = (0..30).map(|number| scope.spawn(move || ask(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let (made, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
    let mut remaining: Vec<_> = made.iter().map(|answer| parameter(answer, "ratelimit", "r")).collect();
    remaining.sort_unstable();
    assert_eq!(remaining, (0..10).collect::<Vec<_>>());
    for answer in made {
        assert_eq!(answer.header("ratelimit-policy"), Some("\"creates\";q=10;w=60"));
        assert_eq!(parameter(answer, "ratelimit", "t"), 60);
        assert_eq!(answer.header("retry-after"), None);
    }
    assert_eq!(refused.len(), 20);
    for answer in refused {
        assert_problem(answer, 429, "too-many-requests");
        let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        assert_eq!(answer.header("ratelimit-policy"), Some("\"creates\";q=10;w=60"));
        assert_eq!(answer.header("ratelimit"), Some(&*format!("\"creates\";r=0;t={wait}")));
    }
}

#[test]
fn a_key_is_not_limited_and_redirects_never_are() {
    let site = site(&[("HNY_CREATE_LIMIT", "1/60s")]);
    let mut client = site.visitor();
    let path = shorten(&mut client, &[]).json()["shortCode"].as_str().map(|code| format!("/{code}")).unwrap();
    assert_eq!(shorten(&mut client, &[]).status, 429);
    for _ in 0..20 {
        let made = shorten(&mut client, &[("X-Api-Key", site.key())]);
        assert_eq!(made.status, 201);
        assert_untold(&made);
    }
    for method in ["GET", "HEAD"] {
        for _ in 0..20 {
            let answer = client.request(method, &path, &[], b"");
            assert_eq!((answer.status, answer.headers("location")), (302, vec!["https://example.com/"]));
            assert_untold(&answer);
        }
    }
    // A wrong key is no stranger.
    assert_eq!(shorten(&mut client, &[("X-Api-Key", "hny_wrong")]).status, 401);
}

#[test]
fn what_is_wrong_does_not_count_and_a_taken_code_does() {
    let site = site(&[("HNY_CREATE_LIMIT", "3/60s")]);
    let mut client = site.visitor();
    let taken = json!({"originalUrl": "https://example.com/", "customCode": "taken"});
    assert_eq!(site.admin().send("POST", "/api/v1/links", &taken).status, 201);
    for _ in 0..5 {
        assert_bad_field(&client.post_json("/api/shorten", &json!({"originalUrl": "nothing"})), "#/originalUrl");
        let needs_key =
            client.post_json("/api/shorten", &json!({"originalUrl": "https://a.example/", "private": true}));
        assert_eq!(needs_key.status, 401);
        assert_untold(&needs_key);
        assert_eq!(client.request("POST", "/api/shorten", &[("Content-Type", "text/plain")], b"{}").status, 415);
        assert_eq!(client.request("POST", "/shorten", &[("Content-Type", "application/json")], b"{").status, 400);
    }
    for left in [2, 1] {
        let answer = client.post_json("/api/shorten", &taken);
        assert_eq!((answer.status, parameter(&answer, "ratelimit", "r")), (409, left));
    }
    assert_eq!(shorten(&mut client, &[]).status, 201);
    assert_eq!(shorten(&mut client, &[]).status, 429);
    assert_eq!(client.post_json("/api/shorten", &taken).status, 429, "no code can be found out any more");
    assert_bad_field(&client.post_json("/api/shorten", &json!({"originalUrl": "nothing"})), "#/originalUrl");
}

#[test]
fn what_fails_on_our_side_does_not_count() {
    // SIGXFSZ would end the program where a full disk returns an error.
    let without_signal = ["sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""];
    let site = Site::start(&program().env("HNY_CREATE_LIMIT", "2/60s").under(without_signal));
    let mut client = site.visitor();
    site.hny().limit_file_size(Some(0));
    for _ in 0..5 {
        let answer = shorten(&mut client, &[]);
        assert_problem(&answer, 503, "unavailable");
        assert_eq!(answer.header("ratelimit"), None);
    }
    site.hny().limit_file_size(None);
    let made = until_some(|| Some(shorten(&mut client, &[])).filter(|answer| answer.status != 503));
    assert_eq!((made.status, shorten(&mut client, &[]).status, shorten(&mut client, &[]).status), (201, 201, 429));
}

#[test]
fn the_window_slides() {
    let site = site(&[("HNY_CREATE_LIMIT", "2/3s")]);
    let mut client = site.visitor();
    let start = Instant::now();
    assert_eq!((shorten(&mut client, &[]).status, shorten(&mut client, &[]).status), (201, 201));
    let refused = shorten(&mut client, &[]);
    // On a machine that took longer than the window for two creates there is nothing to see.
    if start.elapsed() < Duration::from_secs(3) {
        assert_eq!(refused.status, 429);
        assert!((1..=3).contains(&parameter(&refused, "ratelimit", "t")));
    }
    let made = until_some(|| Some(shorten(&mut client, &[])).filter(|answer| answer.status == 201));
    assert!(start.elapsed() >= Duration::from_secs(3), "{:?}", start.elapsed());
    assert_eq!(parameter(&made, "ratelimit-policy", "w"), 3);
}

#[test]
fn a_limit_can_be_off() {
    let site = site(&[("HNY_CREATE_LIMIT", "off")]);
    let mut client = site.visitor();
    for _ in 0..30 {
        let made = shorten(&mut client, &[]);
        assert_eq!(made.status, 201);
        assert_untold(&made);
    }
}
