//! Until when something has to be done.

use std::time::Duration;

use hny_domain::Clock;

/// The end of the time that a call may take, with all that it asks Kafka for.
#[derive(Debug)]
pub(super) struct Deadline {
    clock: Clock,
    end: Duration,
}

impl Deadline {
    pub(super) fn after(clock: &Clock, time: Duration) -> Self {
        Self { clock: clock.clone(), end: clock.monotonic() + time }
    }

    /// How much time is left.
    pub(super) fn left(&self) -> Duration {
        self.end.saturating_sub(self.clock.monotonic())
    }

    pub(super) fn is_over(&self) -> bool {
        self.left().is_zero()
    }
}
