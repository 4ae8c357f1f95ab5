//! Memory stays bounded whatever is asked for.

use std::ops::Range;
use std::time::Duration;

use bench_visitors::{Draw, Plan, Traffic, visit};
use hny_testkit::{Client, Running};

use crate::memory::own_kib;
use crate::program;

/// Where the growth is first looked at: then a cache of 4 MiB is full several times over.
const WARM: u64 = 200_000;

/// How many codes are asked for.
const CODES: u64 = 1_000_000;

/// Long enough for all of them, on any machine.
const ENOUGH: Duration = Duration::from_mins(20);

#[test]
fn a_million_unknown_codes_do_not_fill_the_memory() {
    let hny = program().env("HNY_CACHE_BYTES", "4MiB").env("HNY_METRICS_LISTEN", "127.0.0.1:0").start();
    ask_for(&hny, 0..WARM);
    let warm = own_kib(hny.pid());
    ask_for(&hny, WARM..CODES);
    let grown = own_kib(hny.pid()).saturating_sub(warm);
    println!("memory after {WARM} unknown codes: {warm} KiB, and {grown} KiB more after {CODES}");
    // Kept without a bound, these codes would take more than 50 bytes each: 40 MiB.
    assert!(grown < 8 * 1024, "{grown} KiB more");
    let cached = cache_bytes(Client::connect(hny.metrics_address()).get("/metrics").text());
    assert!((1024 * 1024..=4 * 1024 * 1024).contains(&cached), "{cached} bytes in the cache");
}

/// Asks for codes that no link has; each must be a 404.
fn ask_for(hny: &Running, numbers: Range<u64>) {
    let plan = Plan { address: hny.address(), connections: 64, fresh: false, key: "", watches: false };
    let answers = visit(&plan, &mut Traffic::new(Draw::EachUnknown(numbers.clone()), 0), ENOUGH);
    let answers = answers.unwrap_or_else(|error| panic!("{error}")).latencies.len();
    assert_eq!(answers as u64, numbers.end - numbers.start);
}

fn cache_bytes(metrics: &str) -> u64 {
    let value = metrics.lines().find_map(|line| line.strip_prefix("hny_cache_bytes "));
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no hny_cache_bytes in:\n{metrics}"))
}
