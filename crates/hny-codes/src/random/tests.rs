use std::convert::Infallible;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand_core::{TryCryptoRng, TryRng};

use super::*;

/// Gives the listed words, then ends the test.
struct Words<const N: usize>(std::array::IntoIter<u64, N>);

impl<const N: usize> Words<N> {
    fn of(words: [u64; N]) -> Self {
        Self(words.into_iter())
    }
}

impl<const N: usize> TryRng for Words<N> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("codes are made of 64-bit words")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next().expect("no more words than listed"))
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        unreachable!("codes are made of 64-bit words")
    }
}

impl<const N: usize> TryCryptoRng for Words<N> {}

#[test]
fn lengths_are_4_to_32() {
    for length in [0, 1, 3, 33, 260, usize::MAX] {
        assert_eq!(RandomCodes::new(Alphabet::Base62, length), Err(LengthError { length }));
    }
    let message = LengthError { length: 3 }.to_string();
    assert_eq!(message, "a generated code has 4 to 32 characters, not 3");
}

#[test]
fn codes_have_the_length_and_the_symbols_asked_for() {
    let mut rng = StdRng::seed_from_u64(1);
    for alphabet in Alphabet::ALL {
        for length in 4..=32 {
            let codes = RandomCodes::new(alphabet, length).unwrap();
            for _ in 0..100 {
                let code = codes.draw(&mut rng);
                assert_eq!(code.len(), length);
                assert!(code.bytes().all(|byte| alphabet.symbols().contains(&byte)), "{code}");
            }
        }
    }
}

#[test]
fn a_seed_gives_its_codes_again() {
    let codes = RandomCodes::new(Alphabet::Base62, 22).unwrap();
    let draw = |seed| codes.draw(&mut StdRng::seed_from_u64(seed));
    assert_eq!(draw(7), draw(7));
    assert_ne!(draw(7), draw(8));
}

/// The two bounds are ones for which it can be told by hand which words give some results a chance too many.
#[test]
fn the_words_that_would_favour_some_results_are_redrawn() {
    let space = 62u64.pow(7);
    // Word 0 has the lower half 0, which is below the excess 2^64 mod 62^7.
    assert_eq!(below(space, &mut Words::of([0, u64::MAX])), space - 1);
    // The lower half of word 1 is the bound itself, which is fair.
    assert_eq!(below(space, &mut Words::of([1])), 0);

    let half = (1 << 63) + 1;
    // 2^64 mod half = 2^63 - 1. The word 2 gives the lower half 2, refused; the word 1 gives 2^63 + 1, taken.
    assert_eq!(below(half, &mut Words::of([2, 1])), 0);
    // 2^63 * half = 2^126 + 2^63: upper half 2^62, lower half 2^63, taken.
    assert_eq!(below(half, &mut Words::of([1 << 63])), 1 << 62);
}

/// The whole method over 8-bit words, by brute force, as the argument for [`below`]: the same rule, every bound, every word.
#[test]
fn the_rule_is_exactly_uniform_in_8_bits() {
    for bound in 1u16..=255 {
        let excess = 256 % bound;
        let mut times = vec![0u16; bound.into()];
        for word in 0u16..256 {
            let product = word * bound;
            if product % 256 >= excess {
                times[usize::from(product / 256)] += 1;
            }
        }
        assert!(times.iter().all(|&count| count == 256 / bound), "bound {bound}: {times:?}");
    }
}

#[test]
fn a_long_code_uses_a_word_for_every_ten_characters() {
    let codes = RandomCodes::new(Alphabet::Base62, 22).unwrap();
    let code = codes.draw(&mut Words::of([u64::MAX, 1, u64::MAX]));
    assert_eq!(code, "ZZZZZZZZZZ0000000000ZZ");
}
