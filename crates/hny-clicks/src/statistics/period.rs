//! From when to when: what a caller may write, and what it means.

use hny_domain::{Problems, QUARTER, Span, Timestamp, TimestampError};
use jiff::ToSpan;
use jiff::civil::Date;
use thiserror::Error;

use super::calendar::Calendar;

/// How many days a period has that does not say where it begins.
const DAYS: i32 = 30;

/// No click is older.
const EARLIEST: Timestamp = Timestamp::from_millis(0);

/// 9998-01-01T00:00:00Z: what is later leads out of the calendars of some zones.
const LATEST: Timestamp = Timestamp::from_millis(253_339_228_800_000);

/// The length of a quarter in milliseconds.
#[expect(clippy::cast_possible_truncation, reason = "it is 900,000")]
const QUARTER_MS: i64 = QUARTER.as_millis() as i64;

/// Why a text is not an end of a period.
#[derive(Debug, Error)]
enum EndError {
    #[error("write a day, as in 2030-01-01, or a time, as in 2030-01-01T12:00:00Z (RFC 3339)")]
    Format,
    #[error(transparent)]
    Time(TimestampError),
    #[error("it must lie between the years 1970 and 9997")]
    Years,
}

/// Reads the ends of a period, of which any may be left out: until now, from 30 days before. Problems are noted.
pub(super) fn read(
    (from, to): (Option<&str>, Option<&str>),
    calendar: &Calendar,
    now: Timestamp,
    problems: &mut Problems,
) -> Option<Span> {
    let mut end_of = |field, text: Option<&str>| text.map(|text| problems.take(field, end(text, calendar)));
    // Both are read before either is missed, so that all that is wrong is named at once.
    let (from, to) = (end_of("from", from), end_of("to", to));
    let to = to.unwrap_or(Some(now))?;
    let from = from.unwrap_or_else(|| days_before(to, calendar))?;
    if from >= to {
        problems.note("from", "it must be earlier than 'to', which is now if it is not given");
        return None;
    }
    Some(Span { from: down(from), to: up(to) })
}

/// A day is its first moment, a time is itself.
fn end(text: &str, calendar: &Calendar) -> Result<Timestamp, EndError> {
    let at = if is_day(text) {
        let day: Date = text.parse().map_err(|_| EndError::Time(TimestampError::NoSuchTime))?;
        calendar.midnight(day).ok_or(EndError::Years)?
    } else {
        Timestamp::parse(text).map_err(|error| match error {
            TimestampError::Format => EndError::Format,
            TimestampError::NoOffset | TimestampError::NoSuchTime => EndError::Time(error),
        })?
    };
    if (EARLIEST..=LATEST).contains(&at) { Ok(at) } else { Err(EndError::Years) }
}

/// Whether a text has the form of `2030-01-01`.
fn is_day(text: &str) -> bool {
    const SHAPE: &[u8; 10] = b"dddd-dd-dd";
    text.len() == SHAPE.len()
        && text
            .bytes()
            .zip(SHAPE)
            .all(|(byte, &shape)| if shape == b'd' { byte.is_ascii_digit() } else { byte == shape })
}

/// The midnight with which the day began that was [`DAYS`] days before.
fn days_before(to: Timestamp, calendar: &Calendar) -> Option<Timestamp> {
    calendar.midnight(calendar.day(to)?.checked_sub(DAYS.days()).ok()?)
}

/// The beginning of the quarter of an hour in which a moment lies.
fn down(at: Timestamp) -> Timestamp {
    Timestamp::from_millis(at.as_millis().div_euclid(QUARTER_MS) * QUARTER_MS)
}

/// The first beginning of a quarter from a moment on.
fn up(at: Timestamp) -> Timestamp {
    down(Timestamp::from_millis(at.as_millis() + QUARTER_MS - 1))
}

#[cfg(test)]
mod tests {
    use hny_domain::FieldError;

    use super::*;

