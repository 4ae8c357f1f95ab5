//! The unknown codes of one client.

use std::time::Duration;

use crate::limit::{Limit, Millis, TooMany, millis};
use crate::log::Log;

/// Which codes a client asked for, or a sample of them.
///
/// Up to [`KEPT`] codes are all there, so a limit up to there is exact. Beyond it, only marks with so many zeros at their end are kept:
/// each stands for as many as share its end, and with each zero more half of them go (Wegman's adaptive sampling). So memory has
/// a bound whatever the limit is, and the count is right within some six per cent.
#[derive(Debug, Default)]
pub(super) struct Scan {
    log: Log,
    /// How many zeros the marks end with.
    zeros: u32,
    /// When the next look is free, once the limit is reached.
    next_look: Millis,
}

/// How many codes of a client are kept.
const KEPT: usize = 256;

impl Scan {
    /// Whether a code counts anew at `now`; refused when that is one too many.
    pub(super) fn ask(&mut self, mark: u64, limit: Limit, now: Millis) -> Result<bool, TooMany> {
        // What is not in the sample need not be looked for there.
        let is_kept = mark.trailing_zeros() >= self.zeros;
        if is_kept && self.log.has(mark) {
            return Ok(false);
        }
        if self.has_reached(limit) {
            return Err(limit.too_many(self.log.first().map_or(now, |first| first.at), now));
        }
        if self.log.len() == 0 {
            self.zeros = 0;
            return Ok(true);
        }
        if !is_kept {
            return Ok(false);
        }
        while self.log.len() >= KEPT {
            self.zeros += 1;
            self.log.retain(|mark| mark.trailing_zeros() >= self.zeros);
        }
        Ok(mark.trailing_zeros() >= self.zeros)
    }

    /// Whether a look is free at `now`; if so it is taken.
    pub(super) fn look_up(&mut self, limit: Limit, now: Millis) -> Result<(), TooMany> {
        if !self.has_reached(limit) {
            return Ok(());
        }
        if let Some(left @ 1..) = self.next_look.checked_sub(now) {
            return Err(TooMany { retry_after: Duration::from_millis(left) });
        }
        self.next_look = now + (millis(limit.window) / u64::from(limit.count)).max(1);
        Ok(())
    }

    fn has_reached(&self, limit: Limit) -> bool {
        let count = u64::try_from(self.log.len()).unwrap_or(u64::MAX);
        count.checked_shl(self.zeros).unwrap_or(u64::MAX) >= u64::from(limit.count)
    }
}

impl AsRef<Log> for Scan {
    fn as_ref(&self) -> &Log {
        &self.log
    }
}

impl AsMut<Log> for Scan {
    fn as_mut(&mut self) -> &mut Log {
        &mut self.log
    }
}
