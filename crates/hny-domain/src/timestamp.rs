//! Points in time: milliseconds since 1970-01-01T00:00:00Z, written as RFC 3339.

use std::fmt;
use std::time::Duration;

use jiff::SignedDuration;
use thiserror::Error;

/// A point in time, cut to milliseconds, between the years 0000 and 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// 0000-01-01T00:00:00Z, the earliest that RFC 3339 can write in UTC.
const YEAR_ZERO: i64 = -62_167_219_200_000;

/// Why a text is not a point in time.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TimestampError {
    /// A date and time, but no offset: two servers would read it differently.
    #[error("a time needs an offset, as in 2030-01-01T12:00:00Z or 2030-01-01T12:00:00+02:00")]
    NoOffset,
    /// Not RFC 3339.
    #[error("a time is written as in 2030-01-01T12:00:00Z (RFC 3339)")]
    Format,
    /// The form is right, the day or hour does not exist.
    #[error("there is no such time; one that exists is written as in 2030-01-01T12:00:00Z")]
    NoSuchTime,
}

impl Timestamp {
    /// From milliseconds since 1970-01-01T00:00:00Z.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Reads RFC 3339 with any offset. Digits beyond milliseconds are cut, not rounded: a link must not outlive its instant.
    pub fn parse(text: &str) -> Result<Self, TimestampError> {
        check_form(text)?;
        let instant: jiff::Timestamp = text.parse().map_err(|_| TimestampError::NoSuchTime)?;
        let millis = instant.as_nanosecond().div_euclid(1_000_000);
        // A jiff timestamp lies within the years -9999 to 9999, which fits an i64 of milliseconds many times over. An offset
        // leads from year 0 to the year before it, which RFC 3339 cannot write.
        let millis = i64::try_from(millis).ok().filter(|millis| *millis >= YEAR_ZERO);
        millis.map(Self).ok_or(TimestampError::NoSuchTime)
    }

    /// The time from `self` until `later`; zero when `later` has come.
    pub fn until(self, later: Self) -> Duration {
        Duration::from_millis(u64::try_from(later.0.saturating_sub(self.0)).unwrap_or(0))
    }

    /// The point in time `duration` after this one.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }
}

/// Checks the shape of RFC 3339 section 5.6 ("date-time"), which is narrower than what the parser behind would take.
fn check_form(text: &str) -> Result<(), TimestampError> {
    const SHAPE: &[u8; 19] = b"dddd-dd-ddTdd:dd:dd";
    let bytes = text.as_bytes();
    let (head, tail) = bytes.split_at_checked(SHAPE.len()).ok_or(TimestampError::Format)?;
    let fits = head.iter().zip(SHAPE).all(|(&byte, &shape)| match shape {
        b'd' => byte.is_ascii_digit(),
        b'T' => matches!(byte, b'T' | b't'),
        other => byte == other,
    });
    if !fits {
        return Err(TimestampError::Format);
    }
    match skip_fraction(tail)? {
        b"Z" | b"z" => Ok(()),
        [b'+' | b'-', a, b, b':', c, d] if [a, b, c, d].iter().all(|digit| digit.is_ascii_digit()) => Ok(()),
        [] => Err(TimestampError::NoOffset),
        _ => Err(TimestampError::Format),
    }
}

/// Skips `.123`, if there is one.
fn skip_fraction(tail: &[u8]) -> Result<&[u8], TimestampError> {
    let Some(digits) = tail.strip_prefix(b".") else {
        return Ok(tail);
    };
    let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    // More than nanoseconds is nothing anyone measures, and the parser behind refuses it.
    if (1..=9).contains(&count) { Ok(&digits[count..]) } else { Err(TimestampError::Format) }
}

impl fmt::Display for Timestamp {
    /// `2030-01-01T12:00:00.000Z`, always in UTC and always with three digits of milliseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instant = jiff::Timestamp::UNIX_EPOCH.saturating_add(SignedDuration::from_millis(self.0));
        match instant {
            Ok(instant) => write!(f, "{instant:.3}"),
            Err(_) => Err(fmt::Error),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn any_offset_is_read_and_utc_is_written() {
        for (text, written) in [
            ("2030-01-01T12:00:00Z", "2030-01-01T12:00:00.000Z"),
            ("2030-01-01t12:00:00z", "2030-01-01T12:00:00.000Z"),
            ("2030-01-01T12:00:00+02:00", "2030-01-01T10:00:00.000Z"),
            ("2030-01-01T12:00:00.1-05:30", "2030-01-01T17:30:00.100Z"),
            ("2030-01-01T12:00:00.999999Z", "2030-01-01T12:00:00.999Z"),
            ("2028-02-29T23:59:59Z", "2028-02-29T23:59:59.000Z"),
            ("1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(Timestamp::parse(text).unwrap().to_string(), written, "{text}");
        }
    }

    #[test]
    fn what_is_not_rfc_3339_is_refused() {
        for (text, error) in [
            ("2030-01-01T12:00:00", TimestampError::NoOffset),
            ("2030-01-01T12:00:00.5", TimestampError::NoOffset),
            ("2030-01-01", TimestampError::Format),
            ("2030-01-01 12:00:00Z", TimestampError::Format),
            ("2030-01-01T12:00Z", TimestampError::Format),
            ("2030-01-01T12:00:00+0200", TimestampError::Format),
            ("2030-01-01T12:00:00Z[Europe/Berlin]", TimestampError::Format),
            ("2030-01-01T12:00:00.Z", TimestampError::Format),
            ("1893456000", TimestampError::Format),
            ("tomorrow", TimestampError::Format),
            ("", TimestampError::Format),
            ("2030-02-30T12:00:00Z", TimestampError::NoSuchTime),
            ("2030-01-01T25:00:00Z", TimestampError::NoSuchTime),
            ("2030-01-01T12:00:00+99:00", TimestampError::NoSuchTime),
            ("0000-01-01T00:00:00+00:01", TimestampError::NoSuchTime),
            ("9999-12-31T23:59:59-23:59", TimestampError::NoSuchTime),
        ] {
            assert_eq!(Timestamp::parse(text), Err(error), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(millis in YEAR_ZERO..253_402_207_200_000) {
            let timestamp = Timestamp::from_millis(millis);
            prop_assert_eq!(Timestamp::parse(&timestamp.to_string()), Ok(timestamp));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,40}") {
            let _ = Timestamp::parse(&text);
        }
    }
}
