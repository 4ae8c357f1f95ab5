use proptest::prelude::*;

use super::*;
use crate::Permutation;

#[test]
fn the_layout_is_41_5_5_12() {
    let node = Node::new(1, 2).unwrap();
    let id = Id::of(3 << 12 | 4, node);
    assert_eq!(id.get(), 3 << 22 | 1 << 17 | 2 << 12 | 4);
    let last = Id::of(LAST_MS << 12 | LAST_SEQUENCE, Node::new(31, 31).unwrap());
    assert_eq!(i64::from(last), i64::MAX);
    // 2^41 ms after 2020-01-01T00:00:00Z.
    assert_eq!(last.unix_ms(), 3_776_860_055_551);
}

#[test]
fn fields_above_31_and_numbers_of_64_bits_are_refused() {
    assert_eq!(Node::new(32, 0).unwrap_err().to_string(), "a datacenter id is 0 to 31, not 32");
    assert_eq!(Node::new(0, 255), Err(NodeError { field: "worker", value: 255 }));
    assert_eq!(Id::try_from(1 << 63), Err(IdError(1 << 63)));
}

proptest! {
    #[test]
    fn an_id_tells_what_it_was_made_of(ms in 0..=LAST_MS, datacenter in 0u8..32, worker in 0u8..32, sequence in 0u16..4096) {
        let node = Node::new(datacenter, worker).unwrap();
        let id = Id::of(ms << 12 | u64::from(sequence), node);
        prop_assert_eq!((id.unix_ms(), id.node(), id.sequence()), (EPOCH_MS + ms, node, sequence));
        prop_assert_eq!(Id::try_from(id.get()), Ok(id));
    }

    #[test]
    fn every_id_has_a_code_of_11_characters(number in 0u64..1 << 63) {
        let permutation = Permutation::new("a key for tests, of 32 characters", CODE_LENGTH).unwrap();
        let code = permutation.permute(number).unwrap();
        prop_assert_eq!(code.len(), CODE_LENGTH);
        prop_assert_eq!(permutation.invert(&code), Ok(number));
    }
}
