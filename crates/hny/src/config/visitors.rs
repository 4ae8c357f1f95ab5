//! What is kept of those who click, and how long clicks and links are kept.

use std::path::PathBuf;
use std::time::Duration;

use hny_clicks::Kept;

use super::reader::Reader;
use super::value::{ValueError, digits};

const DAY: Duration = Duration::from_hours(24);

/// How long anything is kept at most, if not for ever: longer than anybody keeps a service.
const MOST_DAYS: u64 = 36_500;

/// What is kept of those who click.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visitors {
    /// What is kept.
    pub kept: Kept,
    /// Who tells countries, if not the table that comes with the program.
    pub countries: Option<PathBuf>,
}

/// How long something is kept; `None` is for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Clicks.
    pub clicks: Option<Duration>,
    /// Links that have expired.
    pub expired: Option<Duration>,
}

impl Visitors {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let kept = reader.required("click_fields", parse_fields);
        let countries = reader.or("countries", None, |path| parse_file(path).map(Some));
        Some(Self { kept: kept?, countries: countries? })
    }
}

impl Retention {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let clicks = reader.required("keep_clicks", parse_retention);
        let expired = reader.required("keep_expired", parse_retention);
        Some(Self { clicks: clicks?, expired: expired? })
    }
}

fn parse_file(text: &str) -> Result<PathBuf, ValueError> {
    let is_plain = text.trim() == text && !text.contains(char::is_control);
    if is_plain { Ok(text.into()) } else { Err(ValueError::File) }
}

fn parse_fields(text: &str) -> Result<Kept, ValueError> {
    let mut kept = Kept::NOTHING;
    if text == "none" {
        return Ok(kept);
    }
    for field in text.split(',') {
        *match field.trim() {
            "visitor" => &mut kept.visitor,
            "country" => &mut kept.country,
            "referrer" => &mut kept.referrer,
            "browser" => &mut kept.browser,
            "os" => &mut kept.os,
            "device" => &mut kept.device,
            "language" => &mut kept.language,
            _ => return Err(ValueError::ClickFields),
        } = true;
    }
    Ok(kept)
}

/// Reads `400d`, `5y` or `forever`. A year has 365 days here.
fn parse_retention(text: &str) -> Result<Option<Duration>, ValueError> {
    if text == "forever" {
        return Ok(None);
    }
    let of = |unit, days: u64| text.strip_suffix(unit).and_then(digits).and_then(|number| days.checked_mul(number));
    let days = of('d', 1).or_else(|| of('y', 365)).filter(|days| *days <= MOST_DAYS).ok_or(ValueError::Retention)?;
    // At most 36,500.
    Ok(Some(DAY * u32::try_from(days).unwrap_or(u32::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_kept_that_are_named() {
        assert_eq!(parse_fields("visitor,country,referrer,browser,os,device,language"), Ok(Kept::ALL));
        assert_eq!(parse_fields("none"), Ok(Kept::NOTHING));
        assert_eq!(parse_fields("os, referrer"), Ok(Kept { os: true, referrer: true, ..Kept::NOTHING }));
        for text in ["", "address", "os,", "none,os", "OS"] {
            assert_eq!(parse_fields(text), Err(ValueError::ClickFields), "{text:?}");
        }
    }

    #[test]
    fn things_are_kept_for_days_or_years_or_for_ever() {
        assert_eq!(parse_retention("400d"), Ok(Some(400 * DAY)));
        assert_eq!((parse_retention("5y"), parse_retention("0d")), (Ok(Some(1825 * DAY)), Ok(Some(Duration::ZERO))));
        assert_eq!((parse_retention("forever"), parse_retention("100y")), (Ok(None), Ok(Some(36_500 * DAY))));
        for text in ["", "5", "5h", "y", "-1d", "1.5y", "101y", "99999999999999999999d", "Forever"] {
            assert_eq!(parse_retention(text), Err(ValueError::Retention), "{text:?}");
        }
    }
}
