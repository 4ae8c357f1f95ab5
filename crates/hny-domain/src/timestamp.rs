//! Points in time: milliseconds since 1970-01-01T00:00:00Z, written as RFC 3339.

use std::fmt;
use std::time::Duration;

use jiff::SignedDuration;
use jiff::civil::DateTime;
use thiserror::Error;

/// A point in time, cut to milliseconds, between the years 0000 and 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The beginning of all timestamps, in UTC.
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// 0000-01-01T00:00:00Z, the earliest that RFC 3339 can write in UTC.
const YEAR_0: i64 = -62_167_219_200_000;

/// Just after the latest.
const YEAR_10000: i64 = 253_402_300_800_000;

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
        let written = Written::parse(text)?;
        let local: DateTime = written.local.parse().map_err(|_| TimestampError::NoSuchTime)?;
        let since_epoch = local.duration_since(EPOCH).as_millis() + i128::from(written.millis);
        // The years 0 to 9999 fit an i64 of milliseconds many times over.
        let millis = i64::try_from(since_epoch).map_err(|_| TimestampError::NoSuchTime)? - written.offset_millis()?;
        // An offset can lead out of the years that RFC 3339 can write in UTC.
        if (YEAR_0..YEAR_10000).contains(&millis) { Ok(Self(millis)) } else { Err(TimestampError::NoSuchTime) }
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

    /// The point in time `duration` before this one.
    #[must_use]
    pub fn before(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }
}

/// The parts of a text that has the form of RFC 3339, section 5.6 ("date-time").
struct Written<'a> {
    /// Date and time of day, to the second.
    local: &'a str,
    /// What the fraction of a second says, cut.
    millis: u16,
    /// `Z`, or `+02:00`.
    offset: &'a str,
}

impl<'a> Written<'a> {
    fn parse(text: &'a str) -> Result<Self, TimestampError> {
        const SHAPE: &[u8; 19] = b"dddd-dd-ddTdd:dd:dd";
        let (local, rest) = text.split_at_checked(SHAPE.len()).ok_or(TimestampError::Format)?;
        let fits = local.bytes().zip(SHAPE).all(|(byte, &shape)| match shape {
            b'd' => byte.is_ascii_digit(),
            b'T' => matches!(byte, b'T' | b't'),
            other => byte == other,
        });
        if !fits {
            return Err(TimestampError::Format);
        }
        let (millis, offset) = split_fraction(rest)?;
        match offset.as_bytes() {
            b"Z" | b"z" => Ok(Self { local, millis, offset: "+00:00" }),
            [b'+' | b'-', a, b, b':', c, d] if [a, b, c, d].iter().all(|digit| digit.is_ascii_digit()) => {
                Ok(Self { local, millis, offset })
            }
            [] => Err(TimestampError::NoOffset),
            _ => Err(TimestampError::Format),
        }
    }

    /// How far the local time is ahead of UTC.
    fn offset_millis(&self) -> Result<i64, TimestampError> {
        let (sign, digits) = self.offset.split_at(1);
        let parts =
            digits.split_once(':').and_then(|(hours, minutes)| Some((hours.parse().ok()?, minutes.parse().ok()?)));
        match parts {
            Some((hours @ 0..=23_i64, minutes @ 0..=59_i64)) => {
                let millis = (hours * 60 + minutes) * 60_000;
                Ok(if sign == "-" { -millis } else { millis })
            }
            _ => Err(TimestampError::NoSuchTime),
        }
    }
}

/// Splits `.123456Z` into 123 milliseconds and `Z`; there may be no fraction.
fn split_fraction(rest: &str) -> Result<(u16, &str), TimestampError> {
    let Some(rest) = rest.strip_prefix('.') else {
        return Ok((0, rest));
    };
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    if length == 0 {
        return Err(TimestampError::Format);
    }
    let (digits, offset) = rest.split_at(length);
    let millis = digits.bytes().chain(*b"00").take(3).fold(0, |millis, digit| millis * 10 + u16::from(digit - b'0'));
    Ok((millis, offset))
}

impl fmt::Display for Timestamp {
    /// `2030-01-01T12:00:00.000Z`, always in UTC and always with three digits of milliseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match EPOCH.checked_add(SignedDuration::from_millis(self.0)) {
            Ok(utc) => write!(f, "{utc:.3}Z"),
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
            ("2030-01-01T12:00:00.12Z", "2030-01-01T12:00:00.120Z"),
            ("2030-01-01T12:00:00.123456789012Z", "2030-01-01T12:00:00.123Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"),
            ("9999-12-31T23:59:59.999+23:59", "9999-12-31T00:00:59.999Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
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
            ("2030-01-01T12:00:00+24:00", TimestampError::NoSuchTime),
            ("2030-01-01T12:00:00+01:60", TimestampError::NoSuchTime),
            ("0000-01-01T00:00:00+00:01", TimestampError::NoSuchTime),
            ("9999-12-31T23:59:59-23:59", TimestampError::NoSuchTime),
        ] {
            assert_eq!(Timestamp::parse(text), Err(error), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(millis in YEAR_0..YEAR_10000) {
            let timestamp = Timestamp::from_millis(millis);
            prop_assert_eq!(Timestamp::parse(&timestamp.to_string()), Ok(timestamp));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,40}") {
            let _ = Timestamp::parse(&text);
        }
    }
}
