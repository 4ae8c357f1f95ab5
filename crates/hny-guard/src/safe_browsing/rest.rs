//! How long a provider that failed is left alone: longer each time, until it answers again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// After the first failure.
pub(super) const FIRST: Duration = Duration::from_secs(30);

/// At the most, unless the provider asks for more.
const LONGEST: Duration = Duration::from_mins(8);

/// No provider is left alone for longer.
const LONGEST_ASKED_FOR: Duration = Duration::from_hours(1);

/// Whether the provider is left alone.
#[derive(Debug, Default)]
pub(super) struct Rest(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    until: Duration,
    /// How long the last rest was; zero when the provider answers.
    length: Duration,
}

impl Rest {
    /// Up to when it is left alone, if it is.
    pub(super) fn until(&self, now: Duration) -> Option<Duration> {
        Some(self.open().until).filter(|until| now < *until)
    }

    /// Begins one after a failure, for as long as the provider `asked_for` at least; how long it is. `None` if there is one already: several
    /// who asked at the same time fail together.
    pub(super) fn begin(&self, now: Duration, asked_for: Option<Duration>) -> Option<Duration> {
        let mut state = self.open();
        if now < state.until {
            return None;
        }
        state.length = (state.length * 2).clamp(FIRST, LONGEST);
        let length = state.length.max(asked_for.unwrap_or_default().min(LONGEST_ASKED_FOR));
        state.until = now + length;
        Some(length)
    }

    /// It has answered.
    pub(super) fn end(&self) {
        self.open().length = Duration::ZERO;
    }

    fn open(&self) -> MutexGuard<'_, State> {
        // Nothing is done in there that could panic half way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_double_up_to_eight_minutes_until_there_is_an_answer() {
        let rest = Rest::default();
        let mut now = Duration::from_secs(7);
        for seconds in [30, 60, 120, 240, 480, 480] {
            let length = Duration::from_secs(seconds);
            assert_eq!(rest.until(now), None);
            assert_eq!(rest.begin(now, None), Some(length));
            assert_eq!((rest.begin(now, None), rest.until(now)), (None, Some(now + length)), "they fail together");
            now += length;
        }
        rest.end();
        assert_eq!(rest.begin(now, None), Some(FIRST));
    }

    #[test]
    fn the_provider_may_ask_for_more_and_not_for_all() {
        for (asked_for, seconds) in [(0, 30), (29, 30), (600, 600), (u64::MAX, 3_600)] {
            let length = Rest::default().begin(Duration::ZERO, Some(Duration::from_secs(asked_for)));
            assert_eq!(length, Some(Duration::from_secs(seconds)));
        }
    }
}
