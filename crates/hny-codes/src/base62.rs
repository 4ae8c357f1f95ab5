//! Numbers as base62 text and back: digits `0-9a-zA-Z`, in that order, the most significant first.
//!
//! A minimum width pads with `0` on the left, and padded text decodes to the same number, so a number has many spellings:
//! where codes must be unique, always use the same width.

use crate::CodeText;

#[cfg(test)]
mod tests;

/// The digits in the order of their values.
pub const DIGITS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// How many digits fit into a `u64` whatever they are: 62^10 < 2^64 < 62^11.
const CHUNK_DIGITS: usize = 10;
const CHUNK: u128 = 62u128.pow(10);

const NO_DIGIT: u8 = u8::MAX;

/// The value of every byte as a digit, or [`NO_DIGIT`].
const VALUES: [u8; 256] = {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0u8;
    while value < 62 {
        values[DIGITS[value as usize] as usize] = value;
        value += 1;
    }
    values
};

/// Why a text is not a base62 number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// There is nothing to decode; zero is written `0`.
    #[error("a base62 number has at least one digit; this one is empty")]
    Empty,
    /// A character that is no digit.
    #[error("'{character}' at position {position} is not a base62 digit (0-9, a-z, A-Z)")]
    Foreign {
        /// The first such character.
        character: char,
        /// Its place, counted from 0.
        position: usize,
    },
    /// The number is larger than the type asked for.
    #[error("the base62 number does not fit in {bits} bits")]
    Overflow {
        /// The width of that type: 64 or 128.
        bits: u32,
    },
}

/// The shortest base62 text of `number`. Never allocates.
#[inline]
pub fn encode(number: u64) -> CodeText {
    encode_padded(number, 1)
}

/// The base62 text of `number`, with zeros on the left up to `width` characters; a longer number keeps its length.
///
/// A width above [`CodeText::CAPACITY`] counts as that.
#[inline]
pub fn encode_padded(number: u64, width: usize) -> CodeText {
    let mut digits = [b'0'; CodeText::CAPACITY];
    let first = write_digits(number, &mut digits);
    trimmed(&digits, first, width)
}

/// As [`encode`], for numbers of up to 128 bits.
pub fn encode_u128(number: u128) -> CodeText {
    encode_u128_padded(number, 1)
}

/// As [`encode_padded`], for numbers of up to 128 bits.
pub fn encode_u128_padded(number: u128, width: usize) -> CodeText {
    let mut digits = [b'0'; CodeText::CAPACITY];
    let mut end = CodeText::CAPACITY;
    // Division of 128 bits is slow: take ten digits at a time off and divide those as 64 bits.
    let mut rest = number;
    let small = loop {
        if let Ok(small) = u64::try_from(rest) {
            break small;
        }
        write_digits((rest % CHUNK) as u64, &mut digits[..end]);
        rest /= CHUNK;
        end -= CHUNK_DIGITS;
    };
    let first = write_digits(small, &mut digits[..end]);
    trimmed(&digits, first, width)
}

/// The number that `text` says, leading zeros or not.
#[inline]
pub fn decode(text: &str) -> Result<u64, DecodeError> {
    fold(text, 0u64, |number, digit| number.checked_mul(62)?.checked_add(digit.into()))?
        .ok_or(DecodeError::Overflow { bits: 64 })
}

/// As [`decode`], for numbers of up to 128 bits.
pub fn decode_u128(text: &str) -> Result<u128, DecodeError> {
    fold(text, 0u128, |number, digit| number.checked_mul(62)?.checked_add(digit.into()))?
        .ok_or(DecodeError::Overflow { bits: 128 })
}

/// Whether `text` is all digits, and at least one.
pub(crate) fn check(text: &str) -> Result<(), DecodeError> {
    fold(text, (), |(), _| Some(())).map(drop)
}

/// How many numbers have at most `length` digits: 62^length, or `None` where that is above 128 bits.
pub fn space(length: usize) -> Option<u128> {
    62u128.checked_pow(u32::try_from(length).ok()?)
}

/// Writes `number` right-aligned into `digits`, which hold zeros, and says where its first digit is.
#[inline]
fn write_digits(mut number: u64, digits: &mut [u8]) -> usize {
    let mut first = digits.len();
    while number > 0 {
        first -= 1;
        digits[first] = DIGITS[(number % 62) as usize];
        number /= 62;
    }
    first
}

/// The last `width` digits, or all from `first` if those are more.
#[inline]
fn trimmed(digits: &[u8; CodeText::CAPACITY], first: usize, width: usize) -> CodeText {
    let padded = CodeText::CAPACITY.saturating_sub(width);
    let mut text = CodeText::default();
    text.push_symbols(&digits[first.min(padded)..]);
    text
}

/// Folds the digits of `text` by `step`; `None` inside once a step said that it no longer fits.
///
/// The whole text is looked at, so a foreign character is reported even in text that is too long for the type.
#[inline]
fn fold<T>(text: &str, zero: T, step: impl Fn(T, u8) -> Option<T>) -> Result<Option<T>, DecodeError> {
    if text.is_empty() {
        return Err(DecodeError::Empty);
    }
    let mut number = Some(zero);
    for (position, byte) in text.bytes().enumerate() {
        let digit = VALUES[usize::from(byte)];
        if digit == NO_DIGIT {
            return Err(foreign(text, position));
        }
        number = number.and_then(|number| step(number, digit));
    }
    Ok(number)
}

/// The error for the character at `position`: all before it is ASCII, so bytes and characters count the same.
#[cold]
fn foreign(text: &str, position: usize) -> DecodeError {
    let character = text[position..].chars().next().unwrap_or_default();
    DecodeError::Foreign { character, position }
}
