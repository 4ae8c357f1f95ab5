//! Memory stays bounded whatever is asked for.

use std::fmt::Write;
use std::ops::Range;

use hny_testkit::Client;

use crate::memory::resident_kib;
use crate::program;

/// How many requests are sent before their answers are read.
const PIPELINE: usize = 500;

/// Where the growth is first looked at: then a cache of 4 MiB is full several times over.
const WARM: usize = 60_000;

/// How many codes are asked for.
const CODES: usize = 200_000;

#[test]
fn two_hundred_thousand_unknown_codes_do_not_fill_the_memory() {
    let hny = program().env("HNY_CACHE_BYTES", "4MiB").env("HNY_METRICS_LISTEN", "127.0.0.1:0").start();
    let mut client = Client::connect(hny.address());
    ask_for(&mut client, 0..WARM);
    let warm = resident_kib(hny.pid());
    ask_for(&mut client, WARM..CODES);
    let grown = resident_kib(hny.pid()).saturating_sub(warm);
    println!("resident after {WARM} unknown codes: {warm} KiB, and {grown} KiB more after {CODES}");
    // Kept without a bound, these codes would take more than 100 bytes each: 14 MiB.
    assert!(grown < 8 * 1024, "{grown} KiB more");
    let cached = cache_bytes(Client::connect(hny.metrics_address()).get("/metrics").text());
    assert!((1024 * 1024..=4 * 1024 * 1024).contains(&cached), "{cached} bytes in the cache");
}

fn ask_for(client: &mut Client, numbers: Range<usize>) {
    for start in numbers.clone().step_by(PIPELINE) {
        let end = numbers.end.min(start + PIPELINE);
        let mut requests = String::new();
        for number in start..end {
            write!(requests, "GET /unknown-{number} HTTP/1.1\r\nHost: a\r\n\r\n").expect("strings take all");
        }
        client.send(requests.as_bytes()).expect("the program reads");
        for _ in start..end {
            assert_eq!(client.receive("GET").status, 404);
        }
    }
}

fn cache_bytes(metrics: &str) -> u64 {
    let value = metrics.lines().find_map(|line| line.strip_prefix("hny_cache_bytes "));
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no hny_cache_bytes in:\n{metrics}"))
}
