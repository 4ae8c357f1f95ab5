//! Where the time comes from.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::Timestamp;

/// A clock: the system's, or one that stands still until it is told to move.
///
/// Cheap to clone; clones of a standing clock move together.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    System,
    Standing(Arc<Hands>),
}

/// What a standing clock shows. The two move together, unless the wall clock is set.
#[derive(Debug)]
struct Hands {
    wall_ms: AtomicI64,
    monotonic_ms: AtomicU64,
}

impl Clock {
    /// The clock of this machine.
    pub const fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands at `start`, so that a test of expiry need not wait.
    pub fn standing(start: Timestamp) -> Self {
        Self(Source::Standing(Arc::new(Hands {
            wall_ms: AtomicI64::new(start.as_millis()),
            monotonic_ms: AtomicU64::new(0),
        })))
    }

    /// What time it is.
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System => system_now(),
            Source::Standing(hands) => Timestamp::from_millis(hands.wall_ms.load(Ordering::SeqCst)),
        }
    }

    /// Time that has passed since some moment in this process, by a clock that never steps back.
    pub fn monotonic(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        match &self.0 {
            Source::System => START.elapsed(),
            Source::Standing(hands) => Duration::from_millis(hands.monotonic_ms.load(Ordering::SeqCst)),
        }
    }

    /// Moves a standing clock on; the system's clock goes by itself and is left alone.
    pub fn advance(&self, by: Duration) {
        if let Source::Standing(hands) = &self.0 {
            let by = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
            hands.wall_ms.fetch_add(by.cast_signed(), Ordering::SeqCst);
            hands.monotonic_ms.fetch_add(by, Ordering::SeqCst);
        }
    }

    /// Sets a standing clock, forwards or back, as somebody sets the clock of a machine: no time passes. The system's clock is
    /// left alone.
    pub fn set(&self, to: Timestamp) {
        if let Source::Standing(hands) = &self.0 {
            hands.wall_ms.store(to.as_millis(), Ordering::SeqCst);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that asks the system for the time")]
fn system_now() -> Timestamp {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standing_clock_moves_only_when_told() {
        let clock = Clock::standing(Timestamp::from_millis(1_000));
        let twin = clock.clone();
        assert_eq!(clock.now(), clock.now());
        clock.advance(Duration::from_secs(2));
        assert_eq!(twin.now(), Timestamp::from_millis(3_000));
    }

    #[test]
    fn no_time_passes_when_a_clock_is_set() {
        let clock = Clock::standing(Timestamp::from_millis(1_000));
        clock.advance(Duration::from_millis(5));
        for to in [10, 9_000].map(Timestamp::from_millis) {
            clock.set(to);
            assert_eq!((clock.now(), clock.monotonic()), (to, Duration::from_millis(5)));
        }
    }

    #[test]
    fn the_system_clock_is_past_2025() {
        assert!(Clock::system().now() > Timestamp::parse("2025-01-01T00:00:00Z").unwrap());
    }
}
