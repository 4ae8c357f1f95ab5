//! The generator: a node, and the state its threads share.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use super::clock::Clock;
use super::id::{EPOCH_MS, Id, LAST_MS, Node};
use super::state::{Refusal, State, since_epoch};

#[cfg(test)]
mod tests;

/// Makes the ids of one node: never the same twice, and each greater than all before, whatever its threads and clocks do.
///
/// One atomic number is all that threads share, so any number of them may call it at once.
///
/// When the wall clock steps back by up to 5 ms, it asks to wait. When it steps back further, ids go on by the monotonic clock,
/// anchored to the wall clock at the start, until the wall clock has caught up.
#[derive(Debug)]
pub struct Generator {
    node: Node,
    state: State<AtomicU64>,
}

/// The time in which a process may make ids of its node, in milliseconds since 1970.
///
/// Ids tell their time, so two processes whose leases do not overlap never make the same id, whatever their clocks do: the next
/// lease of a node begins where the last one ended, or after an orderly end at [`Generator::high_water_ms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// The high-water mark: ids up to this millisecond may exist, so all new ones come after it.
    pub after_ms: u64,
    /// The last millisecond for which ids may be made, until [`Generator::renew`].
    pub until_ms: u64,
}

impl Lease {
    /// For a node that no other process ever was or will be.
    pub const UNLIMITED: Self = Self { after_ms: 0, until_ms: u64::MAX };
}

/// What a generator answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Next {
    /// A new id.
    Id(Id),
    /// None now: all 4,096 of this millisecond are taken, or the clock stepped back a little. Park for this long (1 to 5 ms)
    /// and ask again.
    Wait(Duration),
}

/// The clock is behind ids that exist already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// It is before the high-water mark: ids made now could equal ids made then.
    #[error(
        "the clock is {} ms behind the last id of this node ({now_ms} against {mark_ms}, in ms since 1970): \
         set the clock right, wait, or use another node id", .mark_ms - .now_ms
    )]
    BehindMark {
        /// The wall clock, in milliseconds since 1970.
        now_ms: u64,
        /// The high-water mark, likewise.
        mark_ms: u64,
    },
    /// It is before the epoch of ids.
    #[error("the clock says {now_ms} ms since 1970, which is before 2020, where ids begin: set the clock right")]
    BeforeEpoch {
        /// The wall clock, in milliseconds since 1970.
        now_ms: u64,
    },
}

/// No id can be made until somebody acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NextError {
    /// The time is past the lease: another process may be this node by now.
    #[error("the lease of this node allows ids until {until_ms} ms since 1970, which is over: renew it")]
    LeaseOver {
        /// The last millisecond that was allowed, since 1970.
        until_ms: u64,
    },
    /// 41 bits of milliseconds are used up, in the year 2089, or the clock is that wrong.
    #[error("ids end in 2089 and the clock, or the last id, is beyond that")]
    Exhausted,
}

impl Generator {
    /// A generator of the ids of `node`, as its lease allows.
    pub fn new(node: Node, lease: Lease, clock: &impl Clock) -> Result<Self, StartError> {
        let (now_ms, mark_ms) = (clock.unix_ms(), lease.after_ms);
        if now_ms < EPOCH_MS {
            return Err(StartError::BeforeEpoch { now_ms });
        }
        if now_ms < mark_ms {
            return Err(StartError::BehindMark { now_ms, mark_ms });
        }
        let state = State::new(since_epoch(mark_ms), since_epoch(lease.until_ms), clock);
        Ok(Self { node, state })
    }

    /// The next id, or how long to wait for it. Never blocks.
    #[inline]
    pub fn next(&self, clock: &impl Clock) -> Result<Next, NextError> {
        match self.state.take(clock) {
            Ok(instant) => Ok(Next::Id(Id::of(instant, self.node))),
            Err(Refusal::Early(ms)) => Ok(Next::Wait(Duration::from_millis(ms))),
            Err(Refusal::Beyond(LAST_MS)) => Err(NextError::Exhausted),
            Err(Refusal::Beyond(until)) => Err(NextError::LeaseOver { until_ms: EPOCH_MS + until }),
        }
    }

    /// Allows ids up to the millisecond `until_ms` since 1970, once the lease was renewed. It never takes time away.
    pub fn renew(&self, until_ms: u64) {
        self.state.raise_limit(since_epoch(until_ms));
    }

    /// The high-water mark: the millisecond since 1970 after which this generator made no id.
    pub fn high_water_ms(&self) -> u64 {
        EPOCH_MS + self.state.last_ms()
    }

    /// Whose ids these are.
    pub fn node(&self) -> Node {
        self.node
    }
}
