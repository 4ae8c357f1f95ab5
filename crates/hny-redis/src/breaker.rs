//! When a session is no longer worth asking.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// An answer that takes longer is late: the database would have been as quick.
pub(crate) const LATE: Duration = Duration::from_millis(5);

/// So long anything may take; who has no answer then gets none.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// So many late answers, and none in time between them, are too many…
const MOST_LATE: u32 = 8;

/// …when they came over at least this time: what waits together behind one hiccup comes late together.
const LEAST_SPAN: Duration = Duration::from_millis(50);

/// Watches how long answers take.
#[derive(Debug, Default)]
pub(crate) struct Breaker(Mutex<Option<Streak>>);

/// Late answers in a row.
#[derive(Debug)]
struct Streak {
    since: Instant,
    late: u32,
}

/// A question that is under way. One that is dropped without an answer was late if its time was up: whoever asked has found
/// the answer elsewhere.
pub(crate) struct Question<'a, T: Fn()> {
    breaker: &'a Breaker,
    asked: Instant,
    is_answered: bool,
    /// What to do when there were too many.
    trip: T,
}

impl Breaker {
    /// A question is asked now.
    pub(crate) fn ask<T: Fn()>(&self, trip: T) -> Question<'_, T> {
        Question { breaker: self, asked: Instant::now(), is_answered: false, trip }
    }

    /// Takes note of an answer; whether it was one too many.
    fn note(&self, asked: Instant, now: Instant, is_answered: bool) -> bool {
        let is_late = now.saturating_duration_since(asked) > LATE;
        let mut streak = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_late {
            // Who goes away before the time is up says nothing about Redis.
            if is_answered {
                *streak = None;
            }
            return false;
        }
        let streak = streak.get_or_insert(Streak { since: asked, late: 0 });
        streak.late += 1;
        streak.late >= MOST_LATE && now.saturating_duration_since(streak.since) >= LEAST_SPAN
    }
}

impl<T: Fn()> Question<'_, T> {
    /// The answer is there.
    pub(crate) fn answered(mut self) {
        self.is_answered = true;
    }
}

impl<T: Fn()> Drop for Question<'_, T> {
    fn drop(&mut self) {
        if self.breaker.note(self.asked, Instant::now(), self.is_answered) {
            (self.trip)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUICK: Duration = Duration::from_millis(1);
    const SLOW: Duration = Duration::from_millis(7);

    /// Asks one after the other; after how many it trips.
    fn trips_after(answers: impl IntoIterator<Item = (Duration, bool)>) -> Option<usize> {
        let (breaker, mut now) = (Breaker::default(), Instant::now());
        let mut answers = answers.into_iter();
        answers.position(|(took, is_answered)| {
            let asked = now;
            now += took;
            breaker.note(asked, now, is_answered)
        })
    }

    #[test]
    fn late_answers_in_a_row_trip() {
        assert_eq!(trips_after([(SLOW, true); 20]), Some(7));
        assert_eq!(trips_after([(SLOW, false); 20]), Some(7));
    }

    #[test]
    fn one_in_time_begins_anew() {
        let mixed = (0..100).map(|number| if number % 7 == 0 { (QUICK, true) } else { (SLOW, true) });
        assert_eq!(trips_after(mixed), None);
        // Nobody waited for these.
        let left = (0..100).map(|number| if number % 7 == 0 { (QUICK, false) } else { (SLOW, true) });
        assert!(trips_after(left).is_some());
    }

    #[test]
    fn a_crowd_behind_one_hiccup_does_not() {
        let (breaker, asked) = (Breaker::default(), Instant::now());
        let answered = asked + SLOW;
        assert!((0..1000).all(|_| !breaker.note(asked, answered, true)));
        // A second crowd is no hiccup any more.
        assert!(breaker.note(asked + LEAST_SPAN, asked + LEAST_SPAN + SLOW, true));
    }
}
