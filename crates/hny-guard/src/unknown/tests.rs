use std::net::Ipv4Addr;

use super::*;

const LIMIT: Limit = Limit { count: 100, window: Duration::from_mins(1) };

fn client(number: u32) -> Client {
    Client::of(Ipv4Addr::from(number).into())
}

fn second(second: u64) -> Duration {
    Duration::from_secs(second)
}

/// Asks for codes by their numbers; how many of them are told that there is no such link.
fn answered(unknown: &UnknownCodes, who: u32, codes: std::ops::Range<u32>, now: Duration) -> usize {
    codes.filter(|number| unknown.ask(client(who), &format!("c{number}"), now).is_ok()).count()
}

#[test]
fn so_many_different_codes_and_no_more() {
    let unknown = UnknownCodes::new(LIMIT);
    assert_eq!(answered(&unknown, 1, 0..50, second(0)), 50);
    assert_eq!(answered(&unknown, 1, 50..150, second(10)), 50);
    assert_eq!(unknown.ask(client(1), "other", second(20)), Err(TooMany { retry_after: second(40) }));
    assert_eq!(answered(&unknown, 2, 0..10, second(20)), 10, "another client");
    // Half of them have left the window.
    assert_eq!(answered(&unknown, 1, 200..400, second(60)), 50);
    assert_eq!(answered(&unknown, 1, 200..400, second(69)), 50, "those that were counted are answered");
}

#[test]
fn one_dead_link_counts_once() {
    let unknown = UnknownCodes::new(LIMIT);
    for asked in 0..10_000 {
        assert_eq!(unknown.ask(client(1), "campaign", second(asked / 1000)), Ok(()));
    }
    assert_eq!(answered(&unknown, 1, 0..200, second(10)), 99);
    assert_eq!(unknown.ask(client(1), "campaign", second(10)), Ok(()), "also of a client that has reached its limit");
}

#[test]
fn looks_are_free_until_the_limit_and_then_one_at_a_time() {
    let unknown = UnknownCodes::new(LIMIT);
    let looks = |now: Duration| (0..1000).filter(|_| unknown.look_up(client(1), now).is_ok()).count();
    assert_eq!(looks(second(0)), 1000);
    answered(&unknown, 1, 0..99, second(0));
    assert_eq!(looks(second(0)), 1000);
    answered(&unknown, 1, 99..100, second(0));
    assert_eq!(looks(second(1)), 1);
    assert_eq!(unknown.look_up(client(1), second(1)), Err(TooMany { retry_after: Duration::from_millis(600) }));
    let all: usize = (0..100_u64).map(|tick| looks(second(10) + Duration::from_millis(tick * 100))).sum();
    assert_eq!(all, 17, "in ten seconds, at one in 600 milliseconds");
    assert_eq!(unknown.look_up(client(2), second(1)), Ok(()), "another client");
    assert_eq!(looks(second(60)), 1000, "when the codes have left the window");
}

#[test]
fn a_large_limit_is_kept_within_a_tenth_and_takes_no_more_memory() {
    let limit = Limit { count: 20_000, ..LIMIT };
    let unknown = UnknownCodes::new(limit);
    let passed = answered(&unknown, 1, 0..60_000, second(0));
    // Of 256 kept codes six per cent is one standard deviation; what was refused could be in the sample, and is not.
    assert!((15_000..=25_000).contains(&passed), "{passed}");
    let kept = unknown.part(client(1)).get(client(1), 0).map_or(0, |scan| AsRef::<crate::log::Log>::as_ref(scan).len());
    assert!(kept <= 256, "{kept}");
    assert_eq!(answered(&unknown, 1, 0..10, second(61)), 10);
}

#[test]
fn an_endless_limit_never_refuses() {
    let unknown = UnknownCodes::new(Limit { count: u32::MAX, ..LIMIT });
    assert_eq!(answered(&unknown, 1, 0..100_000, second(0)), 100_000);
    assert_eq!(unknown.look_up(client(1), second(0)), Ok(()));
}
