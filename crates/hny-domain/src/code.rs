//! The code of a link: the part after the slash.
//!
//! This file is the whole answer to "what is a valid code?". Which valid codes nobody may *choose* is in [`crate::reserved`].

use std::fmt;
use std::str::FromStr;

use compact_str::CompactString;
use thiserror::Error;

/// The longest code, in characters (all of them ASCII, so also in bytes).
pub const MAX_LENGTH: usize = 64;

/// The same as a regular expression.
pub const PATTERN: &str = "^[0-9A-Za-z_-]{1,64}$";
/// The characters of a drawn code that is a secret by itself: 131 bits, more than anyone can try.
pub const PRIVATE_LENGTH: usize = 22;

/// The characters of the drawn code of a private link with a password, which is the secret then.
pub const GUARDED_LENGTH: usize = 10;

/// A code of 1 to 64 characters from `0-9 A-Z a-z _ -`, case-sensitive.
///
/// Up to 24 characters are kept in place, without an allocation: every generated code is.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(CompactString);

/// Why a text is not a code.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CodeError {
    /// There is no character at all.
    #[error("a code has 1 to {MAX_LENGTH} characters; this one is empty")]
    Empty,
    /// There are too many characters.
    #[error("a code has 1 to {MAX_LENGTH} characters; this one has {0}")]
    TooLong(usize),
    /// A character is outside the alphabet.
    #[error("a code is made of 0-9, A-Z, a-z, '_' and '-'; this one has {0:?}")]
    Character(char),
}

impl Code {
    /// Takes a text as a code, unchanged.
    pub fn parse(text: &str) -> Result<Self, CodeError> {
        if text.is_empty() {
            return Err(CodeError::Empty);
        }
        if let Some(foreign) = text.chars().find(|&c| !is_code_character(c)) {
            return Err(CodeError::Character(foreign));
        }
        if text.len() > MAX_LENGTH {
            return Err(CodeError::TooLong(text.len()));
        }
        Ok(Self(CompactString::new(text)))
    }

    /// The characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the code looks like in print: codes that a reader would confuse have the same.
    pub fn skeleton(&self) -> String {
        // A code is ASCII and short enough, which is all that a skeleton asks for.
        hny_codes::skeleton(&self.0).map_or_else(|_| self.0.to_string(), |skeleton| skeleton.to_string())
    }
}

/// Whether `text` could be a code: [`Code::parse`] without keeping it.
pub fn is_code(text: &[u8]) -> bool {
    (1..=MAX_LENGTH).contains(&text.len()) && text.iter().all(|&byte| is_code_byte(byte))
}

fn is_code_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

fn is_code_character(character: char) -> bool {
    u8::try_from(character).is_ok_and(is_code_byte)
}

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        Self::parse(text)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Code({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_grammar_has_64_characters_and_64_places() {
        let alphabet: String = ('\0'..='\x7f').filter(|&c| Code::parse(&c.to_string()).is_ok()).collect();
        assert_eq!(alphabet, "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");
        assert!(Code::parse(&"a".repeat(64)).is_ok());
        assert_eq!(Code::parse(&"a".repeat(65)), Err(CodeError::TooLong(65)));
        assert_eq!(Code::parse(""), Err(CodeError::Empty));
    }

    #[test]
    fn foreign_characters_are_named() {
        for (text, foreign) in [("a.b", '.'), ("🍞", '🍞'), ("a b", ' '), ("a\0", '\0'), ("ä", 'ä')] {
            assert_eq!(Code::parse(text), Err(CodeError::Character(foreign)), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn parsing_agrees_with_the_byte_test(text in "\\PC{0,70}|[0-9A-Za-z_-]{0,70}") {
            prop_assert_eq!(Code::parse(&text).is_ok(), is_code(text.as_bytes()));
        }

        #[test]
        fn a_code_comes_out_as_it_went_in(text in &PATTERN[1..PATTERN.len() - 1]) {
            let code = Code::parse(&text)?;
            prop_assert_eq!(code.as_str(), text);
        }
    }
}
