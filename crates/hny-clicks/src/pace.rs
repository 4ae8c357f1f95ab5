//! When clicks are handed over.

use std::time::Duration;

/// How long there is rest after a change that took all there was: counts are a second old, not more, and few changes are made of few
/// clicks.
const LEAST_REST: Duration = Duration::from_secs(1);

/// How much longer than a change the rest after it is when there is more: half of the time the store is free for everybody else.
const REST_PER_CHANGE: u32 = 1;

/// The same at a peak, when visitors need the processors: so handing over takes a fiftieth of one at most, and waits for the peak to end.
const REST_PER_CHANGE_AT_PEAK: u32 = 50;

/// How long there is rest at most. A change that took long may have waited for a lock, and not have worked all the while.
const LONGEST_REST: Duration = Duration::from_secs(2);

/// From how many clicks a second on it is a peak. A database could hardly keep up with more anyway.
const PEAK: u64 = 20_000;

/// Over how long clicks are counted to tell whether it is one.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// How long there is rest after a change that failed, at most. A store that had its caller wait for a lock has not worked meanwhile.
const LONGEST_REST_AFTER_FAILURE: Duration = Duration::from_secs(10);

/// When the next change may begin. All times are those of one monotonic clock.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    next: Duration,
    has_failed: bool,
    /// How many clicks there had been, and when, at the last look.
    seen: (u64, Duration),
    is_peak: bool,
}

impl Pace {
    /// So many clicks have come by now.
    pub(crate) fn look(&mut self, clicks: u64, now: Duration) {
        let (before, then) = self.seen;
        let elapsed = now.saturating_sub(then);
        if elapsed >= BETWEEN_LOOKS {
            let peak = u128::from(PEAK) * elapsed.as_millis() / 1_000;
            self.is_peak = u128::from(clicks.saturating_sub(before)) >= peak;
            self.seen = (clicks, now);
        }
    }

    /// A change that began then has ended now, and it was as much as one takes or less.
    pub(crate) fn changed(&mut self, began: Duration, now: Duration, is_full: bool) {
        let least = if is_full { Duration::ZERO } else { LEAST_REST };
        let rest = if self.is_peak { REST_PER_CHANGE_AT_PEAK } else { REST_PER_CHANGE };
        self.next = now + (now.saturating_sub(began) * rest).min(LONGEST_REST).max(least);
        self.has_failed = false;
    }

    /// A change that began then has failed now; whether it is the first to do so.
    pub(crate) fn failed(&mut self, began: Duration, now: Duration) -> bool {
        let rest = now.saturating_sub(began).clamp(LEAST_REST, LONGEST_REST_AFTER_FAILURE);
        self.next = now + rest;
        !std::mem::replace(&mut self.has_failed, true)
    }

    /// Whether the last change failed.
    pub(crate) const fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// How long it is until clicks are handed over, of which there are some or much. Much is handed over at once, but not over and
    /// over again to a store that does not take it.
    pub(crate) fn wait(&self, now: Duration, is_much: bool) -> Duration {
        if is_much && !self.has_failed { Duration::ZERO } else { self.next.saturating_sub(now) }
    }
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
    fn the_rest_is_as_long_as_the_change_and_where_there_is_no_more_a_second() {
        for (change, rest) in [(1, 1), (20, 20), (999, 999), (2_000, 2_000), (9_000, 2_000)] {
            for (is_full, rest) in [(true, rest), (false, rest.max(1_000))] {
                let (mut pace, ended) = (Pace::default(), BEGAN + change * MS);
                pace.changed(BEGAN, ended, is_full);
                assert_eq!(pace.wait(ended, false), rest * MS, "{change}");
                assert_eq!(pace.wait(ended + (rest - 1) * MS, false), MS, "{change}");
                assert_eq!(pace.wait(ended + (rest + 1) * MS, false), Duration::ZERO, "{change}");
            }
        }
    }

    #[test]
    fn at_a_peak_handing_over_waits_unless_there_is_much() {
        let mut pace = Pace::default();
        for (second, clicks, rest) in [(1, 19_999, 40), (2, 40_000, 2_000), (3, 60_000, 2_000), (4, 60_100, 40)] {
            let began = second * Duration::from_secs(1);
            pace.look(clicks, began);
            // Too soon to tell anything.
            pace.look(clicks + 9_000, began + MS);
            let ended = began + 40 * MS;
            pace.changed(began, ended, true);
            assert_eq!((pace.wait(ended, false), pace.wait(ended, true)), (rest * MS, Duration::ZERO), "{clicks}");
        }
    }

    #[test]
    fn after_a_change_that_took_no_time_there_is_rest_all_the_same() {
        let mut pace = Pace::default();
        pace.changed(BEGAN, BEGAN, false);
        assert_eq!((pace.wait(BEGAN, false), pace.wait(BEGAN + 999 * MS, false)), (LEAST_REST, MS));
    }

    #[test]
    fn much_does_not_wait_unless_the_store_refuses() {
        let (mut pace, ended) = (Pace::default(), BEGAN + 2_000 * MS);
        pace.changed(BEGAN, ended, false);
        assert_eq!(pace.wait(ended, true), Duration::ZERO);
        assert!(pace.failed(ended, ended), "the first failure is told");
        assert!(!pace.failed(ended, ended), "the next is not");
        assert_eq!((pace.wait(ended, true), pace.has_failed()), (LEAST_REST, true));
        pace.changed(ended, ended, false);
        assert_eq!((pace.wait(ended, true), pace.has_failed()), (Duration::ZERO, false));
        assert!(pace.failed(ended, ended), "it is told again");
    }

    #[test]
    fn a_failure_is_not_waited_out_for_minutes() {
        let (mut pace, ended) = (Pace::default(), BEGAN + 50_000 * MS);
        pace.failed(BEGAN, ended);
        assert_eq!(pace.wait(ended, false), LONGEST_REST_AFTER_FAILURE);
    }
}
