//! Randomness that a test has written down.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use hny_service::Randomness;
use rand::{TryCryptoRng, TryRng};

const DIGITS: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Draws the codes of a list, in their order; to draw one more fails the test.
#[derive(Clone, Default)]
pub(crate) struct Words(Arc<Mutex<VecDeque<u64>>>);

impl Words {
    /// These codes, one after the other.
    pub(crate) fn of(codes: &[&str]) -> Self {
        let words = Self::default();
        words.add(codes);
        words
    }

    /// These codes after those that are left.
    pub(crate) fn add(&self, codes: &[&str]) {
        let chunks = codes.iter().flat_map(|code| code.as_bytes().chunks(10));
        self.0.lock().unwrap().extend(chunks.map(word));
    }

    /// Whether all were drawn.
    pub(crate) fn are_used(&self) -> bool {
        self.0.lock().unwrap().is_empty()
    }

    pub(crate) fn randomness(&self) -> Randomness {
        Randomness::new(self.clone())
    }
}

/// The random number of which `RandomCodes` makes up to ten characters: it keeps the upper half of the number times the count of
/// such codes, and the first character is the lowest digit.
fn word(chunk: &[u8]) -> u64 {
    let digit = |byte: &u8| DIGITS.bytes().position(|digit| digit == *byte).unwrap() as u128;
    let number = chunk.iter().rev().fold(0, |number, byte| number * 62 + digit(byte));
    let codes = 62_u128.pow(u32::try_from(chunk.len()).unwrap());
    // One more than the first that leads there, which may be one of those that are drawn again.
    u64::try_from((number << 64).div_ceil(codes) + 1).unwrap()
}

impl TryRng for Words {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("codes are made of 64-bit words")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.lock().unwrap().pop_front().expect("no more codes are drawn than the test foresees"))
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        unreachable!("codes are made of 64-bit words")
    }
}

impl TryCryptoRng for Words {}
