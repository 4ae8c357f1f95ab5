//! Where an entry is kept: a domain and a code, in sixteen bytes for all codes that we draw but the private ones.

use std::hash::{Hash, Hasher};
use std::mem::size_of_val;

use crate::allocation::allocated;
use hny_domain::{Code, DomainId};

/// As long may a code be that takes no allocation: a random one has 7 characters as a rule, one of Snowflake 11.
const SHORT: usize = 11;

/// A domain and a code, kept.
#[derive(Debug, Clone)]
pub struct Key(Kept);

/// Most codes are short.
#[derive(Debug, Clone)]
enum Kept {
    Short(Short),
    Long(Box<(DomainId, Code)>),
}

/// The code, filled up with NUL, and the number of the domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Short([u8; SHORT + 4]);

/// A domain and a text, only looked up: no allocation, and no check of the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sought<'a> {
    Short(Short),
    Long(DomainId, &'a str),
}

impl Key {
    /// The key of a code.
    pub fn new(domain: DomainId, code: &Code) -> Self {
        Self(match Short::new(domain, code.as_str()) {
            Some(short) => Kept::Short(short),
            None => Kept::Long(Box::new((domain, code.clone()))),
        })
    }

    /// The bytes of its allocations.
    pub(crate) fn bytes(&self) -> usize {
        match &self.0 {
            Kept::Short(_) => 0,
            // A code of more than 24 characters has a block of its own; counting one for all is near enough.
            Kept::Long(long) => allocated(size_of_val(&**long)) + allocated(long.1.as_str().len()),
        }
    }

    /// As it is looked up.
    pub(crate) fn sought(&self) -> Sought<'_> {
        match &self.0 {
            Kept::Short(short) => Sought::Short(*short),
            Kept::Long(long) => Sought::Long(long.0, long.1.as_str()),
        }
    }
}

impl Short {
    /// `None` for a text that is too long, or that ends with NUL as no code does: without its end it would be another text.
    fn new(domain: DomainId, text: &str) -> Option<Self> {
        let mut bytes = [0; SHORT + 4];
        let (code, number) = bytes.split_at_mut(SHORT);
        code.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        number.copy_from_slice(&domain.0.to_ne_bytes());
        (!text.ends_with('\0')).then_some(Self(bytes))
    }
}

impl<'a> Sought<'a> {
    /// What to look for. Two are equal if and only if domain and text are.
    pub(crate) fn new(domain: DomainId, text: &'a str) -> Self {
        Short::new(domain, text).map_or(Self::Long(domain, text), Self::Short)
    }
}

impl Hash for Sought<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Short(Short(bytes)) => state.write(bytes),
            Self::Long(domain, text) => (domain, text).hash(state),
        }
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sought().hash(state);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.sought() == other.sought()
    }
}

impl Eq for Key {}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, RandomState};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_key_has_sixteen_bytes() {
        assert_eq!(size_of::<Key>(), 16);
    }

    #[test]
    fn what_is_no_code_is_not_taken_for_one() {
        let key = Key::new(DomainId::BASE, &Code::parse("abc").unwrap());
        for text in ["abc\0", "abc\0\0\0\0\0\0\0\0", "\0abc", "ab", ""] {
            assert_ne!(Sought::new(DomainId::BASE, text), key.sought(), "{text:?}");
        }
        assert_ne!(Sought::new(DomainId::BASE, ""), Sought::new(DomainId::BASE, "\0"));
    }

    proptest! {
        /// Few characters and lengths about the border, so that equal ones, and those that differ in one place, are met.
        #[test]
        fn two_keys_are_equal_if_domain_and_code_are(
            (a, b) in (0_u32..2, 0_u32..2),
            (one, two) in ("[ab]{1,3}|a{8,16}|b{64}", "[ab]{1,3}|a{8,16}|b{64}"),
        ) {
            let key = Key::new(DomainId(a), &Code::parse(&one)?);
            let same = (a, &one) == (b, &two);
            prop_assert_eq!(Key::new(DomainId(b), &Code::parse(&two)?) == key, same);
            prop_assert_eq!(Sought::new(DomainId(b), &two) == key.sought(), same);
        }

        #[test]
        fn what_is_sought_hashes_like_what_is_kept(domain in any::<u32>(), code in "[0-9A-Za-z_-]{1,64}") {
            let (domain, hasher) = (DomainId(domain), RandomState::new());
            let kept = Key::new(domain, &Code::parse(&code)?);
            prop_assert_eq!(hasher.hash_one(&kept), hasher.hash_one(Sought::new(domain, &code)));
        }
    }
}
