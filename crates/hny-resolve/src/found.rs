//! What is kept of a link: all that a visit needs of it, in one small allocation.

use std::fmt;
use std::mem::{size_of, size_of_val};

use hny_domain::{Lead, LinkId, Rules};
use triomphe::{Arc, HeaderSlice};

use crate::weight::allocated;

/// A link that was found. Cheap to clone; all clones are the same one.
///
/// Millions of them are kept. So there is one block for each, with the text of the target behind the rest, and no rules for
/// the many links that have none.
#[derive(Clone, PartialEq, Eq)]
pub struct Found(Arc<HeaderSlice<Header, str>>);

#[derive(Clone, PartialEq, Eq)]
struct Header {
    link: LinkId,
    /// `None` are [`Rules::PLAIN`].
    rules: Option<Box<Rules>>,
}

impl Found {
    /// What a visit needs of the link.
    pub fn lead(&self) -> Lead<'_> {
        let HeaderSlice { header, slice: target } = &*self.0;
        let rules = header.rules.as_deref().copied().unwrap_or(Rules::PLAIN);
        Lead { link: header.link, target, rules }
    }

    /// The bytes of its allocations.
    pub(crate) fn bytes(&self) -> usize {
        let counter = size_of::<usize>();
        let rules = self.0.header.rules.as_ref().map_or(0, |_| allocated(size_of::<Rules>()));
        allocated(counter + size_of_val(&*self.0)) + rules
    }
}

impl From<Lead<'_>> for Found {
    fn from(Lead { link, target, rules }: Lead<'_>) -> Self {
        let rules = (rules != Rules::PLAIN).then(|| Box::new(rules));
        Self(Arc::from_header_and_str(Header { link, rules }, target))
    }
}

impl fmt::Debug for Found {
    /// Without the target, which is nobody's but its owner's, and does not slip into a log by way of `{:?}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found").field("link", &self.0.header.link).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use hny_domain::Timestamp;

    use super::*;

    #[test]
    fn a_lead_comes_out_as_it_went_in() {
        let some_rules = Rules { active: false, expires_at: Some(Timestamp::from_millis(1)), ..Rules::PLAIN };
        for rules in [Rules::PLAIN, some_rules] {
            for target in ["https://example.com/?a=%2F#b", "https://example.com/grün", ""] {
                let lead = Lead { link: LinkId(7), target, rules };
                assert_eq!(Found::from(lead).lead(), lead);
            }
        }
    }

    #[test]
    fn a_target_does_not_slip_into_a_log() {
        let lead = Lead { link: LinkId(7), target: "https://example.com/secret", rules: Rules::PLAIN };
        assert_eq!(format!("{:?}", Found::from(lead)), "Found { link: LinkId(7), .. }");
    }

    #[test]
    fn a_plain_link_takes_three_words_above_its_target() {
        let bytes = |length: usize, rules| {
            let target = "a".repeat(length);
            Found::from(Lead { link: LinkId(7), target: &target, rules }).bytes()
        };
        assert_eq!(bytes(8, Rules::PLAIN), 3 * size_of::<usize>() + 8);
        assert!(bytes(8, Rules { active: false, ..Rules::PLAIN }) > bytes(8, Rules::PLAIN));
    }
}
