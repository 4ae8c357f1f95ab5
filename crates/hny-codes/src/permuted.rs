//! Numbers as codes that hide their order: a keyed permutation of all codes of one length.
//!
//! The permutation is FF1 (NIST SP 800-38G, radix 62, no tweak) over AES-256. It works on exactly 62^length values, so no two
//! numbers share a code and every code is used before the space is full. The AES key is SHA-256 of the secret behind a
//! prefix of its own, so that nothing else derived from the same secret tells anything about it.

use std::fmt;

use aes::Aes256Enc;
use fpe::ff1::FF1;
use sha2::{Digest, Sha256};

use crate::base62::DecodeError;
use crate::length::{CodeLength, LengthError};
use crate::number::{self, NumberTooLarge};
use crate::text::CodeText;

mod numerals;
#[cfg(test)]
mod tests;

use numerals::Numerals;

const RADIX: u32 = 62;
const KEY_PURPOSE: &[u8] = b"hny-codes: FF1 key, version 1";
const HEX: &[u8; 16] = b"0123456789abcdef";
const FINGERPRINT_PURPOSE: &[u8] = b"hny-codes: fingerprint, version 1";

/// Permutes the numbers below 62^length, under a secret.
///
/// It must stay the same as long as its codes are in use: another key or length maps other numbers to the same codes.
pub struct Permutation {
    cipher: FF1<Aes256Enc>,
    length: CodeLength,
    fingerprint: CodeText,
}

/// Why there can be no such permutation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PermutationError {
    /// The secret has fewer than [`Permutation::MIN_KEY_LENGTH`] characters.
    #[error(
        "the code key has {length} characters; it needs at least {}, best from a random generator",
        Permutation::MIN_KEY_LENGTH
    )]
    ShortKey {
        /// How many characters it has.
        length: usize,
    },
    /// The code length is out of bounds.
    #[error(transparent)]
    Length(#[from] LengthError),
}

/// Why a code stands for no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvertError {
    /// Another length than the permutation has.
    #[error("the code has {length} characters; the codes of this permutation have {expected}")]
    Length {
        /// The length of the code, in bytes.
        length: usize,
        /// The length that all codes of the permutation have.
        expected: usize,
    },
    /// A character that is no base62 digit.
    #[error(transparent)]
    Text(#[from] DecodeError),
    /// The number is beyond 64 bits, so [`Permutation::permute`] never gave this code under this key.
    #[error("the code was not made by this permutation")]
    Unknown,
}

impl Permutation {
    /// The fewest characters a secret may have.
    pub const MIN_KEY_LENGTH: usize = 32;

    /// A permutation of the codes of `length` characters (4 to 32) under the secret `key` (32 characters or more).
    pub fn new(key: &str, length: usize) -> Result<Self, PermutationError> {
        let characters = key.chars().count();
        if characters < Self::MIN_KEY_LENGTH {
            return Err(PermutationError::ShortKey { length: characters });
        }
        let length = CodeLength::new(length)?;
        Ok(Self { cipher: cipher(key), length, fingerprint: fingerprint(key, length) })
    }

    /// The code of `number`, of exactly the permutation's length.
    pub fn permute(&self, number: u64) -> Result<CodeText, NumberTooLarge> {
        number::check(number, self.length)?;
        let numerals = Numerals::of(number.into(), self.length.get(), RADIX);
        Ok(self.encrypt(&numerals).to_base62())
    }

    /// The number whose code this is.
    pub fn invert(&self, code: &str) -> Result<u64, InvertError> {
        let expected = self.length.get();
        if code.len() != expected {
            return Err(InvertError::Length { length: code.len(), expected });
        }
        let numerals = Numerals::from_base62(code)?;
        let number = self.cipher.decrypt(&[], &numerals);
        number.ok().and_then(|number| number.to_u64(RADIX)).ok_or(InvertError::Unknown)
    }

    #[expect(clippy::expect_used, reason = "a checked number and length are in the domain of FF1")]
    fn encrypt(&self, numerals: &Numerals) -> Numerals {
        let permuted = self.cipher.encrypt(&[], numerals);
        permuted.expect("4 to 32 numerals below 62")
    }

    /// 32 hexadecimal digits that tell this key and length from others, to be kept beside the codes.
    ///
    /// They are half of a SHA-256 and do not reveal the key, unless it is so weak that it can be guessed.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

/// Never the key, nor anything computed from it but the fingerprint.
impl fmt::Debug for Permutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permutation")
            .field("length", &self.length.get())
            .field("fingerprint", &self.fingerprint)
            .finish_non_exhaustive()
    }
}

#[expect(clippy::expect_used, reason = "62 is between the bounds of FF1, 2 and 2^16")]
fn cipher(key: &str) -> FF1<Aes256Enc> {
    let derived = Sha256::new().chain_update(KEY_PURPOSE).chain_update([0]).chain_update(key).finalize();
    FF1::new(&derived, RADIX).expect("62 is a radix of FF1")
}

fn fingerprint(key: &str, length: CodeLength) -> CodeText {
    let digest =
        Sha256::new().chain_update(FINGERPRINT_PURPOSE).chain_update([0, length.byte()]).chain_update(key).finalize();
    let mut text = CodeText::default();
    for byte in &digest[..16] {
        text.push_symbols(&[HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
    }
    text
}