    /// The period that somebody gets who asks at noon of 2026-11-30, UTC.
    fn asked(zone: &str, from: Option<&str>, to: Option<&str>) -> Result<(String, String), Vec<FieldError>> {
        let mut problems = Problems::default();
        let now = Timestamp::parse("2026-11-30T12:07:00Z").unwrap();
        let span = read((from, to), &Calendar::named(zone).unwrap(), now, &mut problems);
        problems.finish(span).map(|span| (span.from.to_string(), span.to.to_string()))
    }

    #[track_caller]
    fn assert_asked(zone: &str, from: &str, to: &str, expected: (&str, &str)) {
        let given = |text: &'static str| (!text.is_empty()).then_some(text);
        // Leaked texts of a test.
        let [from, to] = [from, to].map(|text| given(text.to_owned().leak()));
        assert_eq!(asked(zone, from, to), Ok((expected.0.to_owned(), expected.1.to_owned())), "{zone} {from:?} {to:?}");
    }

    #[test]
    fn what_is_left_out_is_the_last_thirty_days() {
        assert_asked("UTC", "", "", ("2026-10-31T00:00:00.000Z", "2026-11-30T12:15:00.000Z"));
        assert_asked("Europe/Berlin", "", "", ("2026-10-30T23:00:00.000Z", "2026-11-30T12:15:00.000Z"));
        // It is the first of December there already.
        assert_asked("Pacific/Kiritimati", "", "", ("2026-10-31T10:00:00.000Z", "2026-11-30T12:15:00.000Z"));
        assert_asked("UTC", "2026-11-01", "", ("2026-11-01T00:00:00.000Z", "2026-11-30T12:15:00.000Z"));
        // Thirty whole days, since the end is the first moment that is not in it.
        assert_asked("UTC", "", "2026-07-01", ("2026-06-01T00:00:00.000Z", "2026-07-01T00:00:00.000Z"));
    }

    #[test]
    fn a_day_begins_at_midnight_in_the_zone() {
        for (zone, from, to) in [
            ("America/New_York", "2026-03-08T05:00:00.000Z", "2026-03-09T04:00:00.000Z"),
            ("Asia/Kathmandu", "2026-03-07T18:15:00.000Z", "2026-03-08T18:15:00.000Z"),
            ("asia/kolkata", "2026-03-07T18:30:00.000Z", "2026-03-08T18:30:00.000Z"),
        ] {
            assert_asked(zone, "2026-03-08", "2026-03-09", (from, to));
        }
    }

    #[test]
    fn a_time_goes_to_the_quarters_around_it() {
        let quarter = ("2026-11-30T10:00:00.000Z", "2026-11-30T10:15:00.000Z");
        for (from, to) in [
            ("2026-11-30T10:00:00Z", "2026-11-30T10:15:00Z"),
            ("2026-11-30T10:14:59.998Z", "2026-11-30T10:14:59.999Z"),
            ("2026-11-30T12:00:00.001+02:00", "2026-11-30T10:00:00.002Z"),
        ] {
            assert_asked("Asia/Kathmandu", from, to, quarter);
        }
    }

    #[test]
    fn what_is_no_period_is_named() {
        for (from, to, field, why) in [
            (Some("yesterday"), None, "from", "write a day"),
            (None, Some("2026-11-30 12:00:00Z"), "to", "write a day"),
            (None, Some("2026-1-1"), "to", "write a day"),
            (Some("2026-11-30T12:00:00"), None, "from", "needs an offset"),
            (Some("2026-02-30"), None, "from", "no such time"),
            (Some("1969-12-31"), None, "from", "between the years"),
            (None, Some("9999-12-31"), "to", "between the years"),
            (None, Some("9999-12-31T23:59:59Z"), "to", "between the years"),
            (Some("2026-12-01"), None, "from", "earlier than 'to'"),
            (Some("2026-11-30T10:05:00Z"), Some("2026-11-30T10:05:00Z"), "from", "earlier than 'to'"),
        ] {
            let problems = asked("UTC", from, to).unwrap_err();
            assert_eq!(problems.len(), 1, "{from:?} {to:?} {problems:?}");
            assert!(problems[0].field == field && problems[0].detail.contains(why), "{from:?} {to:?} {problems:?}");
        }
        assert_eq!(asked("UTC", Some("x"), Some("y")).unwrap_err().len(), 2, "both are named at once");
    }
}
