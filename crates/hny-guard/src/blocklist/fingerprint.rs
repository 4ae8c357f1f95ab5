//! What is kept of a rule: not its text, but a mark that no other text has.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use siphasher::sip128::{Hasher128 as _, SipHasher13};

use super::rule::BlockRule;

/// The mark of a rule: 96 of the bits of a keyed hash.
///
/// Of a million marks one in 8 × 10^22 texts that are no rule has one by chance, and as the key is secret nobody can look for such
/// a text. At a hundred thousand visits a second, ten questions each, that is one visit in two billion years.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Fingerprint {
    /// Its place among all.
    pub(super) place: u32,
    /// The rest.
    pub(super) rest: [u32; 2],
}

/// What a text is asked as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A host and all below it.
    Domain = 1,
    /// A URL.
    Url = 2,
}

/// Makes marks, by a key of this process.
#[derive(Debug, Clone)]
pub(super) struct Marker(SipHasher13);

impl Marker {
    pub(super) fn new() -> Self {
        // The standard library's only way to randomness: two numbers that nobody can foresee.
        let secret = RandomState::new();
        Self(SipHasher13::new_with_keys(secret.hash_one(0_u8), secret.hash_one(1_u8)))
    }

    /// The mark of a text that is written in these parts.
    pub(super) fn mark(&self, kind: Kind, parts: &[&str]) -> Fingerprint {
        let mut hasher = self.0;
        hasher.write_u8(kind as u8);
        for part in parts {
            hasher.write(part.as_bytes());
        }
        let hash = hasher.finish128();
        let word = |bits: u64| u32::try_from(bits & u64::from(u32::MAX)).unwrap_or_default();
        Fingerprint { place: word(hash.h1 >> 32), rest: [word(hash.h1), word(hash.h2)] }
    }

    /// The mark of a rule.
    pub(super) fn of(&self, rule: &BlockRule) -> Fingerprint {
        match rule {
            BlockRule::Domain(text) => self.mark(Kind::Domain, &[text]),
            BlockRule::Url(text) => self.mark(Kind::Url, &[text]),
        }
    }
}
