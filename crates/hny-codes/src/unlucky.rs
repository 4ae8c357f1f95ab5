//! Words that a generated code should not happen to show.

use std::collections::BTreeSet;

use aho_corasick::AhoCorasick;

#[cfg(test)]
mod tests;

/// Our own list; its header says where it comes from.
const WORDS: &str = include_str!("unlucky/words.txt");

/// A list of words, found in any case and in digits that are read as letters: `Sh1tXy` shows what it should not.
///
/// A generated code that shows one is made again; custom codes are their author's choice. With the default list that happens to
/// one of two hundred codes of 7 characters.
#[derive(Debug, Clone)]
pub struct Unlucky {
    /// Folded, so that two spellings are one word.
    words: BTreeSet<String>,
    matcher: AhoCorasick,
}

/// Why a word cannot be on the list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// So short that too many codes would show it.
    #[error("'{word}' is too short for an unlucky word; it needs at least {} characters", Unlucky::MIN_WORD)]
    TooShort {
        /// The word.
        word: String,
    },
    /// Generated codes are letters and digits, so this word could never be found.
    #[error("'{word}' can never be found in a code; an unlucky word is made of ASCII letters and digits")]
    Foreign {
        /// The word.
        word: String,
    },
}

impl Unlucky {
    /// The fewest characters of a word.
    pub const MIN_WORD: usize = 3;

    /// No words at all: every code is lucky.
    pub fn empty() -> Self {
        let words = BTreeSet::new();
        Self { matcher: matcher(&words), words }
    }

    /// Adds words of the operator's. If one of them is refused, none is added.
    pub fn extend<W: AsRef<str>>(&mut self, words: impl IntoIterator<Item = W>) -> Result<(), WordError> {
        let folded: BTreeSet<_> = words.into_iter().map(|word| checked(word.as_ref())).collect::<Result<_, _>>()?;
        self.words.extend(folded);
        self.matcher = matcher(&self.words);
        Ok(())
    }

    /// Whether `code` shows a word of the list. It may be any text; what is not ASCII matches nothing.
    pub fn contains_unlucky(&self, code: &str) -> bool {
        self.matcher.is_match(&folded(code))
    }
}

impl Default for Unlucky {
    /// The list that comes with this crate.
    fn default() -> Self {
        let words = list(WORDS).map(folded).collect();
        Self { matcher: matcher(&words), words }
    }
}

/// The words of a list: separated by white space, `#` begins a remark.
fn list(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split_once('#').map_or(line, |(words, _remark)| words)).flat_map(str::split_whitespace)
}

fn checked(word: &str) -> Result<String, WordError> {
    if !word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(WordError::Foreign { word: word.to_owned() });
    }
    if word.len() < Unlucky::MIN_WORD {
        return Err(WordError::TooShort { word: word.to_owned() });
    }
    Ok(folded(word))
}

fn folded(word: &str) -> String {
    word.bytes().map(|byte| char::from(fold(byte))).collect()
}

/// The letter that a reader sees: lower case, digits as the letters they stand for, and `l` as `i`, since `1` is read as both.
fn fold(byte: u8) -> u8 {
    match byte.to_ascii_lowercase() {
        b'0' => b'o',
        b'1' | b'l' => b'i',
        b'3' => b'e',
        b'4' => b'a',
        b'5' => b's',
        b'7' => b't',
        b'8' => b'b',
        b'9' => b'g',
        other => other,
    }
}

#[expect(clippy::expect_used, reason = "the matcher takes two thousand million states; a list is far from that")]
fn matcher(words: &BTreeSet<String>) -> AhoCorasick {
    AhoCorasick::new(words).expect("a list of words fits in memory")
}
