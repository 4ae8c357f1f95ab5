//! Times of the machine's clock, which the program reads too.

use std::time::{Duration, Instant};

use hny_domain::{Clock, Timestamp};
use hny_testkit::DEADLINE;

/// Now.
pub(crate) fn now() -> Timestamp {
    Clock::system().now()
}

/// So long from now.
pub(crate) fn millis_ahead(millis: u64) -> Timestamp {
    now().after(Duration::from_millis(millis))
}

/// Looks again and again until there is an answer: for what happens at a time and gives no other sign. Whoever asks a
/// program does so over one connection: with another for each look the system runs out of ports.
pub(crate) fn until_some<T>(look: impl FnMut() -> Option<T>) -> T {
    until_some_within(DEADLINE, look)
}

/// As [`until_some`], for a time that a promise states.
pub(crate) fn until_some_within<T>(deadline: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = look() {
            return answer;
        }
        assert!(start.elapsed() < deadline, "it has not happened within {deadline:?}");
    }
}
