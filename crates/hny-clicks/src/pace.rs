//! When clicks are handed over.

use std::time::Duration;

/// How long there is rest after a change that took all there was: counts are a second old, not more, and few changes are made of few
/// clicks.
const LEAST_REST: Duration = Duration::from_secs(1);

/// How much longer than a change the rest after it is when there is more: half of the time the store is free for everybody else.
const REST_PER_CHANGE: u32 = 1;

/// How long there is rest after a change that failed, at most. A store that had its caller wait for a lock has not worked meanwhile.
const LONGEST_REST_AFTER_FAILURE: Duration = Duration::from_secs(10);

/// When the next change may begin. All times are those of one monotonic clock.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    next: Duration,
    has_failed: bool,
}

impl Pace {
    /// A change that began then has ended now, and it was as much as one takes or less.
    pub(crate) fn changed(&mut self, began: Duration, now: Duration, is_full: bool) {
        let least = if is_full { Duration::ZERO } else { LEAST_REST };
        self.next = now + rest_after(began, now).max(least);
        self.has_failed = false;
    }

    /// A change that began then has failed now; whether it is the first to do so.
    pub(crate) fn failed(&mut self, began: Duration, now: Duration) -> bool {
        self.next = now + rest_after(began, now).clamp(LEAST_REST, LONGEST_REST_AFTER_FAILURE);
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

fn rest_after(began: Duration, now: Duration) -> Duration {
    now.saturating_sub(began) * REST_PER_CHANGE
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
        for (change, rest) in [(1, 1), (20, 20), (999, 999), (2_000, 2_000)] {
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
