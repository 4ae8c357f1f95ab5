//! The text of a code, held inline.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use arrayvec::ArrayString;

const CAPACITY: usize = 64;

/// The text of a code: 0 to 64 ASCII bytes, kept inline, so that making or copying one never allocates.
///
/// It says nothing about the grammar of codes, only about size and ASCII; it reads as a `str`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CodeText(ArrayString<CAPACITY>);

/// Why a text cannot be a [`CodeText`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodeTextError {
    /// More than [`CodeText::CAPACITY`] bytes.
    #[error("a code has at most {} characters, not {length}", CodeText::CAPACITY)]
    TooLong {
        /// The length found, in bytes.
        length: usize,
    },
    /// A character outside ASCII.
    #[error("a code is plain ASCII; the character at position {position} is not")]
    NotAscii {
        /// The first such character, counted from 0.
        position: usize,
    },
}

impl CodeText {
    /// The most bytes a code can have.
    pub const CAPACITY: usize = CAPACITY;

    /// The text as a `str`.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Appends symbols of our own alphabets.
    ///
    /// # Panics
    ///
    /// When the text grows beyond [`Self::CAPACITY`]: every scheme bounds its length below that.
    #[inline]
    pub(crate) fn push_symbols(&mut self, symbols: &[u8]) {
        debug_assert!(symbols.is_ascii());
        for &symbol in symbols {
            self.0.push(char::from(symbol));
        }
    }
}

impl FromStr for CodeText {
    type Err = CodeTextError;

    fn from_str(text: &str) -> Result<Self, CodeTextError> {
        if let Some(position) = text.bytes().position(|byte| !byte.is_ascii()) {
            return Err(CodeTextError::NotAscii { position });
        }
        ArrayString::from(text).map(Self).map_err(|_| CodeTextError::TooLong { length: text.len() })
    }
}

impl Deref for CodeText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for CodeText {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

// Sound for maps: equality, order and hash of an `ArrayString` are those of its `str`.
impl Borrow<str> for CodeText {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for CodeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for CodeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq<str> for CodeText {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for CodeText {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{CodeText, CodeTextError};

    #[test]
    fn holds_up_to_its_capacity_and_reads_as_str() {
        let full = "a".repeat(CodeText::CAPACITY);
        let text: CodeText = full.parse().unwrap();
        assert_eq!(text, full.as_str());
        assert_eq!(text.to_string(), full);
        assert!("".parse::<CodeText>().unwrap().is_empty());
    }

    #[test]
    fn refuses_what_is_too_long_or_not_ascii() {
        let long = "a".repeat(65);
        assert_eq!(long.parse::<CodeText>(), Err(CodeTextError::TooLong { length: 65 }));
        assert_eq!("aé".parse::<CodeText>(), Err(CodeTextError::NotAscii { position: 1 }));
    }

    #[test]
    fn is_found_in_a_map_by_str() {
        let map = HashMap::from([("aB3".parse::<CodeText>().unwrap(), 1)]);
        assert_eq!(map.get("aB3"), Some(&1));
    }
}
