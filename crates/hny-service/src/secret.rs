//! How an API key is written: `hny_7_<30 characters of secret><6 characters of checksum>`.
//!
//! The number finds the key in the store, the secret (178 random bits) is compared by its hash, and the checksum tells a typing
//! error from a revoked key without asking the store; scanners for leaked secrets can use it too.

use hny_codes::{Alphabet, RandomCodes, base62};
use hny_domain::KeyId;
use sha2::{Digest, Sha256};

use crate::randomness::Randomness;

const PREFIX: &str = "hny_";
const SECRET_LENGTH: usize = 30;
const CHECKSUM_LENGTH: usize = 6;

/// The secret part of a key.
pub(crate) struct Secret(String);

impl Secret {
    /// Draws a new one.
    pub(crate) fn draw(randomness: &Randomness) -> Self {
        #[expect(clippy::expect_used, reason = "the length is a constant within the bounds")]
        let codes = RandomCodes::new(Alphabet::Base62, SECRET_LENGTH).expect("30 is a length of random codes");
        Self(randomness.draw(codes).to_string())
    }

    /// What the store keeps. A plain hash is enough: there is nothing to guess in 178 random bits.
    pub(crate) fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }

    /// The whole key, to be shown once.
    pub(crate) fn write(&self, id: KeyId) -> String {
        let front = format!("{PREFIX}{id}_{}", self.0);
        let checksum = checksum(&front);
        front + &checksum
    }
}

/// Takes a key apart; `None` when it is not one of ours or was mistyped.
pub(crate) fn read(text: &str) -> Option<(KeyId, Secret)> {
    let (front, given) = text.split_at_checked(text.len().checked_sub(CHECKSUM_LENGTH)?)?;
    let (id, secret) = front.strip_prefix(PREFIX)?.split_once('_')?;
    let well_formed = secret.len() == SECRET_LENGTH && id.bytes().all(|byte| byte.is_ascii_digit());
    if !well_formed || checksum(front) != given {
        return None;
    }
    Some((KeyId(id.parse().ok()?), Secret(secret.to_owned())))
}

fn checksum(front: &str) -> String {
    base62::encode_padded(u64::from(crc32fast::hash(front.as_bytes())), CHECKSUM_LENGTH).to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    #[test]
    fn a_key_is_read_as_it_was_written() {
        let secret = Secret::draw(&Randomness::new(StdRng::seed_from_u64(1)));
        let text = secret.write(KeyId(42));
        let (id, read) = read(&text).unwrap();
        assert_eq!((id, read.hash()), (KeyId(42), secret.hash()));
        assert!(text.starts_with("hny_42_") && text.len() == 7 + 36, "{text}");
    }

    #[test]
    fn a_key_with_any_one_character_changed_is_no_key() {
        let text = Secret::draw(&Randomness::new(StdRng::seed_from_u64(2))).write(KeyId(7));
        for place in 0..text.len() {
            for other in ["x", "0", " ", "_", "", "é"] {
                let mut changed = text.clone();
                changed.replace_range(place..=place, other);
                assert!(changed == text || read(&changed).is_none(), "{changed}");
            }
        }
        for changed in [text.to_uppercase(), format!("{text} "), format!(" {text}"), text[..text.len() - 1].to_owned()]
        {
            assert!(read(&changed).is_none(), "{changed}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(hny_)?\\PC{0,60}") {
            prop_assert!(read(&text).is_none());
        }
    }
}
