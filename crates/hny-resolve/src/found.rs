//! What was found under a code, as it is kept: all that a visit needs of the link, in one small allocation with the key in it.

use std::fmt;
use std::mem::size_of;

use hny_domain::{Lead, LinkId, Rules, Version};
use triomphe::ThinArc;

use crate::allocation::allocated;
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
    /// `None` are [`Rules::PLAIN`].
    rules: Option<Box<Rules>>,
    version: Version,
}

impl Found {
    /// A link, under its key.
    pub fn link(key: Key, Lead { link, target, rules, version }: Lead<'_>) -> Self {
        let rules = (rules != Rules::PLAIN).then(|| Box::new(rules));
        Self(ThinArc::from_header_and_slice(Head { key, link, rules, version }, target.as_bytes()))
    }

    /// Nothing: the cache keeps that there is no link, too, and it is not handed out. No target is empty, so this one says it.
    pub(crate) fn absence(key: Key) -> Self {
        Self::link(key, Lead { link: LinkId(0), target: "", rules: Rules::PLAIN, version: Version::default() })
    }

    /// Whether it is a link.
    pub(crate) fn is_link(&self) -> bool {
        !self.0.slice.is_empty()
    }

    /// Whether it is kept under that key.
    pub(crate) fn is_of(&self, sought: &Sought<'_>) -> bool {
        self.0.header.header.key.sought() == *sought
    }

    /// What a visit needs of the link.
    pub fn lead(&self) -> Lead<'_> {
        let Head { link, rules, version, .. } = &self.0.header.header;
        // It was text when it was put in. To check it anew costs far less than it cost to fetch it from memory.
        let target = std::str::from_utf8(&self.0.slice).unwrap_or_default();
        Lead { link: *link, target, rules: rules.as_deref().copied().unwrap_or(Rules::PLAIN), version: *version }
    }

    /// The bytes of its allocations.
    pub(crate) fn bytes(&self) -> usize {
        let Head { key, rules, .. } = &self.0.header.header;
        // How many hold it, the head, the length of the text, the text.
        let block = size_of::<usize>() + size_of::<Head>() + size_of::<usize>() + self.0.slice.len();
        let rules = rules.as_ref().map_or(0, |_| allocated(size_of::<Rules>()));
        allocated(block) + rules + key.bytes()
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
        for rules in [Rules::PLAIN, some_rules] {
            for target in ["https://example.com/?a=%2F#b", "https://example.com/grün"] {
                let lead = Lead { link: LinkId(7), target, rules, version: Version(3) };
                let found = Found::link(key(), lead);
                assert!(found.is_link());
                assert_eq!(found.lead(), lead);
            }
        }
        assert!(!Found::absence(key()).is_link());
    }

    #[test]
    fn a_target_does_not_slip_into_a_log() {
        let lead =
            Lead { link: LinkId(7), target: "https://example.com/secret", rules: Rules::PLAIN, version: Version(3) };
        assert_eq!(format!("{:?}", Found::link(key(), lead)), "Found { link: LinkId(7), .. }");
    }

    #[test]
    fn a_plain_link_takes_seven_words_above_its_target() {
        let bytes = |length: usize, rules| {
            let target = "a".repeat(length);
            Found::link(key(), Lead { link: LinkId(7), target: &target, rules, version: Version(3) }).bytes()
        };
        assert_eq!((size_of::<Option<Found>>(), size_of::<Head>()), (8, 40));
        assert_eq!(bytes(24, Rules::PLAIN), 7 * size_of::<usize>() + 24);
        assert!(bytes(24, Rules { active: false, ..Rules::PLAIN }) > bytes(24, Rules::PLAIN));
    }
}
