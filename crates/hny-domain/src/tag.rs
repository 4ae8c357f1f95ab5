//! Tags: words to find links by.

use std::fmt;

use thiserror::Error;

/// How many tags a link may have.
pub const MOST: usize = 20;

/// The longest tag, in characters.
pub const MAX_LENGTH: usize = 64;

/// A word to find links by: 1 to 64 characters, none of them a control character, no blanks around it. Two are the same if their
/// bytes are.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag(Box<str>);

/// Why a text is not a tag, or why these are not the tags of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TagError {
    /// Nothing there, or nothing but blanks.
    #[error("a tag has at least one character that is not a blank")]
    Empty,
    /// Too many characters.
    #[error("a tag has at most {MAX_LENGTH} characters; this one has {0}")]
    TooLong(usize),
    /// A line end, a tabulator, a NUL or the like.
    #[error("a tag may not contain control characters")]
    Control,
    /// Too many of them.
    #[error("a link has at most {MOST} tags; these are {0}")]
    TooMany(usize),
}

impl Tag {
    /// Takes a text as a tag; blanks around it do not count.
    pub fn parse(text: &str) -> Result<Self, TagError> {
        let text = text.trim();
        let length = text.chars().count();
        match length {
            0 => Err(TagError::Empty),
            _ if length > MAX_LENGTH => Err(TagError::TooLong(length)),
            _ if text.contains(char::is_control) => Err(TagError::Control),
            _ => Ok(Self(text.into())),
        }
    }

    /// Takes texts as the tags of a link, in their order; one that is there twice is there once. An error comes with the number of
    /// the text that it is about, if it is about one.
    pub fn parse_all(texts: &[String]) -> Result<Vec<Self>, (Option<usize>, TagError)> {
        let mut tags = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            let tag = Self::parse(text).map_err(|error| (Some(number), error))?;
            if !tags.contains(&tag) {
                tags.push(tag);
            }
            if tags.len() > MOST {
                return Err((None, TagError::TooMany(texts.len())));
            }
        }
        Ok(tags)
    }

    /// A tag that was checked when it was stored.
    pub fn from_stored(text: String) -> Self {
        Self(text.into_boxed_str())
    }

    /// The word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_a_word_or_some() {
        for (text, tag) in [("news", "news"), (" spring sale\n", "spring sale"), ("Grün", "Grün"), ("🍯", "🍯")] {
            assert_eq!(Tag::parse(text).unwrap().as_str(), tag);
        }
        assert_ne!(Tag::parse("News"), Tag::parse("news"));
        assert!(Tag::parse(&"ü".repeat(64)).is_ok());
        for (text, error) in [
            ("", TagError::Empty),
            (" \t", TagError::Empty),
            ("a\nb", TagError::Control),
            ("a\0b", TagError::Control),
            (&"a".repeat(65), TagError::TooLong(65)),
        ] {
            assert_eq!(Tag::parse(text), Err(error), "{text:?}");
        }
    }

    #[test]
    fn a_link_has_each_tag_once_and_at_most_twenty() {
        let texts = |count: usize| (0..count).map(|number| number.to_string()).collect::<Vec<_>>();
        assert_eq!(Tag::parse_all(&texts(20)).unwrap().len(), 20);
        assert_eq!(Tag::parse_all(&texts(21)), Err((None, TagError::TooMany(21))));
        let twice = ["b", "a", " b "].map(str::to_owned);
        assert_eq!(Tag::parse_all(&twice), Ok(vec![Tag::parse("b").unwrap(), Tag::parse("a").unwrap()]));
        assert_eq!(Tag::parse_all(&["a".to_owned(), String::new()]), Err((Some(1), TagError::Empty)));
    }
}
