//! What a flood of addresses takes of the machine's memory. (Alone in its process, so that nothing else is measured.)

#![cfg(test)]

use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use hny_guard::{Client, Creates, Limit, UnknownCodes};

const LIMIT: Limit = Limit { count: 10, window: Duration::from_hours(24) };
const MIB: usize = 1 << 20;

/// The client with this number: each of its own /64.
fn client(number: u32) -> Client {
    let [a, b, c, d] = number.to_be_bytes();
    let first = |high, low| u16::from_be_bytes([high, low]);
    Client::of(IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, first(a, b), first(c, d), 0, 0, 0, 1)))
}

/// The memory of this process that is no file's, in bytes.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

#[tokio::test]
async fn a_flood_of_addresses_takes_a_bounded_amount_of_memory() {
    let before = memory();
    let (creates, unknown) = (Creates::new("creates", LIMIT), UnknownCodes::new(LIMIT));
    for number in 0..1_000_000 {
        let now = Duration::from_micros(number.into());
        assert!(creates.take(client(number), now).await.is_ok());
        assert!(unknown.ask(client(number), "abc", now).is_ok());
    }
    // And then a hundred thousand that use up their limits.
    for number in 0..1_000_000 {
        let now = Duration::from_secs(1 + u64::from(number / 10));
        let _ = creates.take(client(number / 10), now).await;
        let _ = unknown.ask(client(number / 10), &number.to_string(), now);
    }
    let taken = memory() - before;
    // Each may take 32 MiB by its own count; what lies between allocations of many sizes is the allocator's.
    assert!(taken < 3 * 32 * MIB, "{} MiB", taken / MIB);
    assert!(taken > 16 * MIB, "{} MiB: nothing was remembered", taken / MIB);
}
