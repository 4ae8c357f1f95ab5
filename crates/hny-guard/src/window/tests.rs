use std::collections::VecDeque;
use std::net::Ipv4Addr;

use proptest::prelude::*;

use super::*;
use crate::Client;

const LIMIT: Limit = Limit { count: 10, window: Duration::from_mins(1) };

fn client(number: u32) -> Client {
    Client::of(Ipv4Addr::from(number).into())
}

fn second(second: u64) -> Duration {
    Duration::from_secs(second)
}

#[test]
fn ten_pass_and_the_eleventh_is_told_when() {
    let window = Window::new(LIMIT);
    for number in 0..10 {
        let place = window.take(client(1), second(u64::from(number))).unwrap();
        assert_eq!(place.remaining, 9 - number);
    }
    assert_eq!(window.take(client(1), second(20)), Err(TooMany { retry_after: second(40) }));
    // Who is refused waits no longer for having asked.
    assert_eq!(window.take(client(1), second(59)), Err(TooMany { retry_after: second(1) }));
    assert!(window.take(client(2), second(59)).is_ok(), "another client");
    // One leaves the window, so there is room for one.
    assert_eq!(window.take(client(1), second(60)).unwrap().remaining, 0);
    assert_eq!(window.take(client(1), second(60)), Err(TooMany { retry_after: second(1) }));
}

#[test]
fn of_many_at_once_exactly_the_limit_passes() {
    let window = Window::new(LIMIT);
    let passed: usize = std::thread::scope(|scope| {
        let ask = || (0..5).filter(|_| window.take(client(1), second(1)).is_ok()).count();
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(passed, 10);
}

#[test]
fn a_place_that_is_given_back_is_free() {
    let window = Window::new(LIMIT);
    let places: Vec<_> = (0..10).map(|at| window.take(client(1), second(at)).unwrap()).collect();
    window.give_back(client(1), places[3], second(10));
    window.give_back(client(1), places[3], second(10));
    window.give_back(client(2), places[4], second(10));
    assert_eq!(window.take(client(1), second(10)).unwrap().remaining, 0);
    assert!(window.take(client(1), second(10)).is_err());
}

proptest! {
    /// Against the rule itself: in no window that ends with a create are more than so many.
    #[test]
    fn no_window_has_more_than_the_limit(
        (count, window) in (1_u32..5, 1_u64..50),
        steps in proptest::collection::vec((0_u64..20, 0_u32..3), 0..200),
    ) {
        let limit = Limit { count, window: Duration::from_millis(window) };
        let places = Window::new(limit);
        let mut passed = vec![VecDeque::<u64>::new(); 3];
        let mut now = 0;
        for (pause, who) in steps {
            now += pause;
            let passed = &mut passed[usize::try_from(who)?];
            passed.retain(|at| at + window > now);
            let expected = passed.len() < usize::try_from(count)?;
            let taken = places.take(client(who), Duration::from_millis(now));
            prop_assert_eq!(taken.is_ok(), expected);
            if let Err(TooMany { retry_after }) = taken {
                prop_assert_eq!(u128::from(passed[0] + window - now), retry_after.as_millis());
            } else {
                passed.push_back(now);
            }
        }
    }
}
