//! Uniform random codes, the default scheme.

use rand_core::CryptoRng;

use crate::alphabet::{Alphabet, UNAMBIGUOUS};
use crate::base62::DIGITS;
use crate::length::{CodeLength, LengthError};
use crate::text::CodeText;

#[cfg(test)]
mod tests;

/// Characters taken from one random number: 62^10 < 2^64.
const CHUNK: usize = 10;

/// Draws codes of one length, every code of that length being equally likely.
///
/// A private code is `RandomCodes::new(Alphabet::Base62, 22)`: 22 characters are 131 bits, more than a UUID has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomCodes {
    alphabet: Alphabet,
    length: CodeLength,
}

impl RandomCodes {
    /// Codes of `length` characters, 4 to 32.
    pub fn new(alphabet: Alphabet, length: usize) -> Result<Self, LengthError> {
        let length = CodeLength::new(length)?;
        Ok(Self { alphabet, length })
    }

    /// One code, drawn from a cryptographic generator: whoever can foresee codes can find links.
    ///
    /// The generator is the caller's, so that a test can seed it.
    #[inline]
    pub fn draw(&self, rng: &mut (impl CryptoRng + ?Sized)) -> CodeText {
        match self.alphabet {
            Alphabet::Base62 => draw(rng, DIGITS, self.length.get()),
            Alphabet::Unambiguous => draw(rng, UNAMBIGUOUS, self.length.get()),
        }
    }
}

/// Draws one number for up to ten symbols and splits it, which is several times faster than a draw for each symbol.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a remainder by N is below N, which is a usize")]
fn draw<const N: usize>(rng: &mut (impl CryptoRng + ?Sized), symbols: &[u8; N], length: usize) -> CodeText {
    let (base, powers) = (N as u64, const { powers(N as u64) });
    let mut code = CodeText::default();
    let mut left = length;
    while left > 0 {
        let count = left.min(CHUNK);
        let mut number = below(powers[count], rng);
        let mut chunk = [0; CHUNK];
        for symbol in &mut chunk[..count] {
            *symbol = symbols[(number % base) as usize];
            number /= base;
        }
        code.push_symbols(&chunk[..count]);
        left -= count;
    }
    code
}

/// `base` to the powers 0 to [`CHUNK`].
const fn powers(base: u64) -> [u64; CHUNK + 1] {
    let mut powers = [1; CHUNK + 1];
    let mut exponent = 1;
    while exponent <= CHUNK {
        powers[exponent] = powers[exponent - 1] * base;
        exponent += 1;
    }
    powers
}

/// A uniform number below `bound`, by Lemire's method ("Fast Random Integer Generation in an Interval", 2019): the upper
/// half of `random * bound`, redrawn where the lower half is among the values that some results have one too many of.
#[inline]
fn below(bound: u64, rng: &mut (impl CryptoRng + ?Sized)) -> u64 {
    // (lower half, upper half)
    let mut product = rng.next_u64().carrying_mul(bound, 0);
    // The excess, 2^64 mod bound, is below the bound itself: the division is rarely needed.
    if product.0 < bound {
        let excess = bound.wrapping_neg() % bound;
        while product.0 < excess {
            product = rng.next_u64().carrying_mul(bound, 0);
        }
    }
    product.1
}
