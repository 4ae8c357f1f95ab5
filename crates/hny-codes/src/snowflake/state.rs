//! What the threads of a generator share, and the one atomic step by which they take ids from it.

use std::sync::atomic::{AtomicU64, Ordering};

use super::clock::Clock;
use super::id::{EPOCH_MS, LAST_MS, LAST_SEQUENCE, SEQUENCE_BITS};

#[cfg(test)]
mod schedules;

/// How far, in milliseconds, a clock may be behind and be waited for.
const PATIENCE_MS: u64 = 5;

/// A number shared by threads. A trait, so that a test can put the atomics of a model checker in its place.
pub(super) trait Shared {
    fn new(value: u64) -> Self;
    fn load(&self) -> u64;
    /// Whether it held `expected`, and so holds `new` now.
    fn replace(&self, expected: u64, new: u64) -> bool;
    fn raise(&self, value: u64);
}

/// The time of the last id and what the time may be next. All times are milliseconds since [`EPOCH_MS`].
///
/// `last` alone makes ids unique and ascending: every id is the one successful replacement of a smaller value. The other two
/// only decide which time is tried.
#[derive(Debug)]
pub(super) struct State<A> {
    /// The last instant taken: its millisecond, and the sequence in the lowest 12 bits.
    last: A,
    /// The time by the monotonic clock is this plus what has passed since `started`. It only rises.
    anchor: A,
    /// The last millisecond that may be used.
    limit: A,
    /// What the monotonic clock said at the start.
    started: u64,
}

/// Why no instant could be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is too early; try again after so many milliseconds.
    Early(u64),
    /// The time is beyond the limit, which is this.
    Beyond(u64),
}

impl<A: Shared> State<A> {
    /// Gives instants after the millisecond `mark`, from now on, and none later than `limit`.
    pub(super) fn new(mark: u64, limit: u64, clock: &impl Clock) -> Self {
        let now = since_epoch(clock.unix_ms());
        // As if everything before now were used up, so that a step back before the first id is treated like any other.
        let used = mark.max(now.saturating_sub(1)).min(LAST_MS);
        Self {
            last: A::new(used << SEQUENCE_BITS | LAST_SEQUENCE),
            anchor: A::new(now),
            limit: A::new(limit.min(LAST_MS)),
            started: clock.monotonic_ms(),
        }
    }

    /// The millisecond of the last instant taken.
    pub(super) fn last_ms(&self) -> u64 {
        self.last.load() >> SEQUENCE_BITS
    }

    pub(super) fn raise_limit(&self, limit: u64) {
        self.limit.raise(limit.min(LAST_MS));
    }

    /// Takes the next instant: greater than every one taken before, by any thread.
    pub(super) fn take(&self, clock: &impl Clock) -> Result<u64, Refusal> {
        loop {
            // First the last instant, then the clock: the other way round, a thread that was held up between the two would
            // take its old reading for a step back of the clock.
            let last = self.last.load();
            let last_ms = last >> SEQUENCE_BITS;
            let now = self.time(last_ms, clock)?;
            let next = if now > last_ms {
                now << SEQUENCE_BITS
            } else if last & LAST_SEQUENCE < LAST_SEQUENCE {
                last + 1
            } else {
                return Err(Refusal::Early(1));
            };
            if self.last.replace(last, next) {
                return Ok(next);
            }
        }
    }

    /// The time to use now, which is not before `last_ms` nor beyond the limit.
    fn time(&self, last_ms: u64, clock: &impl Clock) -> Result<u64, Refusal> {
        let now = self.wall_or_monotonic(last_ms, clock)?;
        let limit = self.limit.load();
        if now <= limit { Ok(now) } else { Err(Refusal::Beyond(limit)) }
    }

    /// The wall clock; or the monotonic clock, where the wall clock stepped back further than we wait for.
    fn wall_or_monotonic(&self, last_ms: u64, clock: &impl Clock) -> Result<u64, Refusal> {
        let wall = since_epoch(clock.unix_ms());
        if last_ms <= wall {
            return Ok(wall);
        }
        if last_ms - wall <= PATIENCE_MS {
            return Err(Refusal::Early(last_ms - wall));
        }
        let elapsed = clock.monotonic_ms().saturating_sub(self.started);
        let monotonic = self.anchor.load().saturating_add(elapsed);
        if last_ms <= monotonic {
            return Ok(monotonic);
        }
        if last_ms - monotonic <= PATIENCE_MS {
            return Err(Refusal::Early(last_ms - monotonic));
        }
        // The wall clock had been ahead of the monotonic one before it stepped back. Waiting could take hours, so the monotonic
        // clock goes on from the last id.
        self.anchor.raise(last_ms - elapsed);
        Ok(last_ms)
    }
}

/// Milliseconds since the epoch of ids; 0 before it.
pub(super) fn since_epoch(unix_ms: u64) -> u64 {
    unix_ms.saturating_sub(EPOCH_MS)
}

impl Shared for AtomicU64 {
    fn new(value: u64) -> Self {
        Self::new(value)
    }

    fn load(&self) -> u64 {
        // Acquire, so that the clock is read after it.
        self.load(Ordering::Acquire)
    }

    fn replace(&self, expected: u64, new: u64) -> bool {
        self.compare_exchange(expected, new, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    fn raise(&self, value: u64) {
        self.fetch_max(value, Ordering::AcqRel);
    }
}
