//! What a scheme says when a number does not fit its codes.

use crate::base62;
use crate::length::CodeLength;

/// A number that has more base62 digits than the codes have characters: the code space is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("number {number} does not fit in codes of {length} characters; use a greater code length")]
pub struct NumberTooLarge {
    /// The number that does not fit.
    pub number: u64,
    /// The length of the codes, in characters.
    pub length: usize,
}

/// Whether `number` is below 62^`length`.
pub(crate) fn check(number: u64, length: CodeLength) -> Result<(), NumberTooLarge> {
    let length = length.get();
    // A space beyond 128 bits holds every u64.
    match base62::space(length) {
        Some(space) if u128::from(number) >= space => Err(NumberTooLarge { number, length }),
        _ => Ok(()),
    }
}
