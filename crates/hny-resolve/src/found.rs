//! What was found under a code, as it is kept: all that a visit needs of the link, in one small allocation with the key in it.

use std::fmt;
use std::mem::size_of;

use hny_domain::{Lead, LinkId, Rules, Version};
use triomphe::ThinArc;

use crate::allocation::allocated;
use crate::clearance::Clearance;
use crate::key::{Key, Sought};

/// A link that was found. Cheap to clone; all clones are the same one.
///
/// Millions of them are kept. So there is one block for each, with the text of the target behind the rest, and no rules for
/// the many links that have none.
#[derive(Clone, PartialEq, Eq)]
pub struct Found(ThinArc<Head, u8>);

/// What stands before the text of the target.
#[derive(PartialEq, Eq)]
struct Head {
    key: Key,
    link: LinkId,
    /// `None` is a link with [`Rules::PLAIN`] and nothing else.
    rare: Option<Box<Rare>>,
    version: Version,
    clearance: Clearance,
}

/// What few links have.
#[derive(PartialEq, Eq)]
struct Rare {
    rules: Rules,
    expired_url: Option<Box<str>>,
}

impl Found {
    /// A link, under its key.
    pub fn link(key: Key, Lead { link, target, expired_url, rules, version }: Lead<'_>) -> Self {
        let is_plain = rules == Rules::PLAIN && expired_url.is_none();
        let rare = (!is_plain).then(|| Box::new(Rare { rules, expired_url: expired_url.map(Into::into) }));
        Self(ThinArc::from_header_and_slice(
            Head { key, link, rare, version, clearance: Clearance::default() },
            target.as_bytes(),
        ))
    }

    /// Nothing: the cache keeps that there is no link, too, and it is not handed out. No target is empty, so this one says it.
    pub(crate) fn absence(key: Key) -> Self {
        let (link, rules, version) = (LinkId(0), Rules::PLAIN, Version::default());
        Self::link(key, Lead { link, target: "", expired_url: None, rules, version })
    }

    /// Whether it is a link.
    pub(crate) fn is_link(&self) -> bool {
        !self.0.slice.is_empty()
    }

    /// Whether it is kept under that key.
    pub(crate) fn is_of(&self, sought: &Sought<'_>) -> bool {
        self.0.header.header.key.sought() == *sought
    }

    /// What was noted of whether it may be followed, by whoever looked; all clones have the same note.
    pub fn clearance(&self) -> &Clearance {
        &self.0.header.header.clearance
    }

    /// Under which rules, without a look at the target.
    pub fn rules(&self) -> Rules {
        self.0.header.header.rare.as_ref().map_or(Rules::PLAIN, |rare| rare.rules)
    }

    /// What a visit needs of the link.
    pub fn lead(&self) -> Lead<'_> {
        let Head { link, rare, version, .. } = &self.0.header.header;
        // It was text when it was put in. To check it anew costs far less than it cost to fetch it from memory.
        let target = std::str::from_utf8(&self.0.slice).unwrap_or_default();
        let (rules, expired_url) = match rare {
            None => (Rules::PLAIN, None),
            Some(rare) => (rare.rules, rare.expired_url.as_deref()),
        };
        Lead { link: *link, target, expired_url, rules, version: *version }
    }

    /// The bytes of its allocations.
    pub(crate) fn bytes(&self) -> usize {
        let Head { key, rare, .. } = &self.0.header.header;
        // How many hold it, the head, the length of the text, the text.
        let block = size_of::<usize>() + size_of::<Head>() + size_of::<usize>() + self.0.slice.len();
        allocated(block) + rare.as_deref().map_or(0, Rare::bytes) + key.bytes()
    }
}

impl Rare {
    /// The bytes of its allocations.
    fn bytes(&self) -> usize {
        allocated(size_of::<Self>()) + self.expired_url.as_ref().map_or(0, |url| allocated(url.len()))
    }
}

impl fmt::Debug for Found {
    /// Without the target, which is nobody's but its owner's, and does not slip into a log by way of `{:?}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found").field("link", &self.0.header.header.link).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use hny_domain::{Code, DomainId, Timestamp};

    use super::*;

    fn key() -> Key {
        Key::new(DomainId::BASE, &Code::parse("abc").unwrap())
    }

    #[test]
    fn a_lead_comes_out_as_it_went_in() {
        let some_rules = Rules { active: false, expires_at: Some(Timestamp::from_millis(1)), ..Rules::PLAIN };
        let over = Some("https://example.com/over");
        for (rules, expired_url) in [(Rules::PLAIN, None), (some_rules, None), (some_rules, over), (Rules::PLAIN, over)]
        {
            for target in ["https://example.com/?a=%2F#b", "https://example.com/grün"] {
                let lead = Lead { link: LinkId(7), target, expired_url, rules, version: Version(3) };
                let found = Found::link(key(), lead);
                assert!(found.is_link());
                assert_eq!(found.lead(), lead);
            }
        }
        assert!(!Found::absence(key()).is_link());
    }

    #[test]
    fn a_target_does_not_slip_into_a_log() {
        let (target, version) = ("https://example.com/secret", Version(3));
        let lead = Lead { link: LinkId(7), target, expired_url: Some(target), rules: Rules::PLAIN, version };
        assert_eq!(format!("{:?}", Found::link(key(), lead)), "Found { link: LinkId(7), .. }");
    }

    #[test]
    fn a_plain_link_takes_eight_words_above_its_target() {
        let bytes = |length: usize, rules| {
            let target = "a".repeat(length);
            Found::link(key(), Lead { link: LinkId(7), target: &target, expired_url: None, rules, version: Version(3) })
                .bytes()
        };
        assert_eq!((size_of::<Option<Found>>(), size_of::<Head>()), (8, 48));
        // A target with which they fill what an allocator gives.
        assert_eq!(bytes(32, Rules::PLAIN), size_of::<[usize; 8]>() + 32);
        assert!(bytes(32, Rules { active: false, ..Rules::PLAIN }) > bytes(32, Rules::PLAIN));
    }
}
