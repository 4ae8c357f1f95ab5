//! What a code looks like in print.

use crate::text::{CodeText, CodeTextError};

/// The code with every lookalike replaced by one of its kind: `0` for `O`, `1` for `l` and `I`.
///
/// Two codes that a reader would confuse have the same skeleton. Case is kept otherwise, since it tells codes apart.
pub fn skeleton(code: &str) -> Result<CodeText, CodeTextError> {
    let code: CodeText = code.parse()?;
    let mut skeleton = CodeText::default();
    for byte in code.bytes() {
        skeleton.push_symbols(&[fold(byte)]);
    }
    Ok(skeleton)
}

fn fold(byte: u8) -> u8 {
    match byte {
        b'O' => b'0',
        b'l' | b'I' => b'1',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::skeleton;
    use crate::Alphabet;

    #[test]
    fn lookalikes_share_a_skeleton_and_others_do_not() {
        assert_eq!(skeleton("O0-Il1_ok").unwrap(), "00-111_ok");
        for (left, right) in [("Promo", "Pr0mo"), ("i", "I"), ("o", "0"), ("L", "l"), ("a", "A")] {
            assert_ne!(skeleton(left), skeleton(right));
        }
        assert!(skeleton(&"a".repeat(65)).is_err());
        assert!(skeleton("é").is_err());
    }

    /// So unambiguous codes can never be confused with one another.
    #[test]
    fn the_unambiguous_alphabet_is_its_own_skeleton() {
        let symbols = str::from_utf8(Alphabet::Unambiguous.symbols()).unwrap();
        assert_eq!(skeleton(symbols).unwrap(), symbols);
    }

    proptest! {
        #[test]
        fn a_skeleton_is_its_own_skeleton(code in "[0-9a-zA-Z_-]{1,64}") {
            let once = skeleton(&code).unwrap();
            prop_assert_eq!(skeleton(&once).unwrap(), once);
            prop_assert_eq!(once.len(), code.len());
        }
    }
}
