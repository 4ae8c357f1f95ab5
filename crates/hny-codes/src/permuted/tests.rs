use aes::{Aes128Enc, Aes192Enc, Aes256Enc};
use fpe::ff1::{FF1, NumeralString};
use proptest::prelude::*;

use super::*;
use crate::base62;

const KEY: &str = "a key for tests, of 32 characters";
const OTHER: &str = "another key, of 32 characters or more";

/// The AES-256 key of NIST's FF1 samples 7 to 9; those of AES-128 and AES-192 are its beginnings.
const NIST_KEY: [u8; 32] = [
    0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6, 0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF, 0x4F, 0x3C, 0xEF, 0x43, 0x59,
    0xD8, 0xD5, 0x80, 0xAA, 0x4F, 0x7F, 0x03, 0x6D, 0x6F, 0x04, 0xFC, 0x6A, 0x94,
];

/// `text` in digits `0-9a-z`, as NIST writes its samples.
fn numerals(text: &str, radix: u32) -> Numerals {
    let number = u128::from_str_radix(text, radix).unwrap();
    Numerals::of(number, text.len(), radix)
}

/// All nine samples of "FF1samples.pdf" (NIST, Cryptographic Standards and Guidelines, examples), through our numerals.
#[test]
fn gives_the_samples_of_nist() {
    let letters = "0123456789abcdefghi";
    let samples: [(usize, u32, &[u8], &str, &str); 9] = [
        (16, 10, b"", "0123456789", "2433477484"),
        (16, 10, b"9876543210", "0123456789", "6124200773"),
        (16, 36, b"7777pqrs777", letters, "a9tv40mll9kdu509eum"),
        (24, 10, b"", "0123456789", "2830668132"),
        (24, 10, b"9876543210", "0123456789", "2496655549"),
        (24, 36, b"7777pqrs777", letters, "xbj3kv35jrawxv32ysr"),
        (32, 10, b"", "0123456789", "6657667009"),
        (32, 10, b"9876543210", "0123456789", "1001623463"),
        (32, 36, b"7777pqrs777", letters, "xs8a0azh2avyalyzuwd"),
    ];
    for (key, radix, tweak, plain, cipher) in samples {
        let key = &NIST_KEY[..key];
        let (plain, cipher) = (numerals(plain, radix), numerals(cipher, radix));
        let (encrypted, decrypted) = match key.len() {
            16 => both(&FF1::<Aes128Enc>::new(key, radix).unwrap(), tweak, plain, cipher),
            24 => both(&FF1::<Aes192Enc>::new(key, radix).unwrap(), tweak, plain, cipher),
            _ => both(&FF1::<Aes256Enc>::new(key, radix).unwrap(), tweak, plain, cipher),
        };
        assert_eq!((encrypted, decrypted), (cipher, plain));
    }
}

fn both<C>(ff1: &FF1<C>, tweak: &[u8], plain: Numerals, cipher: Numerals) -> (Numerals, Numerals)
where
    C: aes::cipher::BlockCipherEncrypt + Clone,
{
    (ff1.encrypt(tweak, &plain).unwrap(), ff1.decrypt(tweak, &cipher).unwrap())
}

/// A second opinion on our arithmetic at every length: the numeral strings that come with `fpe`, over big integers.
#[test]
fn agrees_with_the_numerals_of_the_ff1_crate() {
    let permutation = Permutation::new(KEY, 7).unwrap();
    for length in 4..=32 {
        for number in [0, 1, 61, 62, 12_345_678, 14_776_335] {
            let ours = permutation.cipher.encrypt(&[], &Numerals::of(number, length, RADIX)).unwrap();
            let digits = digits(&base62::encode_u128_padded(number, length));
            let theirs = fpe::ff1::FlexibleNumeralString::from(digits);
            let theirs: Vec<u16> = permutation.cipher.encrypt(&[], &theirs).unwrap().into();
            assert_eq!(self::digits(&ours.to_base62()), theirs, "{number} at length {length}");
        }
    }
}

fn digits(text: &str) -> Vec<u16> {
    text.chars().map(|digit| u16::try_from(base62::decode(&digit.to_string()).unwrap()).unwrap()).collect()
}

/// Every one of the million strings of six decimal digits comes up exactly once.
#[test]
fn is_a_bijection_on_six_decimal_digits() {
    let ff1 = FF1::<Aes256Enc>::new(&NIST_KEY, 10).unwrap();
    let mut seen = vec![false; 1_000_000];
    for number in 0..1_000_000 {
        let permuted = ff1.encrypt(&[], &Numerals::of(number, 6, 10)).unwrap();
        let place = usize::try_from(permuted.to_u64(10).unwrap()).unwrap();
        assert!(!std::mem::replace(&mut seen[place], true), "{place:06} came twice");
    }
    assert!(seen.iter().all(|seen| *seen));
}

