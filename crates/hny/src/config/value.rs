//! What is wrong with a value, and the readers of plain values.

use std::str::FromStr;

use hny_codes::WordError;
use hny_domain::redirect_status::RedirectStatusError;
use hny_guard::ProxyError;
use hny_redis::{AddressError, PrefixError};
use hny_server::OriginsError;
use thiserror::Error;

use super::base_url::BaseUrlError;
use super::database::DatabaseError;

/// What is wrong with a value, and what would be right. It never repeats the value, which may be a secret.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum ValueError {
    /// Not a boolean.
    #[error("must be true or false")]
    Boolean,
    /// Not a number, or one outside the range.
    #[error("must be a whole number from {min} to {max}")]
    Number {
        /// The smallest that is right.
        min: usize,
        /// The largest that is right.
        max: usize,
    },
    /// None of these words.
    #[error("must be {}", alternatives(.0))]
    Choice(Vec<&'static str>),
    /// Not a size.
    #[error("must be a number of bytes, such as 1000000, 512KiB, 256MiB or 1GiB")]
    Bytes,
    /// No file.
    #[error(
        "must be the path of a file, such as /var/lib/hny/country.mmdb, without blanks around it or control characters"
    )]
    File,
    /// No files.
    #[error("must be paths of files, separated by commas; where one is CSV, with its column, as in urls.csv#url")]
    Blocklists,
    /// A service without the key to it.
    #[error("must be set (HNY_SAFE_BROWSING_KEY) where a service is asked: the API key of a Google Cloud project")]
    SafeBrowsingKeyNeeded,
    /// Not what such a key looks like.
    #[error("must be an API key as Google shows it: 20 or more letters, digits, - and _")]
    SafeBrowsingKey,
    /// Not where a service can be.
    #[error(
        "must be an http or https URL without user, query and fragment, such as https://safebrowsing.googleapis.com"
    )]
    Endpoint,
    /// Not what is kept of a visitor.
    #[error(
        "must be some of visitor, country, referrer, browser, os, device and language, separated by commas, or none"
    )]
    ClickFields,
    /// Not how long something is kept.
    #[error("must be days or years, such as 400d or 5y, of at most 100y, or forever")]
    Retention,
    /// A spool without room for anything.
    #[error("must be 1MiB or more, such as 1GiB")]
    SpoolLimit,
    /// No folder.
    #[error("must be the path of a folder, such as /var/lib/hny/spool, without blanks around it or control characters")]
    Folder,
    /// Not a duration, or one beyond a day.
    #[error("must be a time with its unit, such as 500ms, 10s, 1m or 2h, of at most 24h")]
    Duration,
    /// No time at all, where that would end every request.
    #[error("must be more than 0, such as 10s")]
    Zero,
    /// Not an address.
    #[error("must be an IP address and a port, such as 127.0.0.1:8080, 0.0.0.0:80 or [::1]:8080")]
    Address,
    /// Two listeners on one address.
    #[error("must be another address than listen")]
    SameAddress,
    /// Not domains.
    #[error("must be host names, perhaps with a port, such as go.example or go.example:8443, separated by commas")]
    Domains,
    /// Not roles.
    #[error("must be one or more of redirect, api and pages, separated by commas")]
    Roles,
    /// Not contacts.
    #[error(
        "must be one or more URIs such as mailto:security@example.com or https://example.com/security, separated by commas"
    )]
    Contact,
    /// Not a redirect.
    #[error("must be 301, 302, 307 or 308")]
    RedirectStatus(#[source] RedirectStatusError),
    /// Not a log filter.
    #[error("must be off, error, warn, info, debug or trace, or such levels by part, as in hny=debug,warn")]
    LogFilter,
    /// Not a base URL.
    #[error(transparent)]
    BaseUrl(#[from] BaseUrlError),
    /// Not a database.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Not a Redis.
    #[error(transparent)]
    Redis(#[from] AddressError),
    /// Not what keys may begin with.
    #[error(transparent)]
    RedisPrefix(#[from] PrefixError),
    /// Not a place for clicks.
    #[error("must be 'store:', which keeps clicks beside the links, 'kafka://host:port/topic', or 'discard:'")]
    Clicks,
    /// Not a topic of Kafka.
    #[cfg(feature = "kafka")]
    #[error(transparent)]
    Kafka(#[from] hny_clicks::KafkaAddressError),
    /// Not a ClickHouse.
    #[cfg(feature = "clickhouse")]
    #[error(transparent)]
    ClickHouse(#[from] hny_clicks::clickhouse::AddressError),
    /// A part that this program was built without.
    #[cfg(not(all(feature = "clickhouse", feature = "kafka")))]
    #[error(
        "must be something else unless the program is built with the feature '{0}': cargo build --release --features {0}"
    )]
    Feature(&'static str),
    /// Not a limit.
    #[error("must be how many in what time, such as 10/60s: up to {max}, in whole seconds up to 24h; or off")]
    Limit {
        /// The largest number.
        max: usize,
    },
    /// Not the name of a field.
    #[error("must be the name of a header field, such as X-Request-Id")]
    FieldName,
    /// Not a list of networks.
    #[error(transparent)]
    TrustedProxies(#[from] ProxyError),
    /// No origins.
    #[error(transparent)]
    Origins(#[from] OriginsError),
    /// A secret that can be guessed.
    #[error("must be 32 or more characters, best from a random generator (openssl rand -base64 33)")]
    CodeKeyTooShort,
    /// A scheme without its secret.
    #[error(
        "must be set (HNY_CODE_KEY) where codes are 'permuted' or 'snowflake': 32 or more characters, kept for ever"
    )]
    CodeKeyNeeded,
    /// The other schemes write numbers in base62.
    #[error("must be base62 unless codes are 'random'")]
    OnlyRandomIsUnambiguous,
    /// A word that cannot be on the list.
    #[error("must be words of three or more letters and digits, 'default' or 'none': {0}")]
    UnluckyWord(#[source] WordError),
}

pub(super) fn parse_boolean(text: &str) -> Result<bool, ValueError> {
    text.parse().map_err(|_| ValueError::Boolean)
}

/// Reads digits only: no sign, no blanks, no separators.
pub(super) fn number(text: &str, min: usize, max: usize) -> Result<usize, ValueError> {
    let number = digits(text).filter(|number| (min..=max).contains(number));
    number.ok_or(ValueError::Number { min, max })
}

/// Reads one of the words.
pub(super) fn choice<T: Copy>(text: &str, words: &[(&'static str, T)]) -> Result<T, ValueError> {
    let chosen = words.iter().find(|(word, _)| *word == text);
    chosen.map(|(_, value)| *value).ok_or_else(|| ValueError::Choice(words.iter().map(|(word, _)| *word).collect()))
}

/// The number that a text of nothing but digits stands for.
pub(super) fn digits<T: FromStr>(text: &str) -> Option<T> {
    // The standard parser also takes a plus sign.
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

fn alternatives(words: &[&str]) -> String {
    match words {
        [.., last] if words.len() > 1 => format!("{} or {last}", words[..words.len() - 1].join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_true_and_false_are_booleans() {
        assert_eq!((parse_boolean("true"), parse_boolean("false")), (Ok(true), Ok(false)));
        for text in ["0", "1", "TRUE", "FALSE", "True", "no", "yes", "on", "off", "maybe", "null", " true", "true\n"] {
            assert_eq!(parse_boolean(text), Err(ValueError::Boolean), "{text:?}");
        }
    }

    #[test]
    fn a_number_is_digits_within_its_range() {
        assert_eq!((number("4", 4, 32), number("32", 4, 32), number("007", 4, 32)), (Ok(4), Ok(32), Ok(7)));
        for text in ["3", "33", "-4", "+7", "7.0", "1e1", " 7", "seven", "99999999999999999999999"] {
            assert_eq!(number(text, 4, 32), Err(ValueError::Number { min: 4, max: 32 }), "{text:?}");
        }
    }

    #[test]
    fn a_wrong_word_hears_of_the_right_ones() {
        let error = choice("ask", &[("open", 1), ("key", 2)]).unwrap_err();
        assert_eq!(error.to_string(), "must be open or key");
        assert_eq!(choice("ask", &[("random", 1)]).unwrap_err().to_string(), "must be random");
    }
}
