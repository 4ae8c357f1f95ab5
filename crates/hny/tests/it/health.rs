//! `/healthz` and `/readyz`.

use std::time::Duration;

use hny_testkit::Client;

use crate::instant::until_some;
use crate::site::{Site, program};

#[test]
fn a_running_node_is_alive_and_ready() {
    let site = Site::shared();
    for (path, text) in [("/healthz", "alive\n"), ("/readyz", "ready\n")] {
        let answer = site.visitor().get(path);
        assert_eq!((answer.status, answer.text()), (200, text));
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
        assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    }
}

#[test]
fn a_node_that_stops_is_alive_and_not_ready_and_still_redirects() {
    let site = Site::start(&program().env("HNY_DRAIN_DELAY", "1m"));
    let path = site.admin().link(&serde_json::json!({"originalUrl": "https://example.com/"}));
    site.hny().terminate();
    let draining = until_some(|| Some(site.visitor().get("/readyz")).filter(|answer| answer.status == 503));
    assert_eq!((draining.text(), draining.header("connection")), ("draining\n", Some("close")));
    assert_eq!(site.visitor().get("/healthz").status, 200);
    let visit = site.visitor().get(&path);
    assert_eq!((visit.status, visit.header("connection")), (302, Some("close")));
}

#[test]
fn a_node_that_stops_closes_idle_connections_and_ends_well() {
    let mut site = Site::start(&program());
    let mut idle = site.visitor();
    assert_eq!(idle.get("/healthz").status, 200);
    site.stop();
    assert_eq!(idle.closed(), b"");
    assert!(Client::try_connect(site.hny().address()).is_err());
}

#[test]
fn whoever_connects_while_a_node_stops_is_answered_once() {
    let site = Site::start(&program().env("HNY_DRAIN_DELAY", "1m"));
    site.hny().terminate();
    until_some(|| Some(site.visitor().get("/readyz")).filter(|answer| answer.status == 503));
    // More than one round trip lies between the connection and its request, as on any real network.
    let mut visitor = site.visitor();
    assert_eq!(site.visitor().get("/healthz").status, 200);
    visitor.send(b"GET /healthz HT").unwrap();
    assert_eq!(site.visitor().get("/healthz").status, 200);
    visitor.send(b"TP/1.1\r\nHost: a\r\n\r\n").unwrap();
    let answer = visitor.receive("GET");
    assert_eq!((answer.status, answer.header("connection")), (200, Some("close")));
    assert_eq!(visitor.closed(), b"");
}

#[test]
fn whoever_connects_while_a_node_stops_and_says_nothing_does_not_hold_it_up() {
    let site = Site::start(&program().env("HNY_DRAIN_DELAY", "1m"));
    site.hny().terminate();
    until_some(|| Some(site.visitor().get("/readyz")).filter(|answer| answer.status == 503));
    let mut silent = site.visitor();
    // Less than the ten seconds that a request may take.
    silent.set_deadline(Duration::from_secs(8));
    assert_eq!(silent.closed(), b"");
}
