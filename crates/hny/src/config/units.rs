//! Values with a unit: sizes and times.

use std::time::Duration;

use super::value::{ValueError, digits};

const SIZES: &[(&str, u64)] = &[("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40), ("", 1)];

const TIMES: &[(&str, u64)] = &[("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

const DAY: Duration = Duration::from_hours(24);

/// Reads `1000000`, `512KiB`, `256MiB` or `1GiB`.
pub(super) fn parse_bytes(text: &str) -> Result<u64, ValueError> {
    parse(text, SIZES).ok_or(ValueError::Bytes)
}

/// Reads `500ms`, `10s`, `1m` or `2h`, up to a day. A number without its unit is refused: too many programs mean
/// milliseconds by it, and as many mean seconds.
pub(super) fn parse_duration(text: &str) -> Result<Duration, ValueError> {
    let duration = parse(text, TIMES).map(Duration::from_millis);
    duration.filter(|duration| *duration <= DAY).ok_or(ValueError::Duration)
}

/// Reads a duration that is not zero.
pub(super) fn parse_timeout(text: &str) -> Result<Duration, ValueError> {
    match parse_duration(text)? {
        Duration::ZERO => Err(ValueError::Zero),
        timeout => Ok(timeout),
    }
}

fn parse(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    digits::<u64>(number)?.checked_mul(*factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in
            [("0", 0), ("1000000", 1_000_000), ("512KiB", 524_288), ("256MiB", 1 << 28), ("1GiB", 1 << 30)]
        {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for text in ["", "MiB", "-1", "+1", "1.5GiB", "256 MiB", "256MB", "256mib", "1e6", "99999999999TiB"] {
            assert_eq!(parse_bytes(text), Err(ValueError::Bytes), "{text:?}");
        }
    }

    #[test]
    fn times() {
        for (text, millis) in [("500ms", 500), ("10s", 10_000), ("1m", 60_000), ("24h", 86_400_000), ("0s", 0)] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "10", "s", "-1s", "1.5s", "10 s", "10S", "10sec", "25h", "99999999999999999999s"] {
            assert_eq!(parse_duration(text), Err(ValueError::Duration), "{text:?}");
        }
    }

    #[test]
    fn a_timeout_is_more_than_nothing() {
        assert_eq!(parse_timeout("0ms"), Err(ValueError::Zero));
        assert_eq!(parse_timeout("1ms"), Ok(Duration::from_millis(1)));
    }
}
