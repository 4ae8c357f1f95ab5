#![doc = include_str!("../README.md")]

mod alphabet;
pub mod base62;
mod length;
mod number;
mod permuted;
mod random;
mod text;

pub use alphabet::{Alphabet, UnknownAlphabet};
pub use length::{LengthError, MAX_LENGTH, MIN_LENGTH};
pub use number::NumberTooLarge;
pub use permuted::{InvertError, Permutation, PermutationError};
pub use random::RandomCodes;
pub use text::{CodeText, CodeTextError};
