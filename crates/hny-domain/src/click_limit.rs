//! How often a link may be followed.

use thiserror::Error;

/// The number is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a link may be followed 1 to {} times; leave maxClicks out for no limit", u32::MAX)]
pub struct ClickLimitError;

/// Takes a number as a limit. There is no limit of 0: a link that nobody may follow is switched off by `active`.
pub fn check(number: i64) -> Result<u32, ClickLimitError> {
    u32::try_from(number).ok().filter(|number| *number > 0).ok_or(ClickLimitError)
}

#[test]
fn a_limit_is_at_least_one() {
    assert_eq!((check(1), check(4_294_967_295)), (Ok(1), Ok(u32::MAX)));
    for number in [0, -1, 4_294_967_296, i64::MIN, i64::MAX] {
        assert_eq!(check(number), Err(ClickLimitError), "{number}");
    }
}
