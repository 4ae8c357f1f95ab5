use proptest::prelude::*;

use super::*;

#[test]
fn says_the_published_vectors() {
    for (number, text) in [(0, "0"), (9, "9"), (10, "a"), (35, "z"), (36, "A"), (61, "Z"), (62, "10"), (125, "21")] {
        assert_eq!(encode(number), text);
        assert_eq!(decode(text), Ok(number));
    }
    assert_eq!(encode(1_000_000), "4c92");
    // A Snowflake id and the bounds of both types, computed apart from this crate.
    assert_eq!(encode(2_127_204_294_456_246_272), "2x8Ckv5YB7G");
    assert_eq!(encode(u64::MAX), "lYGhA16ahyf");
    assert_eq!(encode_u128(u128::MAX), "7N42dgm5tFLK9N8MT7fHC7");
}

#[test]
fn pads_with_zeros_and_never_cuts() {
    for (number, text) in [(1, "000001"), (62, "000010"), (3844, "000100"), (1_000_000, "004c92")] {
        assert_eq!(encode_padded(number, 6), text);
        assert_eq!(encode_u128_padded(number.into(), 6), text);
        assert_eq!(decode(text), Ok(number));
    }
    assert_eq!(encode_padded(1_000_000, 2), "4c92");
    assert_eq!(encode_padded(0, 0), "");
    assert_eq!(encode_padded(7, 1000).len(), CodeText::CAPACITY);
}

#[test]
fn names_what_is_wrong() {
    assert_eq!(decode(""), Err(DecodeError::Empty));
    assert_eq!(decode_u128(""), Err(DecodeError::Empty));
    assert_eq!(decode("4c-92"), Err(DecodeError::Foreign { character: '-', position: 2 }));
    assert_eq!(decode("4cé"), Err(DecodeError::Foreign { character: 'é', position: 2 }));
    assert_eq!(decode("lYGhA16ahyg"), Err(DecodeError::Overflow { bits: 64 }));
    assert_eq!(decode_u128("7N42dgm5tFLK9N8MT7fHC8"), Err(DecodeError::Overflow { bits: 128 }));
    let foreign_and_too_long = decode("ZZZZZZZZZZZZZZZZ!");
    assert_eq!(foreign_and_too_long, Err(DecodeError::Foreign { character: '!', position: 16 }));
    assert_eq!(decode("a b").unwrap_err().to_string(), "' ' at position 1 is not a base62 digit (0-9, a-z, A-Z)");
}

#[test]
fn spaces_are_powers_of_62() {
    assert_eq!(space(6), Some(56_800_235_584));
    assert_eq!(space(7), Some(3_521_614_606_208));
    assert!(space(21).is_some());
    assert_eq!(space(22), None);
}

proptest! {
    #[test]
    fn comes_back_as_it_went(number: u64, width in 1usize..=64) {
        let text = encode_padded(number, width);
        prop_assert_eq!(decode(&text), Ok(number));
        prop_assert_eq!(decode_u128(&text), Ok(number.into()));
        prop_assert_eq!(encode_u128_padded(number.into(), width), text);
    }

    #[test]
    fn comes_back_as_it_went_in_128_bits(number: u128, zeros in 0usize..40) {
        let text = encode_u128(number);
        prop_assert_eq!(decode_u128(&text), Ok(number));
        let padded = encode_u128_padded(number, text.len() + zeros);
        prop_assert_eq!(padded.trim_start_matches('0'), text.trim_start_matches('0'));
        prop_assert_eq!(decode_u128(&padded), Ok(number));
    }

    #[test]
    fn same_width_keeps_the_order_of_values(a: u64, b: u64) {
        let rank = |text: CodeText| text.bytes().map(|byte| VALUES[usize::from(byte)]).collect::<Vec<_>>();
        let (left, right) = (encode_padded(a, 11), encode_padded(b, 11));
        prop_assert_eq!(left.len(), 11);
        prop_assert_eq!(rank(left).cmp(&rank(right)), a.cmp(&b));
    }

    #[test]
    fn any_text_is_a_number_or_a_named_error(text in ".*") {
        match decode_u128(&text) {
            Ok(number) => {
                let (got, zeros) = (encode_u128(number), text.trim_start_matches('0'));
                prop_assert_eq!(got.trim_start_matches('0'), zeros);
            }
            Err(DecodeError::Empty) => prop_assert!(text.is_empty()),
            Err(DecodeError::Foreign { character, position }) => {
                prop_assert!(!character.is_ascii_alphanumeric());
                prop_assert_eq!(text.chars().nth(position), Some(character));
            }
            Err(DecodeError::Overflow { bits }) => {
                prop_assert_eq!(bits, 128);
                prop_assert!(text.trim_start_matches('0').len() >= 22);
            }
        }
    }
}
