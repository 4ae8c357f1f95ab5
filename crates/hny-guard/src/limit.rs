//! What a limit is.

use std::time::Duration;

use thiserror::Error;

/// So many in any stretch of time that is so long (a sliding window).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// How many. Not zero.
    pub count: u32,
    /// The length of the window. Not zero.
    pub window: Duration,
}

impl Limit {
    /// What is told at `now` to a client whose first in the window was at `first`: then there is room for another.
    pub(crate) fn too_many(self, first: Millis, now: Millis) -> TooMany {
        let since = Duration::from_millis(now.saturating_sub(first));
        TooMany { retry_after: self.window.saturating_sub(since) }
    }
}

/// The client has reached its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("too many requests; try again in {retry_after:?}")]
pub struct TooMany {
    /// When there is room again.
    pub retry_after: Duration,
}

/// Time on the clock that is handed in, in milliseconds.
pub(crate) type Millis = u64;

/// The same in milliseconds.
pub(crate) fn millis(time: Duration) -> Millis {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
