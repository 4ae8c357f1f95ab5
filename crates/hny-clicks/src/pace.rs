//! When clicks are handed over.

use std::time::Duration;

/// How long there is rest at least between two flushes: a restart after a crash misses a second of clicks, not more, on a node that
/// is not busy, and a busy one has many clicks of a link share a row.
const LEAST_REST: Duration = Duration::from_secs(1);

/// How much longer than a flush the rest after it is: so counting takes a fiftieth of a processor at most, and the slower the
/// store is, the more clicks share its work.
const REST_PER_FLUSH: u32 = 50;

/// How long there is rest after a flush that failed, at most. A store that had its caller wait for a lock has not worked meanwhile.
const LONGEST_REST_AFTER_FAILURE: Duration = Duration::from_secs(10);

/// When the next flush may begin. All times are those of one monotonic clock.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    next: Duration,
    has_failed: bool,
}

impl Pace {
    /// A flush that began then has ended now.
    pub(crate) fn flushed(&mut self, began: Duration, now: Duration) {
        self.next = now + rest_after(began, now);
        self.has_failed = false;
    }

    /// A flush that began then has failed now; whether it is the first to do so.
    pub(crate) fn failed(&mut self, began: Duration, now: Duration) -> bool {
        self.next = now + rest_after(began, now).min(LONGEST_REST_AFTER_FAILURE);
        !std::mem::replace(&mut self.has_failed, true)
    }

    /// Whether the last flush failed.
    pub(crate) const fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// How long it is until clicks are handed over, of which there are some or much. Much is handed over at once, but not over and
    /// over again to a store that does not take it.
    pub(crate) fn wait(&self, now: Duration, is_much: bool) -> Duration {
        if is_much && !self.has_failed { Duration::ZERO } else { self.next.saturating_sub(now) }
    }
}

fn rest_after(began: Duration, now: Duration) -> Duration {
    (now.saturating_sub(began) * REST_PER_FLUSH).max(LEAST_REST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const BEGAN: Duration = Duration::from_hours(1);

    #[test]
    fn the_first_click_is_handed_over_at_once() {
        assert_eq!(Pace::default().wait(Duration::ZERO, false), Duration::ZERO);
    }

    #[test]
    fn the_rest_is_a_second_or_fifty_times_the_flush() {
        for (flush, rest) in [(0, 1_000), (1, 1_000), (20, 1_000), (21, 1_050), (400, 20_000), (2_000, 100_000)] {
            let (mut pace, ended) = (Pace::default(), BEGAN + flush * MS);
            pace.flushed(BEGAN, ended);
            assert_eq!(pace.wait(ended, false), rest * MS, "{flush}");
            assert_eq!(pace.wait(ended + (rest - 1) * MS, false), MS, "{flush}");
            assert_eq!(pace.wait(ended + (rest + 1) * MS, false), Duration::ZERO, "{flush}");
        }
    }

    #[test]
    fn much_does_not_wait_unless_the_store_refuses() {
        let (mut pace, ended) = (Pace::default(), BEGAN + 2_000 * MS);
        pace.flushed(BEGAN, ended);
        assert_eq!(pace.wait(ended, true), Duration::ZERO);
        assert!(pace.failed(ended, ended), "the first failure is told");
        assert!(!pace.failed(ended, ended), "the next is not");
        assert_eq!((pace.wait(ended, true), pace.has_failed()), (LEAST_REST, true));
        pace.flushed(ended, ended);
        assert_eq!((pace.wait(ended, true), pace.has_failed()), (Duration::ZERO, false));
        assert!(pace.failed(ended, ended), "it is told again");
    }

    #[test]
    fn a_failure_is_not_waited_out_for_minutes() {
        let (mut pace, ended) = (Pace::default(), BEGAN + 5_000 * MS);
        pace.failed(BEGAN, ended);
        assert_eq!(pace.wait(ended, false), LONGEST_REST_AFTER_FAILURE);
    }
}
