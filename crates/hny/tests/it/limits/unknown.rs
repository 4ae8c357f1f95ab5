//! Who asks for many codes that lead nowhere is looking for links.

use hny_testkit::{Client, Response};
use serde_json::json;

use super::{assert_untold, site};
use crate::document::assert_problem;
use crate::site::Site;

/// What makes hyper read a request, and changes nothing about it.
const UNUSUAL: (&str, &str) = ("Connection", "keep-alive, x-nothing");

/// A few unknown codes, and trust in whom the test says it speaks for.
fn scanned() -> Site {
    site(&[("HNY_UNKNOWN_LIMIT", "5/60s"), ("HNY_TRUSTED_PROXIES", "127.0.0.1"), ("HNY_METRICS_LISTEN", "127.0.0.1:0")])
}

fn get(client: &mut Client, path: &str, forwarded_for: &str) -> Response {
    client.request("GET", path, &[("X-Forwarded-For", forwarded_for)], b"")
}

/// Asks for as many unknown codes as are free.
fn use_up(client: &mut Client, forwarded_for: &str) {
    for number in 0..5 {
        assert_eq!(get(client, &format!("/unknown{number}"), forwarded_for).status, 404, "{number}");
    }
}

fn assert_limited(answer: &Response) {
    assert_problem(answer, 429, "too-many-requests");
    let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    for field in ["ratelimit", "ratelimit-policy"] {
        assert_eq!(answer.header(field), None, "not on this road");
    }
}

#[test]
fn a_scanner_is_told_to_wait_and_goes_on_to_be_sent_on() {
    let site = scanned();
    let mut client = site.visitor();
    let path = site.admin().link(&json!({"originalUrl": "https://example.com/"}));
    assert_eq!(get(&mut client, &path, "203.0.113.5").status, 302);
    // However it is asked: from its bytes or by hyper, for all of it or its head, again and again.
    for (number, headers) in [(1, vec![]), (2, vec![UNUSUAL]), (3, vec![]), (4, vec![UNUSUAL]), (5, vec![])] {
        let headers: Vec<_> = headers.into_iter().chain([("X-Forwarded-For", "203.0.113.5")]).collect();
        for method in ["HEAD", "GET", "GET"] {
            let answer = client.request(method, &format!("/dead{number}"), &headers, b"");
            assert_eq!(answer.status, 404, "{method} {number}");
            assert_untold(&answer);
        }
    }
    // The codes are known to lead nowhere, because somebody else has asked.
    for path in ["/known-one", "/known-two"] {
        assert_eq!(get(&mut client, path, "203.0.113.6").status, 404);
        for headers in [vec![], vec![UNUSUAL]] {
            let headers: Vec<_> = headers.into_iter().chain([("X-Forwarded-For", "203.0.113.5")]).collect();
            assert_limited(&client.request("GET", path, &headers, b""));
            assert_eq!(client.request("HEAD", path, &headers, b"").status, 429);
        }
    }
    assert_eq!(get(&mut client, "/dead1", "203.0.113.5").status, 404, "it was counted");
    for _ in 0..50 {
        let answer = get(&mut client, &path, "203.0.113.5");
        assert_eq!((answer.status, answer.headers("location")), (302, vec!["https://example.com/"]));
        assert_untold(&answer);
    }
}

#[test]
fn a_browser_gets_a_page_and_both_roads_tell_the_same() {
    let site = scanned();
    let mut client = site.visitor();
    use_up(&mut client, "203.0.113.5");
    assert_eq!(get(&mut client, "/known", "203.0.113.6").status, 404);
    for accept in ["text/html", "*/*"] {
        let ask = |client: &mut Client, connection| {
            let headers = [("Accept", accept), ("Connection", connection), ("X-Forwarded-For", "203.0.113.5")];
            let mut answer = client.request("GET", "/known", &headers, b"");
            answer.fields.retain(|(name, _)| name != "date" && name != "retry-after");
            answer
        };
        let (plain, hyper) = (ask(&mut client, "keep-alive"), ask(&mut client, UNUSUAL.1));
        assert_eq!((plain.status, &plain), (429, &hyper));
        assert_eq!(plain.text().starts_with("<!doctype html>"), accept == "text/html");
    }
}

#[test]
fn one_dead_link_does_not_cut_a_shared_address_off() {
    let site = scanned();
    let mut client = site.visitor();
    let request = "GET /campaign HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.5\r\n\r\n";
    for _ in 0..100 {
        client.send(request.repeat(100).as_bytes()).unwrap();
        for _ in 0..100 {
            assert_eq!(client.receive("GET").status, 404);
        }
    }
    for number in 0..4 {
        assert_eq!(get(&mut client, &format!("/other{number}"), "203.0.113.5").status, 404);
    }
    assert_eq!(get(&mut client, "/other4", "203.0.113.5").status, 429);
}

#[test]
fn lookups_for_a_scanner_are_rare_and_hot_links_untouched() {
    let site = scanned();
    let (mut client, mut admin) = (site.visitor(), site.admin());
    let mut link = || admin.link(&json!({"originalUrl": "https://example.com/"}));
    let (first, second) = (link(), link());
    use_up(&mut client, "203.0.113.5");
    // Neither is in the cache. The first look is free, the next one in twelve seconds.
    assert_eq!(get(&mut client, &first, "203.0.113.5").status, 302);
    let answer = get(&mut client, &second, "203.0.113.5");
    assert_limited(&answer);
    assert!(answer.header("retry-after").unwrap().parse::<u64>().unwrap() <= 12, "{answer:?}");
    assert_limited(&get(&mut client, "/unheard-of", "203.0.113.5"));
    assert_eq!(get(&mut client, &first, "203.0.113.5").status, 302);
    // Once somebody else has followed it, it is hot.
    assert_eq!(get(&mut client, &second, "203.0.113.6").status, 302);
    assert_eq!(get(&mut client, &second, "203.0.113.5").status, 302);
}

#[test]
fn a_disabled_link_is_as_unknown_as_any() {
    let site = scanned();
    let (mut client, mut admin) = (site.visitor(), site.admin());
    let disabled: Vec<_> =
        (0..6).map(|_| admin.link(&json!({"originalUrl": "https://example.com/", "active": false}))).collect();
    for path in &disabled {
        assert_eq!(get(&mut client, path, "203.0.113.6").status, if *path == disabled[5] { 429 } else { 404 });
    }
}

#[test]
fn what_was_refused_is_counted() {
    let site = scanned();
    let mut client = site.visitor();
    use_up(&mut client, "203.0.113.5");
    for number in 0..3 {
        assert_eq!(get(&mut client, &format!("/more{number}"), "203.0.113.5").status, 429);
    }
    for _ in 0..12 {
        super::shorten_for(&mut client, "203.0.113.5");
    }
    let text = Client::connect(site.hny().metrics_address()).get("/metrics");
    for line in [
        "hny_visits_total{outcome=\"absent\"} 5",
        "hny_visits_total{outcome=\"limited\"} 3",
        "hny_links_created_total 10",
        "hny_creates_refused_total 2",
    ] {
        assert!(text.text().lines().any(|other| other == line), "{line} is not in\n{}", text.text());
    }
}
