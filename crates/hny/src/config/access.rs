//! Who may do how much.

use std::time::Duration;

use hny_guard::{Limit, Pseudonyms, TrustedProxies};
use hny_server::Origins;

use super::reader::Reader;
use super::units;
use super::value::{ValueError, number};

/// Who may do how much. (Who may make links at all is a rule for links.)
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: TrustedProxies,
    /// The field in which those proxies give a name to each visit.
    pub visit_id_field: Option<String>,
    /// How many links a client without a key may make; `None` is any number.
    pub create_limit: Option<Limit>,
    /// How many unknown codes a client may ask for; `None` is any number.
    pub unknown_limit: Option<Limit>,
    /// Whose pages may call the API.
    pub origins: Origins,
    /// How many wrong passwords a client may try; `None` is any number.
    pub password_limit: Option<Limit>,
    /// How many wrong passwords may be tried at a link, by all together; `None` is any number.
    pub link_password_limit: Option<Limit>,
    /// How many reports of abuse a client may send; `None` is any number.
    pub report_limit: Option<Limit>,
    /// What clients are called in Redis. The nodes of one installation have their database and their code key in common, and
    /// Redis has neither.
    pub pseudonyms: Pseudonyms,
}

/// Each create, wrong password or report in the window is remembered with its instant, so their number has a bound.
const MOST_REMEMBERED: usize = 100_000;

/// Unknown codes are counted in bounded memory, however many they are.
const MOST_UNKNOWN: usize = 1_000_000_000;

impl Access {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let trusted_proxies = reader.or("trusted_proxies", TrustedProxies::default(), |text| Ok(text.parse()?));
        let visit_id_field = reader.or("visit_id_field", None, |text| parse_field_name(text).map(Some));
        let create_limit = reader.required("create_limit", |text| parse_limit(text, MOST_REMEMBERED));
        let unknown_limit = reader.required("unknown_limit", |text| parse_limit(text, MOST_UNKNOWN));
        let origins = reader.or("cors_origins", Origins::default(), |text| Ok(text.parse()?));
        let [password_limit, link_password_limit, report_limit] =
            ["password_limit", "link_password_limit", "report_limit"]
                .map(|key| reader.required(key, |text| parse_limit(text, MOST_REMEMBERED)));
        let pseudonyms = Pseudonyms::new(["database_url", "code_key"].map(|key| reader.text(key).unwrap_or_default()));
        Some(Self {
            trusted_proxies: trusted_proxies?,
            visit_id_field: visit_id_field?,
            create_limit: create_limit?,
            unknown_limit: unknown_limit?,
            origins: origins?,
            password_limit: password_limit?,
            link_password_limit: link_password_limit?,
            report_limit: report_limit?,
            pseudonyms,
        })
    }
}

/// Reads the name of a field, of the signs that the names in use have.
fn parse_field_name(text: &str) -> Result<String, ValueError> {
    let is_good = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if is_good && (1..=64).contains(&text.len()) { Ok(text.to_owned()) } else { Err(ValueError::FieldName) }
}

/// Reads `10/60s` or `off`. Whole seconds only, because that is what callers are told (`RateLimit-Policy`).
fn parse_limit(text: &str, max: usize) -> Result<Option<Limit>, ValueError> {
    if text == "off" {
        return Ok(None);
    }
    let limit = text.split_once('/').and_then(|(count, window)| {
        let window = units::parse_timeout(window).ok()?;
        let count = u32::try_from(number(count, 1, max).ok()?).ok()?;
        (window.subsec_nanos() == 0 && window >= Duration::from_secs(1)).then_some(Limit { count, window })
    });
    limit.map(Some).ok_or(ValueError::Limit { max })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_a_name() {
        assert_eq!(parse_field_name("X-Request-Id"), Ok("X-Request-Id".to_owned()));
        for text in ["", "X Request", "x:", "x_y", "ä", &"x".repeat(65)] {
            assert_eq!(parse_field_name(text), Err(ValueError::FieldName), "{text:?}");
        }
    }

    #[test]
    fn so_many_in_such_a_time() {
        for (text, count, seconds) in [("10/60s", 10, 60), ("1/1s", 1, 1), ("100/1m", 100, 60), ("3/24h", 3, 86_400)] {
            let window = Duration::from_secs(seconds);
            assert_eq!(parse_limit(text, 100), Ok(Some(Limit { count, window })), "{text}");
        }
        assert_eq!(parse_limit("off", 100), Ok(None));
        for text in
            ["", "10", "10/", "/60s", "0/60s", "101/60s", "10/60", "10/0s", "1/500ms", "1/1500ms", "1/25h", "-1/60s"]
        {
            assert_eq!(parse_limit(text, 100), Err(ValueError::Limit { max: 100 }), "{text:?}");
        }
        for text in ["10 / 60s", "10/60s/2", "OFF", "none", "1e1/60s"] {
            assert_eq!(parse_limit(text, 100), Err(ValueError::Limit { max: 100 }), "{text:?}");
        }
    }
}
