//! One rule of a blocklist: a domain with everything below it, or URLs of one host.

use std::fmt;

use thiserror::Error;

use crate::canonical::{Canonical, is_address};

/// The longest rule, in bytes of its canonical text.
const MAX_LENGTH: usize = 2048;

/// What is blocked, in one spelling.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BlockRule {
    /// A host and every host below it, such as `evil.example`; or an address.
    Domain(String),
    /// `host/path`: this URL, whatever its query; with a query, with that one only; with a slash at the end, everything below.
    /// Neither scheme nor port count.
    Url(String),
}

/// Why a text is no rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RuleError {
    /// There is no host in it.
    #[error("a rule is a domain such as evil.example, or a URL such as https://evil.example/page")]
    NoHost,
    /// Names without a dot, and suffixes under which anyone may register.
    #[error(
        "this would block a whole public suffix, under which strangers have their domains; name one domain below it"
    )]
    PublicSuffix,
    /// The text has too many bytes.
    #[error("a rule has at most {MAX_LENGTH} bytes")]
    TooLong,
}

impl BlockRule {
    /// Reads a domain (also as `*.evil.example`) or a URL, in any spelling.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        if text.len() > MAX_LENGTH {
            return Err(RuleError::TooLong);
        }
        let text = text.trim();
        let is_url = text.contains('/');
        let text = if is_url { text } else { text.trim_start_matches("*.") };
        let canonical = Canonical::of(text.as_bytes()).filter(|url| is_host(&url.host)).ok_or(RuleError::NoHost)?;
        let Canonical { host, path, query, .. } = canonical;
        let is_whole_host = path == "/" && query.is_none();
        if is_whole_host && is_public_suffix(&host) {
            return Err(RuleError::PublicSuffix);
        }
        // A slash may be written as an escape, too.
        let rule = match (is_url || path != "/", query) {
            (true, None) => Self::Url(host + &path),
            (_, Some(query)) => Self::Url(format!("{host}{path}?{query}")),
            (false, None) => Self::Domain(host),
        };
        // Escapes take more room than what they stand for.
        if rule.as_str().len() > MAX_LENGTH { Err(RuleError::TooLong) } else { Ok(rule) }
    }

    /// A rule as it was written by [`fmt::Display`].
    pub fn from_stored(text: String) -> Self {
        if text.contains('/') { Self::Url(text) } else { Self::Domain(text) }
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Domain(text) | Self::Url(text) => text,
        }
    }
}

impl fmt::Display for BlockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether it could be somebody's: a name of letters, digits and signs that names have, or an address.
fn is_host(host: &str) -> bool {
    let is_name = |label: &str| {
        !label.is_empty()
            && label.len() < 64
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    is_address(host) || host.len() < 254 && host.split('.').all(is_name)
}

/// Whether strangers may have domains below it: by the list of public suffixes, its private part too, or as a name without a dot.
fn is_public_suffix(host: &str) -> bool {
    !is_address(host) && psl::suffix(host.as_bytes()).is_none_or(|suffix| suffix.as_bytes().len() == host.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<String, RuleError> {
        BlockRule::parse(text).map(|rule| rule.to_string())
    }

    #[test]
    fn every_spelling_of_a_domain_is_one_rule() {
        for text in ["evil.example", " EVIL.example. ", "*.evil.example", "evil.example:8080", "evil。example"] {
            assert_eq!(BlockRule::parse(text), Ok(BlockRule::Domain("evil.example".into())), "{text:?}");
        }
        for (text, expected) in [
            ("b\u{fc}cher.example", "xn--bcher-kva.example"),
            ("xn--BCHER-kva.example", "xn--bcher-kva.example"),
            ("127.1", "127.0.0.1"),
            ("0x7f000001", "127.0.0.1"),
            ("[::ffff:192.0.2.1]", "192.0.2.1"),
            ("_dmarc.evil.example", "_dmarc.evil.example"),
        ] {
            assert_eq!(parse(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn every_spelling_of_a_url_is_one_rule() {
        for (text, expected) in [
            ("https://evil.example", "evil.example"),
            ("https://evil.example/", "evil.example/"),
            ("HTTP://user@EVIL.example:81/a/./b/../%63#top", "evil.example/a/c"),
            ("evil.example/a?b=c", "evil.example/a?b=c"),
            ("evil.example?b", "evil.example/?b"),
            ("evil.example//a//", "evil.example/a/"),
        ] {
            let expected = if expected.contains('/') { expected.to_owned() } else { format!("{expected}/") };
            assert_eq!(BlockRule::parse(text), Ok(BlockRule::Url(expected)), "{text}");
        }
        let url = BlockRule::parse("evil.example/a").unwrap();
        assert_eq!(BlockRule::from_stored(url.to_string()), url);
    }

    #[test]
    fn a_public_suffix_is_never_blocked_whole() {
        for text in [
            "com",
            "co.uk",
            "*.co.uk",
            "CO.UK.",
            "https://co.uk/",
            "github.io",
            "blogspot.com",
            "s3.amazonaws.com",
            "localhost",
            "unknown-tld",
            "\u{516c}\u{53f8}.cn",
        ] {
            assert_eq!(parse(text), Err(RuleError::PublicSuffix), "{text}");
        }
        for text in ["example.co.uk", "evil.github.io", "github.io/evil/", "co.uk/a", "amazonaws.com"] {
            assert!(parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_has_no_host_is_no_rule() {
        for text in [
            "",
            " ",
            ".",
            "/a",
            "https://",
            "evil example",
            "a..b/\u{0}",
            "<html>",
            "mailto:a@b.example",
            "a\u{0}b.example",
        ] {
            let refused = parse(text);
            assert!(refused.is_err() || text == "a..b/\u{0}", "{text:?}: {refused:?}");
        }
        assert_eq!(parse(&format!("evil.example/{}", "a".repeat(2100))), Err(RuleError::TooLong));
        assert_eq!(parse(&format!("evil.example/{}", "\u{e9}".repeat(900))), Err(RuleError::TooLong));
    }
}
