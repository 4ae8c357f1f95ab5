//! When clicks are handed over.

use std::time::Duration;

/// How long there is rest after a change that took nearly all there was: counts are a second old, not more, and few changes are made of few
/// clicks.
const LEAST_REST: Duration = Duration::from_secs(1);

/// The rest after a change is as long as the change when there is more, so that half of the time the store is free for everybody else; at
/// most this. A change that took long may have waited for a lock, and not have worked all the while.
const LONGEST_REST: Duration = Duration::from_secs(2);

/// How long there is rest at a peak, when visitors need the processors: handing over waits for its end, and until then counts just go on.
const REST_AT_PEAK: Duration = Duration::from_secs(10);

/// How long there is rest after a change that failed, at most. A store that had its caller wait for a lock has not worked meanwhile.
const LONGEST_REST_AFTER_FAILURE: Duration = Duration::from_secs(10);

/// When the next change may begin. All times are those of one monotonic clock.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    last: Option<Change>,
}

/// A change that has ended.
#[derive(Debug, Clone, Copy)]
struct Change {
    took: Duration,
    ended: Duration,
    end: End,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// As much is left as one change takes at least.
    Behind,
    /// It took nearly all there was.
    Even,
    Failed,
}

impl Change {
    /// How long there is rest after it. Asked anew whenever it matters, since peaks come and go meanwhile.
    fn rest(&self, is_peak: bool) -> Duration {
        let rest = if is_peak { REST_AT_PEAK } else { self.took.min(LONGEST_REST) };
        match self.end {
            End::Behind => rest,
            End::Even => rest.max(LEAST_REST),
            End::Failed => self.took.clamp(LEAST_REST, LONGEST_REST_AFTER_FAILURE),
        }
    }
}

impl Pace {
    /// A change that began then has ended now, and there is enough left for another, or not.
    pub(crate) fn changed(&mut self, began: Duration, now: Duration, is_behind: bool) {
        let end = if is_behind { End::Behind } else { End::Even };
        self.last = Some(Change { took: now.saturating_sub(began), ended: now, end });
    }

    /// A change that began then has failed now; whether it is the first to do so.
    pub(crate) fn failed(&mut self, began: Duration, now: Duration) -> bool {
        let is_first = !self.has_failed();
        self.last = Some(Change { took: now.saturating_sub(began), ended: now, end: End::Failed });
        is_first
    }

    /// Whether the last change failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.last.is_some_and(|change| change.end == End::Failed)
    }

    /// How long it is until clicks are handed over, of which there are some or much. Much is handed over at once, but not over and
    /// over again to a store that does not take it.
    pub(crate) fn wait(&self, now: Duration, is_much: bool, is_peak: bool) -> Duration {
        match self.last {
            Some(change) if !is_much || change.end == End::Failed => {
                (change.ended + change.rest(is_peak)).saturating_sub(now)
            }
            _ => Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const BEGAN: Duration = Duration::from_hours(1);

    #[test]
    fn the_first_click_is_handed_over_at_once() {
        assert_eq!(Pace::default().wait(Duration::ZERO, false, false), Duration::ZERO);
    }

    #[test]
    fn the_rest_is_as_long_as_the_change_and_where_there_is_no_more_a_second() {
        for (change, rest) in [(1, 1), (20, 20), (999, 999), (2_000, 2_000), (9_000, 2_000)] {
            for (is_behind, rest) in [(true, rest), (false, rest.max(1_000))] {
                let (mut pace, ended) = (Pace::default(), BEGAN + change * MS);
                pace.changed(BEGAN, ended, is_behind);
                assert_eq!(pace.wait(ended, false, false), rest * MS, "{change}");
                assert_eq!(pace.wait(ended + (rest - 1) * MS, false, false), MS, "{change}");
                assert_eq!(pace.wait(ended + (rest + 1) * MS, false, false), Duration::ZERO, "{change}");
            }
        }
    }

    #[test]
    fn at_a_peak_handing_over_waits_for_its_end_unless_there_is_much() {
        let (mut pace, ended) = (Pace::default(), BEGAN + 40 * MS);
        pace.changed(BEGAN, ended, true);
        assert_eq!((pace.wait(ended, false, true), pace.wait(ended, true, true)), (REST_AT_PEAK, Duration::ZERO));
        assert_eq!(pace.wait(ended + 39 * MS, false, false), MS, "the peak is over");
    }

    #[test]
    fn after_a_change_that_took_no_time_there_is_rest_all_the_same() {
        let mut pace = Pace::default();
        pace.changed(BEGAN, BEGAN, false);
        assert_eq!((pace.wait(BEGAN, false, false), pace.wait(BEGAN + 999 * MS, false, false)), (LEAST_REST, MS));
    }

    #[test]
    fn much_does_not_wait_unless_the_store_refuses() {
        let (mut pace, ended) = (Pace::default(), BEGAN + 2_000 * MS);
        pace.changed(BEGAN, ended, false);
        assert_eq!(pace.wait(ended, true, false), Duration::ZERO);
        assert!(pace.failed(ended, ended), "the first failure is told");
        assert!(!pace.failed(ended, ended), "the next is not");
        assert_eq!((pace.wait(ended, true, false), pace.has_failed()), (LEAST_REST, true));
        pace.changed(ended, ended, false);
        assert_eq!((pace.wait(ended, true, false), pace.has_failed()), (Duration::ZERO, false));
        assert!(pace.failed(ended, ended), "it is told again");
    }

    #[test]
    fn a_failure_is_not_waited_out_for_minutes() {
        let (mut pace, ended) = (Pace::default(), BEGAN + 50_000 * MS);
        pace.failed(BEGAN, ended);
        assert_eq!(pace.wait(ended, false, false), LONGEST_REST_AFTER_FAILURE);
    }
}
