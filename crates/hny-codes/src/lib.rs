#![doc = include_str!("../README.md")]

mod alphabet;
pub mod base62;
mod counter;
mod hash;
mod length;
mod number;
mod permuted;
mod random;
mod scheme;
mod skeleton;
pub mod snowflake;
mod text;
mod unlucky;

pub use alphabet::{Alphabet, UnknownAlphabet};
pub use counter::{CounterCodes, LeasedNumbers, RangeError};
pub use hash::HashCodes;
pub use length::{LengthError, MAX_LENGTH, MIN_LENGTH};
pub use number::NumberTooLarge;
pub use permuted::{InvertError, Permutation, PermutationError};
pub use random::RandomCodes;
pub use scheme::{Scheme, UnknownScheme};
pub use skeleton::skeleton;
pub use text::{CodeText, CodeTextError};
pub use unlucky::{Unlucky, WordError};
