//! What is kept of a rule: not its text, but a mark that no other text has.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::ops::RangeInclusive;

use siphasher::sip128::{Hasher128 as _, SipHasher13};

use super::rule::BlockRule;

/// The mark of a rule: 96 of the bits of a keyed hash.
///
/// Of a million marks one in 8 × 10^22 hosts that are in no rule has one by chance, and as the key is secret nobody can look for such
/// a host. A URL shares its place with the rules for its own host, so 64 bits tell it from those: of a thousand such rules, one in
/// 2 × 10^16 URLs has one by chance. A link asks once after each change of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Fingerprint {
    /// Its place among all, which is that of its host: who looks for a domain sees whether there are rules for its URLs.
    pub(super) place: u32,
    /// The rest.
    pub(super) rest: [u32; 2],
}

impl Fingerprint {
    /// The least and the greatest that have this place.
    pub(super) fn all_at(place: u32) -> RangeInclusive<Self> {
        Self { place, rest: [0; 2] }..=Self { place, rest: [u32::MAX; 2] }
    }
}

/// What a text is asked as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
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

    /// The mark of a host and all below it.
    pub(super) fn domain(&self, host: &str) -> Fingerprint {
        let (place, rest) = halves(&self.begin(Kind::Domain, host));
        Fingerprint { place, rest }
    }

    /// The marks of the URLs of a host.
    pub(super) fn urls(&self, host: &str) -> UrlMarker {
        UrlMarker { place: self.domain(host).place, hasher: self.begin(Kind::Url, host) }
    }

    /// The mark of a rule.
    pub(super) fn of(&self, rule: &BlockRule) -> Fingerprint {
        match rule {
            BlockRule::Domain(host) => self.domain(host),
            BlockRule::Url(url) => {
                let (host, rest) = url.split_at(url.find('/').unwrap_or(url.len()));
                let mut urls = self.urls(host);
                urls.push(rest);
                urls.mark()
            }
        }
    }

    fn begin(&self, kind: Kind, host: &str) -> SipHasher13 {
        let mut hasher = self.0;
        hasher.write_u8(kind as u8);
        hasher.write(host.as_bytes());
        hasher
    }
}

/// Makes the marks of one URL after the other, of which each is longer than the one before: what they begin with is hashed once.
#[derive(Debug, Clone, Copy)]
pub(super) struct UrlMarker {
    place: u32,
    hasher: SipHasher13,
}

impl UrlMarker {
    /// Goes on with this text.
    pub(super) fn push(&mut self, text: &str) {
        self.hasher.write(text.as_bytes());
    }

    /// The mark of the URL up to here.
    pub(super) fn mark(&self) -> Fingerprint {
        Fingerprint { place: self.place, rest: halves(&self.hasher).1 }
    }
}

fn halves(hasher: &SipHasher13) -> (u32, [u32; 2]) {
    let hash = hasher.finish128();
    let word = |bits: u64| u32::try_from(bits & u64::from(u32::MAX)).unwrap_or_default();
    (word(hash.h1 >> 32), [word(hash.h1), word(hash.h2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_and_the_kind_matter() {
        let (marker, other) = (Marker::new(), Marker::new());
        let mark = marker.domain("evil.example");
        assert_ne!(mark, other.domain("evil.example"));
        let url = marker.urls("evil.example").mark();
        assert_ne!(mark, url);
        assert_eq!(mark.place, url.place, "all about a host is in one place");
        assert_ne!(mark.place, marker.domain("example").place);
    }

    #[test]
    fn the_text_of_a_url_counts_and_not_its_parts() {
        let marker = Marker::new();
        let mark = |host: &str, parts: &[&str]| {
            let mut urls = marker.urls(host);
            for part in parts {
                urls.push(part);
            }
            urls.mark()
        };
        let rule = marker.of(&BlockRule::parse("evil.example/a/b?c").unwrap());
        assert_eq!(mark("evil.example", &["/", "a/", "b", "?", "c"]), rule);
        assert_eq!(mark("evil.example", &["/a/b?c"]), rule);
        assert_ne!(mark("evil.example", &["/a/b?"]), rule);
    }
}
