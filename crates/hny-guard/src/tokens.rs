//! Tokens: what opens a link without its password, for a time.

use hmac::{Hmac, KeyInit, Mac};
use hny_domain::{LinkId, PasswordHash, Timestamp};
use sha2::{Digest, Sha256};

/// A token: when it ends, and a signature that nobody can make who does not have the hash of the link's password.
///
/// The hash has 128 random bits of salt in it that never leave the database, so it is a key that all nodes have and that goes
/// when the password does: a token of a password that was changed or taken away opens nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// From this instant on it opens nothing.
    expires_at: Timestamp,
    signature: [u8; SIGNATURE],
}

/// The bytes of a signature, all that HMAC-SHA-256 gives.
const SIGNATURE: usize = 32;

/// The characters of a token: two for each byte of its end and of its signature.
const LENGTH: usize = 2 * (8 + SIGNATURE);

/// The digits of bytes.
const DIGITS: &[u8; 16] = b"0123456789abcdef";

impl Token {
    /// A token for a link with a password, until `expires_at`.
    pub fn sign(link: LinkId, password: &PasswordHash, expires_at: Timestamp) -> Self {
        let signature = mac(link, password, expires_at).finalize().into_bytes().into();
        Self { expires_at, signature }
    }

    /// Whether it opens this link, which has this password, at `now`. The signature is compared in the same time, whatever of it is wrong.
    pub fn opens(&self, link: LinkId, password: &PasswordHash, now: Timestamp) -> bool {
        let is_signed = mac(link, password, self.expires_at).verify_slice(&self.signature).is_ok();
        is_signed && now < self.expires_at
    }

    /// The token in this text; `None` when there is none.
    pub fn read(text: &str) -> Option<Self> {
        if text.len() != LENGTH {
            return None;
        }
        let bytes: Vec<u8> = text.as_bytes().chunks(2).map(byte).collect::<Option<_>>()?;
        let (end, signature) = bytes.split_first_chunk()?;
        let expires_at = Timestamp::from_millis(i64::from_be_bytes(*end));
        Some(Self { expires_at, signature: signature.try_into().ok()? })
    }

    /// The text of it: letters and digits.
    pub fn write(&self) -> String {
        let end = self.expires_at.as_millis().to_be_bytes();
        let digit = |number: u8| char::from(DIGITS[usize::from(number)]);
        end.iter().chain(&self.signature).flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }
}

/// The byte that two digits stand for, small ones only: a token has one spelling.
fn byte(digits: &[u8]) -> Option<u8> {
    let value = |digit: &u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let [high, low] = digits else { return None };
    Some(value(high)? << 4 | value(low)?)
}

fn mac(link: LinkId, password: &PasswordHash, expires_at: Timestamp) -> Hmac<Sha256> {
    let key = Sha256::new_with_prefix("hny token").chain_update(password.as_str()).finalize();
    #[expect(clippy::expect_used, reason = "HMAC takes keys of every length")]
    let mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key of any length");
    mac.chain_update(link.0.to_be_bytes()).chain_update(expires_at.as_millis().to_be_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LINK: LinkId = LinkId(7);
    fn password() -> PasswordHash {
        PasswordHash::new("$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaA")
    }

    fn another() -> PasswordHash {
        PasswordHash::new("$argon2id$v=19$m=19456,t=2,p=1$b3RoZXJzYWx0c2FsdHNhbHQ$aGFzaA")
    }

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    #[test]
    fn a_token_opens_its_link_until_its_end() {
        let token = Token::sign(LINK, &password(), at(1_000));
        assert_eq!(Token::read(&token.write()), Some(token));
        assert!(token.opens(LINK, &password(), at(999)));
        assert!(!token.opens(LINK, &password(), at(1_000)));
        assert!(!token.opens(LinkId(8), &password(), at(0)), "another link");
        assert!(!token.opens(LINK, &another(), at(0)));
    }

    #[test]
    fn nobody_can_put_off_its_end() {
        let text = Token::sign(LINK, &password(), at(1_000)).write();
        let later = Token::sign(LINK, &another(), at(2_000)).write();
        let forged = Token::read(&format!("{}{}", &later[..16], &text[16..])).unwrap();
        assert!(!forged.opens(LINK, &password(), at(0)));
    }

    #[test]
    fn a_token_with_any_character_changed_opens_nothing() {
        let text = Token::sign(LINK, &password(), at(1_000)).write();
        for place in 0..text.len() {
            for other in ["0", "f", "F", "é", "", " "] {
                let mut changed = text.clone();
                changed.replace_range(place..=place, other);
                let opens = Token::read(&changed).is_some_and(|token| token.opens(LINK, &password(), at(0)));
                assert!(changed == text || !opens, "{changed}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,90}|[0-9a-f]{78,82}") {
            let opens = Token::read(&text).is_some_and(|token| token.opens(LINK, &password(), at(0)));
            prop_assert!(!opens);
        }
    }
}