#[test]
fn a_key_and_a_length_are_checked() {
    let short = "x".repeat(31);
    assert_eq!(Permutation::new(&short, 7).unwrap_err(), PermutationError::ShortKey { length: 31 });
    // Characters count, not bytes.
    let accents = "é".repeat(31);
    assert_eq!(Permutation::new(&accents, 7).unwrap_err(), PermutationError::ShortKey { length: 31 });
    for length in [0, 3, 33] {
        let error = Permutation::new(KEY, length).unwrap_err();
        assert_eq!(error, PermutationError::Length(LengthError { length }));
    }
}

#[test]
fn a_number_beyond_the_space_is_refused() {
    let permutation = Permutation::new(KEY, 4).unwrap();
    let number = 62u64.pow(4);
    assert!(permutation.permute(number - 1).is_ok());
    assert_eq!(permutation.permute(number), Err(NumberTooLarge { number, length: 4 }));
}

#[test]
fn what_is_not_its_code_is_named() {
    let permutation = Permutation::new(KEY, 7).unwrap();
    assert_eq!(permutation.invert("abc"), Err(InvertError::Length { length: 3, expected: 7 }));
    let foreign = DecodeError::Foreign { character: '-', position: 5 };
    assert_eq!(permutation.invert("abcde-g"), Err(InvertError::Text(foreign)));
    let accent = DecodeError::Foreign { character: 'é', position: 2 };
    assert_eq!(permutation.invert("abédef"), Err(InvertError::Text(accent)));
    // Of 62^22 codes only 2^64 have a number.
    let long = Permutation::new(KEY, 22).unwrap();
    assert_eq!(long.invert("ZZZZZZZZZZZZZZZZZZZZZZ"), Err(InvertError::Unknown));
}

#[test]
fn the_fingerprint_tells_keys_and_lengths_apart() {
    let print = |key, length| Permutation::new(key, length).unwrap().fingerprint().to_owned();
    assert_eq!(print(KEY, 7), print(KEY, 7));
    assert_eq!(print(KEY, 7).len(), 32);
    assert_ne!(print(KEY, 7), print(KEY, 8));
    assert_ne!(print(KEY, 7), print(OTHER, 7));
}

/// Stored beside the codes, so it may never change: computed apart from this crate.
#[test]
fn the_fingerprint_and_the_codes_stay_as_they_are() {
    let permutation = Permutation::new(KEY, 7).unwrap();
    assert_eq!(permutation.fingerprint(), "07f53aed459879c676806d1634aa299f");
    let codes = [0, 1, 2].map(|number| permutation.permute(number).unwrap());
    assert_eq!(codes, ["yjZIzBn", "9L01AIv", "NK4W86T"]);
}

#[test]
fn debug_shows_no_secret() {
    let permutation = Permutation::new(KEY, 7).unwrap();
    let shown = format!("{permutation:?}");
    assert!(!shown.contains("a key for tests") && shown.contains(permutation.fingerprint()), "{shown}");
}

proptest! {
    #[test]
    fn inverts_what_it_permutes(key in ".{32,40}", length in 4usize..=32, number: u64) {
        let permutation = Permutation::new(&key, length).unwrap();
        let space = base62::space(length).unwrap_or(u128::MAX);
        let number = u64::try_from(u128::from(number) % space).unwrap();
        let code = permutation.permute(number).unwrap();
        prop_assert_eq!(code.len(), length);
        prop_assert_eq!(permutation.invert(&code), Ok(number));
    }

    #[test]
    fn any_code_of_the_length_is_the_code_of_its_number(code in "[0-9a-zA-Z]{4,10}") {
        let permutation = Permutation::new(KEY, code.len()).unwrap();
        let number = permutation.invert(&code).unwrap();
        prop_assert_eq!(permutation.permute(number).unwrap(), code.as_str());
    }

    #[test]
    fn text_and_numerals_agree(number: u64, length in 11usize..=32) {
        let text = base62::encode_padded(number, length);
        let numerals = Numerals::from_base62(&text).unwrap();
        prop_assert_eq!(numerals, Numerals::of(number.into(), length, RADIX));
        prop_assert_eq!(numerals.to_base62(), text);
        prop_assert_eq!(numerals.to_u64(RADIX), Some(number));
        prop_assert!(numerals.is_valid(RADIX));
    }
}
