//! What all our keys begin with.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

/// What all our keys and channels begin with, so that several installations, or other programs, can share one Redis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix(Arc<str>);

/// Why a text is no prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be 1 to 64 letters, digits and any of : . _ - /, such as hny:")]
pub struct PrefixError;

impl Prefix {
    /// Reads a prefix.
    pub fn parse(text: &str) -> Result<Self, PrefixError> {
        let is_right = |c: char| c.is_ascii_alphanumeric() || ":._-/".contains(c);
        if (1..=64).contains(&text.len()) && text.chars().all(is_right) {
            Ok(Self(text.into()))
        } else {
            Err(PrefixError)
        }
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[test]
fn a_prefix_is_short_and_plain() {
    for text in ["hny:", "a", "team-1/links.hny_"] {
        assert_eq!(Prefix::parse(text).map(|prefix| prefix.to_string()), Ok(text.to_owned()));
    }
    for text in ["", "hny*", "hny {a}", "grün:", &"a".repeat(65)] {
        assert_eq!(Prefix::parse(text), Err(PrefixError), "{text:?}");
    }
}
