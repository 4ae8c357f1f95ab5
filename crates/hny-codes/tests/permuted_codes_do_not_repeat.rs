//! Ten million codes of 7 characters, half of them of consecutive numbers and half spread over the whole space.

#![expect(clippy::unwrap_used, reason = "a test whose set-up fails should end")]

use hny_codes::{Permutation, base62};

const KEY: &str = "a key for tests, of 32 characters";
const HALF: u64 = 5_000_000;
const SPACE: u64 = 62u64.pow(7);

fn codes_of(numbers: impl Iterator<Item = u64>) -> Vec<u64> {
    let permutation = Permutation::new(KEY, 7).unwrap();
    numbers.map(|number| base62::decode(&permutation.permute(number).unwrap()).unwrap()).collect()
}

#[test]
fn among_ten_million_of_7_characters() {
    // From the last number downwards in equal strides, which end far above the consecutive ones.
    let stride = (SPACE - HALF) / HALF;
    let spread = (0..HALF).map(move |index| SPACE - 1 - index * stride);
    let mut codes = std::thread::scope(|scope| {
        let spread = scope.spawn(|| codes_of(spread));
        [codes_of(0..HALF), spread.join().unwrap()].concat()
    });
    assert_eq!(codes.len(), 10_000_000);
    codes.sort_unstable();
    let repeated = codes.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(repeated, None);
    assert!(codes.last().is_some_and(|last| *last < SPACE));
}
