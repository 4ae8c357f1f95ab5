//! Codes that count, and the numbers they are made of.
//!
//! Numbers come in ranges that a node leases from a database and hands out from memory. Whoever owns the ranges promises
//! that no two of them overlap; [`LeasedNumbers`] promises that no number of them is handed out twice.

use std::ops::Range;

use crate::base62;
use crate::length::{CodeLength, LengthError};
use crate::number::{self, NumberTooLarge};
use crate::text::CodeText;

#[cfg(test)]
mod tests;

/// Numbers in plain base62, padded to one length. They are short and unique, and anyone can count the links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterCodes {
    length: CodeLength,
}

impl CounterCodes {
    /// Codes of `length` characters, 4 to 32.
    pub fn new(length: usize) -> Result<Self, LengthError> {
        Ok(Self { length: CodeLength::new(length)? })
    }

    /// The code of `number`; [`base62::decode`] is the way back.
    pub fn code(&self, number: u64) -> Result<CodeText, NumberTooLarge> {
        number::check(number, self.length)?;
        Ok(base62::encode_padded(number, self.length.get()))
    }
}

/// Numbers on hand: the range in use and the one after it, fetched early so that nobody waits for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeasedNumbers {
    current: Range<u64>,
    reserve: Range<u64>,
    early: u64,
}

/// Why a range was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// It holds no number.
    #[error("the range from {} to {} is empty", .0.start, .0.end)]
    Empty(Range<u64>),
    /// It begins below numbers that were leased before; leases only go up.
    #[error("the range from {start} begins below {expected}, where the last one ended: its numbers may be in use")]
    Repeated {
        /// Where the range begins.
        start: u64,
        /// The lowest number at which it may begin.
        expected: u64,
    },
    /// There is a reserve already: the caller asked twice. The range can be left as a gap.
    #[error("the next range is already there")]
    NotNeeded,
}

impl LeasedNumbers {
    /// No numbers yet. The next range is wanted when `early` numbers or fewer are left.
    ///
    /// `early` should cover what is handed out while a range is fetched: a tenth of a range of 1,000 is 0.1 s at 1,000 a second.
    pub fn new(early: u64) -> Self {
        Self { current: 0..0, reserve: 0..0, early }
    }

    /// The next number, or `None` when there is none on hand and the caller must wait for a range.
    pub fn take(&mut self) -> Option<u64> {
        if self.current.is_empty() {
            // The empty range left behind as reserve still says where the last lease ended.
            std::mem::swap(&mut self.current, &mut self.reserve);
        }
        self.current.next()
    }

    /// Whether the next range should be fetched now.
    pub fn wants_range(&self) -> bool {
        self.reserve.is_empty() && self.left() <= self.early
    }

    /// Adds a leased range, half open: it ends before `range.end`.
    pub fn add(&mut self, range: Range<u64>) -> Result<(), RangeError> {
        let expected = self.current.end.max(self.reserve.end);
        if range.is_empty() {
            return Err(RangeError::Empty(range));
        }
        if range.start < expected {
            return Err(RangeError::Repeated { start: range.start, expected });
        }
        if !self.reserve.is_empty() {
            return Err(RangeError::NotNeeded);
        }
        self.reserve = range;
        Ok(())
    }

    /// How many numbers are on hand.
    pub fn left(&self) -> u64 {
        let left = |range: &Range<u64>| range.end - range.start;
        left(&self.current) + left(&self.reserve)
    }
}
