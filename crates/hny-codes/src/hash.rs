//! Codes that follow from what they lead to.

use sha2::{Digest, Sha256};

use crate::base62;
use crate::length::{CodeLength, LengthError};
use crate::text::CodeText;

/// The version of the recipe, so that another one can never give these codes by accident.
const VERSION: &[u8] = b"hny1";

/// Makes the code of an owner's target: the same owner and target give the same code on every node.
///
/// Different links can meet in one code; then the next salt gives the next candidate. The owner is part of the recipe, so
/// strangers neither share a link nor can tell whether somebody shortened a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashCodes {
    length: CodeLength,
}

impl HashCodes {
    /// Codes of `length` characters, 4 to 32. Above 21 they gain no further distinctness: 128 bits of the hash are used.
    pub fn new(length: usize) -> Result<Self, LengthError> {
        Ok(Self { length: CodeLength::new(length)? })
    }

    /// The code for the `salt`-th attempt, the first being 0.
    ///
    /// It is base62 of the first 16 bytes, big-endian, of SHA-256(`hny1` NUL owner NUL target NUL salt), modulo 62^length; the
    /// salt is written in decimal ASCII without leading zeros, as `Display` does. Neither the id of a key nor a URL has a NUL.
    pub fn code(&self, owner: &str, target: &str, salt: u64) -> CodeText {
        let digest = Sha256::new()
            .chain_update(VERSION)
            .chain_update([0])
            .chain_update(owner)
            .chain_update([0])
            .chain_update(target)
            .chain_update([0])
            .chain_update(salt.to_string())
            .finalize();
        let number = first_16(&digest);
        let length = self.length.get();
        let code = base62::space(length).map_or(number, |space| number % space);
        base62::encode_u128_padded(code, length)
    }
}

/// The big-endian number of the first 16 bytes.
fn first_16(digest: &[u8]) -> u128 {
    digest.iter().take(16).fold(0, |number, &byte| number << 8 | u128::from(byte))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::HashCodes;
    use crate::LengthError;

    /// Computed apart from this crate, from the words of the recipe.
    #[test]
    fn follows_the_recipe() {
        let codes = |length, salt| HashCodes::new(length).unwrap().code("7", "https://example.com/", salt);
        assert_eq!([codes(7, 0), codes(7, 1), codes(7, 10)], ["LeWZl1s", "D89hjDw", "xJvthk9"]);
        assert_eq!(
            [codes(4, 0), codes(22, 0), codes(32, 0)],
            ["Zl1s", "6lx3hgOmQRaiIgXLeWZl1s", "00000000006lx3hgOmQRaiIgXLeWZl1s"]
        );
    }

    #[test]
    fn owner_target_and_salt_each_make_another_code() {
        let codes = HashCodes::new(7).unwrap();
        let all = [
            codes.code("1", "https://example.com/", 0),
            codes.code("2", "https://example.com/", 0),
            codes.code("1", "https://example.com/a", 0),
            codes.code("1", "https://example.com/", 1),
            codes.code("1h", "ttps://example.com/", 0),
            codes.code("", "https://example.com/", 0),
        ];
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        assert!(all.iter().all(|code| code.len() == 7));
    }

    #[test]
    fn the_length_is_checked() {
        assert_eq!(HashCodes::new(3), Err(LengthError { length: 3 }));
    }
}
