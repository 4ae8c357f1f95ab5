//! What is committed beside an offset: which block begins there.

/// The block that begins at the offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plan {
    /// The offset behind its last message.
    pub(super) end: i64,
    /// When it was planned, in milliseconds. A topic that is made anew begins at the same offsets, with other clicks.
    pub(super) at: i64,
}

/// The first word of each, with the version.
const MARK: &str = "hny1";

impl Plan {
    pub(super) fn written(self) -> String {
        format!("{MARK} {} {}", self.end, self.at)
    }

    /// `Ok(None)` where nothing is planned; the error is that this is no plan.
    pub(super) fn read(text: &str) -> Result<Option<Self>, ()> {
        if text.is_empty() {
            return Ok(None);
        }
        let words: Vec<_> = text.split(' ').collect();
        match words.as_slice() {
            [MARK, end, at] => Ok(Some(Self { end: number(end)?, at: number(at)? })),
            _ => Err(()),
        }
    }

    /// The name of the block that begins at `from`: another for each, and always the same for one.
    pub(super) fn token(self, topic: &str, partition: i32, from: i64) -> String {
        format!("{topic}/{partition}/{from}-{}@{}", self.end, self.at)
    }
}

fn number(text: &str) -> Result<i64, ()> {
    text.parse().map_err(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let plan = Plan { end: i64::MAX, at: 1_700_000_000_123 };
        assert_eq!(plan.written(), "hny1 9223372036854775807 1700000000123");
        assert_eq!(Plan::read(&plan.written()), Ok(Some(plan)));
        assert_eq!(Plan::read(""), Ok(None));
        for text in ["hny2 1 2", "hny1 1", "hny1 1 2 3", "hny1 a 2", "x", " "] {
            assert_eq!(Plan::read(text), Err(()), "{text:?}");
        }
    }
}
