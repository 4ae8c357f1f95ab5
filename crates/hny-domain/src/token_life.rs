//! How long a token for a link holds.

use std::time::Duration;

use crate::draft::check_expiry;
use crate::field::Problems;
use crate::{FieldError, Timestamp};

/// A year: what is given away for longer is given away for good.
pub const LONGEST: Duration = Duration::from_hours(366 * 24);

/// What a caller sent, unchecked: one of the two.
#[derive(Debug, Clone, Copy, Default)]
pub struct TokenInput<'a> {
    /// `expiresAt`, RFC 3339.
    pub expires_at: Option<&'a str>,
    /// `expiresIn`, in seconds.
    pub expires_in: Option<i64>,
}

impl TokenInput<'_> {
    /// When the token shall end; what is wrong comes back.
    pub fn check(self, now: Timestamp) -> Result<Timestamp, Vec<FieldError>> {
        let mut problems = Problems::default();
        let (field, end) = match (self.expires_at, self.expires_in) {
            (Some(text), None) => ("expiresAt", check_expiry(text, now, &mut problems)),
            (None, Some(seconds)) => ("expiresIn", check_seconds(seconds, now, &mut problems)),
            (None, None) => {
                problems.note("expiresIn", "it is required, unless expiresAt is given: after how many seconds it ends");
                return problems.finish(None);
            }
            (Some(_), Some(_)) => {
                problems.note("expiresAt", "there is an expiresIn too; give one of the two");
                problems.note("expiresIn", "there is an expiresAt too; give one of the two");
                return problems.finish(None);
            }
        };
        if end.is_some_and(|end| end > now.after(LONGEST)) {
            problems.note(field, "a token holds for a year (366 days) at most");
        }
        problems.finish(end)
    }
}

fn check_seconds(seconds: i64, now: Timestamp, problems: &mut Problems) -> Option<Timestamp> {
    if let Ok(seconds @ 1..) = u64::try_from(seconds) {
        // More than a century is more than a year.
        return Some(now.after(Duration::from_secs(seconds.min(1 << 32))));
    }
    problems.note("expiresIn", "it must be 1 or more");
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expires_at: Option<&str>, expires_in: Option<i64>) -> Result<String, String> {
        let now = Timestamp::parse("2026-11-30T12:00:00Z").unwrap();
        let fields =
            |errors: Vec<FieldError>| errors.into_iter().map(|error| error.field).collect::<Vec<_>>().join(", ");
        TokenInput { expires_at, expires_in }.check(now).map(|end| end.to_string()).map_err(fields)
    }

    #[test]
    fn a_token_ends_at_a_time_or_after_one() {
        assert_eq!(check(Some("2027-01-01T00:00:00Z"), None).unwrap(), "2027-01-01T00:00:00.000Z");
        assert_eq!(check(None, Some(3600)).unwrap(), "2026-11-30T13:00:00.000Z");
        assert!(check(None, Some(366 * 86_400)).is_ok());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (expires_at, expires_in, fields) in [
            (None, None, "expiresIn"),
            (Some("2027-01-01T00:00:00Z"), Some(1), "expiresAt, expiresIn"),
            (Some("2026-11-30T12:00:00Z"), None, "expiresAt"),
            (Some("tomorrow"), None, "expiresAt"),
            (Some("2027-12-31T00:00:00Z"), None, "expiresAt"),
            (None, Some(0), "expiresIn"),
            (None, Some(-1), "expiresIn"),
            (None, Some(366 * 86_400 + 1), "expiresIn"),
            (None, Some(i64::MAX), "expiresIn"),
            (None, Some(i64::MIN), "expiresIn"),
        ] {
            assert_eq!(check(expires_at, expires_in), Err(fields.to_owned()), "{expires_at:?} {expires_in:?}");
        }
    }
}
