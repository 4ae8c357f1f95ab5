//! A sink that takes nothing, and a buffer that is full: nobody waits, and what is dropped is counted.

use std::str::FromStr;

use hny_testkit::{Client, Running};

use super::{Locked, counted, follow, node, stop, until};
use crate::program;

/// How often the link is followed: more often than the one ring of a node with one thread has room for (16,384).
const FOLLOWED: usize = 18_000;

/// How many requests are sent before the first answer is read.
const AT_ONCE: usize = 500;

/// Follows a link so often, many requests at a time.
fn follow_many(hny: &Running, code: &str, times: usize) {
    let mut client = Client::connect(hny.address());
    let request = format!("GET /{code} HTTP/1.1\r\nHost: a\r\n\r\n");
    for _ in 0..times / AT_ONCE {
        client.send(request.repeat(AT_ONCE).as_bytes()).expect("the node is there");
        (0..AT_ONCE).for_each(|_| assert_eq!(client.receive("GET").status, 302));
    }
}

/// The value of a series.
fn value<T: FromStr>(hny: &Running, series: &str) -> T {
    let answer = Client::connect(hny.metrics_address()).get("/metrics");
    let line = answer.text().lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {series} in\n{}", answer.text()))
}

#[test]
fn a_full_buffer_holds_no_visitor_up_and_what_it_drops_is_counted() {
    let program = program().env("HNY_METRICS_LISTEN", "127.0.0.1:0").env("HNY_THREADS", "1");
    let (hny, code) = node(&program);
    let locked = Locked::of(&program);
    follow(&hny, &code, 1);
    until(|| value::<f64>(&hny, "hny_clicks_oldest_seconds") > 0.0);
    // Nobody takes anything out of the ring.
    let held = hny.hold_thread("hny-clicks");
    follow_many(&hny, &code, FOLLOWED);
    drop(held);
    let all = 1 + FOLLOWED as u64;
    until(|| value::<u64>(&hny, "hny_clicks_recorded_total") >= all);
    let lost: u64 = value(&hny, "hny_clicks_lost_total{reason=\"buffer_full\"}");
    let pending: u64 = value(&hny, "hny_clicks_pending");
    drop(locked);
    stop(hny);
    assert!(lost > 0, "the ring was full");
    assert_eq!([counted(&program, &code), pending], [all - lost; 2], "what is not kept is counted");
}
