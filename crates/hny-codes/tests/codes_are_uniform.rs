//! Every symbol is equally likely at every position, by Pearson's chi-square test with fixed seeds.
//!
//! With k symbols the statistic has the mean k - 1 and the variance 2(k - 1). The threshold is the mean and six standard
//! deviations: a uniform source passes it in all but about two of a million seeds, and the usual mistake, a byte modulo 62,
//! is a hundred times beyond it.

#![expect(clippy::unwrap_used, reason = "a test whose set-up fails should end")]

use hny_codes::{Alphabet, HashCodes, Permutation, RandomCodes};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

const CODES: u32 = 200_000;

/// The greatest chi-square of any position, in standard deviations above the mean.
fn worst_deviation<Code: AsRef<str>>(symbols: &[u8], codes: impl Iterator<Item = Code>) -> f64 {
    let mut counts: Vec<[u32; 256]> = Vec::new();
    for code in codes {
        let code = code.as_ref().as_bytes();
        counts.resize(code.len(), [0; 256]);
        for (count, byte) in counts.iter_mut().zip(code) {
            count[usize::from(*byte)] += 1;
        }
    }
    counts.iter().map(|count| deviation(symbols, count)).fold(f64::MIN, f64::max)
}

fn deviation(symbols: &[u8], counts: &[u32; 256]) -> f64 {
    let kinds = f64::from(u32::try_from(symbols.len()).unwrap());
    let total = f64::from(counts.iter().sum::<u32>());
    let expected = total / kinds;
    let square = |symbol: &u8| (f64::from(counts[usize::from(*symbol)]) - expected).powi(2) / expected;
    let statistic: f64 = symbols.iter().map(square).sum();
    (statistic - (kinds - 1.0)) / (2.0 * (kinds - 1.0)).sqrt()
}

#[test]
fn random_codes_of_every_alphabet() {
    let mut rng = StdRng::seed_from_u64(62);
    for alphabet in Alphabet::ALL {
        for length in [4, 7, 22, 32] {
            let codes = RandomCodes::new(alphabet, length).unwrap();
            let drawn = (0..CODES).map(|_| codes.draw(&mut rng));
            let worst = worst_deviation(alphabet.symbols(), drawn);
            assert!(worst < 6.0, "{worst} standard deviations: {alphabet}, {length} characters");
        }
    }
}

#[test]
fn permuted_codes_of_consecutive_numbers() {
    for length in [4, 7, 11] {
        let permutation = Permutation::new("a key for tests, of 32 characters", length).unwrap();
        let codes = (0..CODES).map(|number| permutation.permute(number.into()).unwrap());
        let worst = worst_deviation(Alphabet::Base62.symbols(), codes);
        assert!(worst < 6.0, "{worst} standard deviations, {length} characters");
    }
}

#[test]
fn hashed_codes_of_similar_targets() {
    let hash = HashCodes::new(7).unwrap();
    let codes = (0..CODES).map(|page| hash.code("7", &format!("https://example.com/{page}"), 0));
    let worst = worst_deviation(Alphabet::Base62.symbols(), codes);
    assert!(worst < 6.0, "{worst} standard deviations");
}

/// What the test is able to see: 256 is no multiple of 62, so eight symbols come up a quarter more often.
#[test]
fn a_byte_modulo_62_would_be_found_out() {
    let mut rng = StdRng::seed_from_u64(62);
    let symbols = Alphabet::Base62.symbols();
    let biased = (0..CODES).map(|_| {
        let mut bytes = [0; 7];
        rng.fill_bytes(&mut bytes);
        bytes.map(|byte| char::from(symbols[usize::from(byte % 62)])).iter().collect::<String>()
    });
    let worst = worst_deviation(symbols, biased);
    assert!(worst > 100.0, "{worst} standard deviations");
}
