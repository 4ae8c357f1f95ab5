#![doc = include_str!("../README.md")]

mod alphabet;
pub mod base62;
mod length;
mod random;
mod text;

pub use alphabet::{Alphabet, UnknownAlphabet};
pub use length::{LengthError, MAX_LENGTH, MIN_LENGTH};
pub use random::RandomCodes;
pub use text::{CodeText, CodeTextError};
