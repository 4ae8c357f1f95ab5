//! What is logged.

use tracing_subscriber::filter::{LevelFilter, Targets};

use super::reader::Reader;
use super::value::{ValueError, choice};

/// What is logged, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Log {
    /// From which level on, by part.
    pub filter: Targets,
    /// In what form.
    pub format: LogFormat,
    /// Whether `NO_COLOR` is set (<https://no-color.org>).
    pub no_color: bool,
}

/// The form of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object a line.
    Json,
}

impl Log {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let filter = reader.required("log", parse_filter);
        let format =
            reader.required("log_format", |text| choice(text, &[("text", LogFormat::Text), ("json", LogFormat::Json)]));
        Some(Self { filter: filter?, format: format?, no_color: reader.no_color() })
    }
}

const LEVELS: &[(&str, LevelFilter)] = &[
    ("off", LevelFilter::OFF),
    ("error", LevelFilter::ERROR),
    ("warn", LevelFilter::WARN),
    ("info", LevelFilter::INFO),
    ("debug", LevelFilter::DEBUG),
    ("trace", LevelFilter::TRACE),
];

/// Reads `info` or `hny=debug,warn`. What no entry speaks of is logged from `error` on.
///
/// Stricter than the parser of [`Targets`], which takes a misspelt level for the name of a part and then logs nothing else.
fn parse_filter(text: &str) -> Result<Targets, ValueError> {
    let start = Targets::new().with_default(LevelFilter::ERROR);
    text.split(',').map(str::trim).try_fold(start, |filter, entry| match entry.split_once('=') {
        None => Ok(filter.with_default(parse_level(entry)?)),
        Some((part, level)) if is_part(part) => Ok(filter.with_target(part, parse_level(level)?)),
        Some(_) => Err(ValueError::LogFilter),
    })
}

fn parse_level(text: &str) -> Result<LevelFilter, ValueError> {
    choice(text, LEVELS).map_err(|_| ValueError::LogFilter)
}

/// A path such as `hny_server::redirect`.
fn is_part(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':'))
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::filter::LevelFilter as Level;

    use super::*;

    #[test]
    fn a_level_may_be_given_by_part() {
        let filter = |text| parse_filter(text).unwrap();
        assert_eq!(filter("info"), Targets::new().with_default(Level::INFO));
        let both = Targets::new().with_default(Level::WARN).with_target("hny", Level::DEBUG);
        assert_eq!(filter("hny=debug,warn"), both);
        assert_eq!(filter("warn, hny=debug"), both);
        assert_eq!(
            filter("hny_server::redirect=off"),
            Targets::new().with_default(Level::ERROR).with_target("hny_server::redirect", Level::OFF)
        );
    }

    #[test]
    fn a_misspelt_level_is_refused() {
        for text in ["verbose", "INFO", "hny", "hny=loud", "=info", "hny=", "info,", "a b=info", "hny=info=debug"] {
            assert_eq!(parse_filter(text), Err(ValueError::LogFilter), "{text:?}");
        }
    }
}
