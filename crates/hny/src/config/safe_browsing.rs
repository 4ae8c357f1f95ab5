//! Who is asked whether a page is harmful.

use std::fmt;

use hny_guard::Service;
use url::Url;

use super::reader::Reader;
use super::value::{ValueError, choice};

/// No API key of Google's is shorter, in bytes; most have 39.
const SHORTEST_KEY: usize = 20;

/// Who is asked whether a page is harmful.
#[derive(Clone, PartialEq, Eq)]
pub struct SafeBrowsing {
    /// Which service, at which address.
    pub service: Service,
    /// Where it is.
    pub endpoint: String,
    /// The key to it, a secret.
    pub key: String,
}

impl SafeBrowsing {
    /// The outer `None` is what cannot be read; the inner is nobody.
    #[expect(clippy::option_option, reason = "the outer one is as everywhere where settings are read")]
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Option<Self>> {
        let words =
            [("none", None), ("safebrowsing", Some(Service::SafeBrowsing)), ("webrisk", Some(Service::WebRisk))];
        let service = reader.required("safe_browsing", |text| choice(text, &words));
        let endpoint = reader.or("safe_browsing_url", None, |text| parse_endpoint(text).map(Some));
        let key = reader.or("safe_browsing_key", None, |text| parse_key(text).map(Some));
        let (Some(service), endpoint, key) = (service?, endpoint?, key?) else { return Some(None) };
        let Some(key) = key else {
            reader.refuse("safe_browsing_key", ValueError::SafeBrowsingKeyNeeded);
            return None;
        };
        let endpoint = endpoint.unwrap_or_else(|| service.endpoint().to_owned());
        Some(Some(Self { service, endpoint, key }))
    }
}

impl fmt::Debug for SafeBrowsing {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SafeBrowsing").field("service", &self.service).finish_non_exhaustive()
    }
}

fn parse_key(text: &str) -> Result<String, ValueError> {
    let is_of_key = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_key = text.len() >= SHORTEST_KEY && text.bytes().all(is_of_key);
    if is_key { Ok(text.to_owned()) } else { Err(ValueError::SafeBrowsingKey) }
}

fn parse_endpoint(text: &str) -> Result<String, ValueError> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.filter(|url| url.username().is_empty() && url.query().is_none() && url.fragment().is_none());
    url.map(|_| text.to_owned()).ok_or(ValueError::Endpoint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_a_plain_url() {
        assert_eq!(parse_endpoint("http://127.0.0.1:9000/gsb"), Ok("http://127.0.0.1:9000/gsb".to_owned()));
        for text in ["", "example.com", "ftp://a.example", "https://user@a.example", "https://a.example/?key=x"] {
            assert_eq!(parse_endpoint(text), Err(ValueError::Endpoint), "{text}");
        }
    }

    #[test]
    fn a_key_is_copied_whole() {
        let key = "AIzaSyA-0123456789_abcdefghijklmnopqrst";
        assert_eq!(parse_key(key), Ok(key.to_owned()));
        for text in ["", "AIza", "AIzaSyA 0123456789_abcdefghijklmnopqrst", "key=AIzaSyA-0123456789_abcdefghijkl"] {
            assert_eq!(parse_key(text), Err(ValueError::SafeBrowsingKey), "{text}");
        }
    }

    #[test]
    fn a_key_does_not_slip_into_a_log() {
        let (service, endpoint) = (Service::WebRisk, String::new());
        let settings = SafeBrowsing { service, endpoint, key: "secret".to_owned() };
        assert!(!format!("{settings:?}").contains("secret"));
    }
}
