//! On a whole domain: every number has a code of its own, and every code is some number's.

#![expect(clippy::unwrap_used, reason = "a test whose set-up fails should end")]

use hny_codes::{Permutation, base62};

const KEY: &str = "a key for tests, of 32 characters";
const SPACE: u64 = 62u64.pow(4);

/// Which values came up, one bit each.
struct Seen(Vec<u64>);

impl Seen {
    fn nothing() -> Self {
        Self(vec![0; usize::try_from(SPACE / 64 + 1).unwrap()])
    }

    /// Marks a value, and says whether it is new.
    fn add(&mut self, value: u64) -> bool {
        let (word, bit) = (usize::try_from(value / 64).unwrap(), 1 << (value % 64));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    fn shares_any_with(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(left, right)| left & right != 0)
    }
}

/// The codes of a range of numbers; every 16th is also turned back.
fn codes_of(numbers: std::ops::Range<u64>) -> Seen {
    let permutation = Permutation::new(KEY, 4).unwrap();
    let mut seen = Seen::nothing();
    for number in numbers {
        let code = permutation.permute(number).unwrap();
        assert_eq!(code.len(), 4);
        assert!(seen.add(base62::decode(&code).unwrap()), "{code} came twice");
        if number % 16 == 0 {
            assert_eq!(permutation.invert(&code), Ok(number));
        }
    }
    seen
}

#[test]
fn on_all_14_776_336_codes_of_4_characters() {
    let half = SPACE / 2;
    let (lower, upper) = std::thread::scope(|scope| {
        let lower = scope.spawn(|| codes_of(0..half));
        (codes_of(half..SPACE), lower.join().unwrap())
    });
    assert!(!lower.shares_any_with(&upper));
    assert_eq!(lower.count() + upper.count(), SPACE);
    assert_eq!(SPACE, 14_776_336);
}
