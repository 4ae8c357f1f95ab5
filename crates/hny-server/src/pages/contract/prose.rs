//! Sentences with code in them.

/// A text in which code stands between backticks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prose<'a>(pub(super) &'a str);

impl<'a> Prose<'a> {
    /// A text that may be missing.
    pub(super) fn of(text: Option<&'a String>) -> Self {
        Self(text.map_or("", String::as_str))
    }

    /// Whether there is nothing to say.
    pub(super) const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The pieces, and whether each is code.
    pub(super) fn pieces(self) -> impl Iterator<Item = (bool, &'a str)> {
        self.0.split('`').enumerate().map(|(place, piece)| (place % 2 == 1, piece))
    }
}

#[test]
fn code_is_told_from_words() {
    let pieces: Vec<_> = Prose("unset is `null`.").pieces().collect();
    assert_eq!(pieces, [(false, "unset is "), (true, "null"), (false, ".")]);
}
