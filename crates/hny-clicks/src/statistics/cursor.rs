//! How far a list of clicks was read.

use std::fmt;
use std::str::FromStr;

use hny_domain::{Click, ClickId, Timestamp};
use thiserror::Error;

/// Behind which click the next page begins, as a text that nobody needs to understand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    at: Timestamp,
    id: ClickId,
}

/// The text is no cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("it is the 'next' of the page before, as it was")]
pub struct CursorError;

impl Cursor {
    /// The one behind a click.
    pub const fn of(click: &Click) -> Self {
        Self { at: click.at, id: click.id }
    }

    /// The place in the order of clicks.
    pub(super) const fn position(self) -> (Timestamp, ClickId) {
        (self.at, self.id)
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}-{:x}", self.at.as_millis(), self.id.0)
    }
}

impl FromStr for Cursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<Self, CursorError> {
        let parts = text
            .split_once('-')
            .and_then(|(at, id)| Some((i64::from_str_radix(at, 16).ok()?, u64::from_str_radix(id, 16).ok()?)));
        let (at, id) = parts.ok_or(CursorError)?;
        let cursor = Self { at: Timestamp::from_millis(at), id: ClickId(id) };
        // One click has one cursor: no signs, no capitals, no zeros before.
        if cursor.to_string() == text { Ok(cursor) } else { Err(CursorError) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_cursor_is_refused() {
        for text in ["", "-", "1", "1-", "-1", "+1-1", "1-+1", "01-1", "A-1", "1-1-1", "1-1 ", "10000000000000000-1"] {
            assert_eq!(text.parse::<Cursor>(), Err(CursorError), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_cursor_is_read_back(at in 0_i64.., id in any::<u64>()) {
            let cursor = Cursor { at: Timestamp::from_millis(at), id: ClickId(id) };
            prop_assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }

        #[test]
        fn no_text_panics(text in "[-+0-9a-f]{0,40}|\\PC{0,8}") {
            let _ = text.parse::<Cursor>();
        }
    }
}
