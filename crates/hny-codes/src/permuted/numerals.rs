//! The numeral strings FF1 works on, as pairs of plain numbers.
//!
//! `fpe` brings numeral strings over big integers; ours never exceed 32 digits of base 62, whose halves fit in 96 bits, so
//! 128-bit arithmetic does the same without allocating, several times faster.

use fpe::ff1::{NumeralString, Operations};

use crate::base62::{self, DecodeError};
use crate::text::CodeText;

/// One half of a numeral string: `digits` digits that say `value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Half {
    value: u128,
    digits: usize,
}

/// A numeral string of up to 32 digits, in the halves that FF1 splits it into; the left one is the shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numerals {
    left: Half,
    right: Half,
}

impl Numerals {
    /// The `length` digits of `number`, which must not have more.
    pub(crate) fn of(number: u128, length: usize, radix: u32) -> Self {
        let (left, right) = (length / 2, length.div_ceil(2));
        let modulus = power(radix, right);
        Self {
            left: Half { value: number / modulus, digits: left },
            right: Half { value: number % modulus, digits: right },
        }
    }

    /// The digits of a base62 text.
    pub(crate) fn from_base62(text: &str) -> Result<Self, DecodeError> {
        base62::check(text)?;
        // All ASCII from here on, so it may be cut anywhere.
        let (left, right) = text.split_at(text.len() / 2);
        let half = |text: &str| Ok(Half { value: base62::decode_u128(text)?, digits: text.len() });
        Ok(Self { left: half(left)?, right: half(right)? })
    }

    pub(crate) fn to_base62(self) -> CodeText {
        let mut text = base62::encode_u128_padded(self.left.value, self.left.digits);
        text.push_symbols(base62::encode_u128_padded(self.right.value, self.right.digits).as_bytes());
        text
    }

    /// The number, unless it is beyond 64 bits.
    pub(crate) fn to_u64(self, radix: u32) -> Option<u64> {
        let left = self.left.value.checked_mul(power(radix, self.right.digits))?;
        u64::try_from(left.checked_add(self.right.value)?).ok()
    }
}

impl NumeralString for Numerals {
    type Ops = Half;

    fn is_valid(&self, radix: u32) -> bool {
        [self.left, self.right].iter().all(|half| half.value < power(radix, half.digits))
    }

    fn numeral_count(&self) -> usize {
        self.left.digits + self.right.digits
    }

    fn split(&self) -> (Half, Half) {
        (self.left, self.right)
    }

    fn concat(left: Half, right: Half) -> Self {
        Self { left, right }
    }
}

impl Operations for Half {
    type Bytes = LowBytes;

    fn numeral_count(&self) -> usize {
        self.digits
    }

    fn to_be_bytes(&self, _radix: u32, count: usize) -> LowBytes {
        LowBytes { bytes: self.value.to_be_bytes(), count }
    }

    fn add_mod_exp(self, other: impl Iterator<Item = u8>, radix: u32, digits: usize) -> Self {
        let modulus = power(radix, digits);
        Self { value: (self.value + number(other) % modulus) % modulus, digits }
    }

    fn sub_mod_exp(self, other: impl Iterator<Item = u8>, radix: u32, digits: usize) -> Self {
        let modulus = power(radix, digits);
        Self { value: (self.value + modulus - number(other) % modulus) % modulus, digits }
    }
}

/// The last `count` bytes of a number.
pub(crate) struct LowBytes {
    bytes: [u8; 16],
    count: usize,
}

impl AsRef<[u8]> for LowBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[16 - self.count..]
    }
}

/// The big-endian number of at most 16 bytes: FF1 gives 4 * ceil(b / 4) + 4 of them, where b, the bytes of a half, is at most 12.
fn number(bytes: impl Iterator<Item = u8>) -> u128 {
    bytes.fold(0, |number, byte| number << 8 | u128::from(byte))
}

/// At most 62^16, which fits in 96 bits.
fn power(radix: u32, digits: usize) -> u128 {
    (0..digits).fold(1, |power, _| power * u128::from(radix))
}
