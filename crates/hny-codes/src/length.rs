//! The lengths a generated code may have.

use std::num::NonZeroU8;

/// The shortest generated code: FF1 needs a million values (NIST SP 800-38G rev. 1), and 62^3 is only 238,328.
pub const MIN_LENGTH: usize = 4;

/// The longest generated code.
pub const MAX_LENGTH: usize = 32;

/// A length outside [`MIN_LENGTH`]..=[`MAX_LENGTH`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a generated code has {MIN_LENGTH} to {MAX_LENGTH} characters, not {length}")]
pub struct LengthError {
    /// What was asked for, in characters.
    pub length: usize,
}

/// A length that was checked; one byte, so that the makers of codes stay small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodeLength(NonZeroU8);

impl CodeLength {
    pub(crate) fn new(length: usize) -> Result<Self, LengthError> {
        u8::try_from(length)
            .ok()
            .filter(|_| (MIN_LENGTH..=MAX_LENGTH).contains(&length))
            .and_then(NonZeroU8::new)
            .map(Self)
            .ok_or(LengthError { length })
    }

    /// As one byte, for digests.
    pub(crate) fn byte(self) -> u8 {
        self.0.get()
    }

    pub(crate) fn get(self) -> usize {
        usize::from(self.0.get())
    }
}
