//! Why a counter is not scrambled by multiplying: its last characters still march, and those of a permutation do not.

#![expect(clippy::unwrap_used, reason = "a test whose set-up fails should end")]

use hny_codes::{Permutation, base62};

/// Knuth's multiplicative constant, prime and so without a common factor with 62 or 2: both maps are bijections.
const FACTOR: u64 = 2_654_435_761;
const SALT: u64 = 0x9E37_79B9_7F4A_7C15;
const SPACE: u64 = 62u64.pow(7);
const NUMBERS: u64 = 100_000;

fn modulo_space(number: u64) -> String {
    let product = u128::from(number) * u128::from(FACTOR) % u128::from(SPACE);
    base62::encode_u128_padded(product, 7).to_string()
}

fn modulo_64_bits(number: u64) -> String {
    base62::encode_padded(number.wrapping_mul(FACTOR).wrapping_add(SALT), 11).to_string()
}

fn modulo_64_bits_xor(number: u64) -> String {
    base62::encode_padded(number.wrapping_mul(FACTOR) ^ SALT, 11).to_string()
}

fn permuted(length: usize) -> impl Fn(u64) -> String {
    let permutation = Permutation::new("a key for tests, of 32 characters", length).unwrap();
    move |number| permutation.permute(number).unwrap().to_string()
}

/// In how many of a hundred cases a pair of codes, of numbers `apart` from each other, fits.
fn percent(code: impl Fn(u64) -> String, apart: u64, fits: impl Fn(&str, &str) -> bool) -> f64 {
    let codes: Vec<_> = (0..NUMBERS + apart).map(code).collect();
    let pairs = codes.iter().zip(&codes[usize::try_from(apart).unwrap()..]);
    let fitting = pairs.filter(|(left, right)| fits(left, right)).count();
    f64::from(u32::try_from(fitting).unwrap()) * 100.0 / f64::from(u32::try_from(NUMBERS).unwrap())
}

fn same_last(characters: usize) -> impl Fn(&str, &str) -> bool {
    move |left, right| left[left.len() - characters..] == right[right.len() - characters..]
}

fn parity_differs(left: &str, right: &str) -> bool {
    let parity = |code: &str| base62::decode(&code[code.len() - 1..]).unwrap() % 2;
    parity(left) != parity(right)
}

/// The last character depends on the number modulo 62 alone, the last two on it modulo 3,844.
#[test]
fn modulo_the_space_the_last_characters_repeat() {
    assert!((percent(modulo_space, 62, same_last(1)) - 100.0).abs() < f64::EPSILON);
    assert!((percent(modulo_space, 62 * 62, same_last(2)) - 100.0).abs() < f64::EPSILON);
    // One of 62 is 1.6 %, one of 3,844 is 0.026 %.
    let (one, two) = (percent(permuted(7), 62, same_last(1)), percent(permuted(7), 62 * 62, same_last(2)));
    assert!((1.4..1.9).contains(&one), "{one} %");
    assert!((0.01..0.05).contains(&two), "{two} %");
}

/// The lowest bit of the product is the lowest bit of the number, and a salt only turns it over; 62 is even, so the last
/// character shows it.
#[test]
fn modulo_64_bits_the_last_character_alternates() {
    let alternating = |code: fn(u64) -> String| percent(code, 1, parity_differs);
    assert!((alternating(modulo_64_bits) - 100.0).abs() < f64::EPSILON);
    assert!((alternating(modulo_64_bits_xor) - 100.0).abs() < f64::EPSILON);
    let ours = percent(permuted(11), 1, parity_differs);
    assert!((49.0..51.0).contains(&ours), "{ours} %");
}

/// Two consecutive codes give the factor away, and with it all codes.
#[test]
fn two_codes_reveal_the_multiplier() {
    let number = |code: &str| base62::decode(code).unwrap();
    let step = (SPACE + number(&modulo_space(1_000_001)) - number(&modulo_space(1_000_000))) % SPACE;
    let forged = (number(&modulo_space(1_000_001)) + step) % SPACE;
    assert_eq!(base62::encode_padded(forged, 7), modulo_space(1_000_002).as_str());

    let code = permuted(7);
    let step = (SPACE + number(&code(1_000_001)) - number(&code(1_000_000))) % SPACE;
    let forged = (number(&code(1_000_001)) + step) % SPACE;
    assert_ne!(base62::encode_padded(forged, 7), code(1_000_002).as_str());
}
