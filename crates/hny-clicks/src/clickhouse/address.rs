//! Where ClickHouse is.

use std::fmt;

use thiserror::Error;
use url::Url;

/// The database of a URL that names none: the one that every installation has.
const DEFAULT_DATABASE: &str = "default";

/// A database of ClickHouse, by its HTTP interface.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    pub(super) url: String,
    pub(super) database: String,
    pub(super) user: String,
    pub(super) password: String,
}

/// What is wrong with the URL of a ClickHouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be http://host:8123/database, with user:password@ before the host where needed; https:// for TLS")]
pub struct AddressError;

impl Address {
    /// Reads `http://user:password@host:8123/database`, of which only the host must be said; `https` for TLS.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let mut url = Url::parse(text).map_err(|_| AddressError)?;
        let is_plain = url.query().is_none() && url.fragment().is_none() && url.host().is_some();
        if !matches!(url.scheme(), "http" | "https") || !is_plain {
            return Err(AddressError);
        }
        let database = match url.path().trim_start_matches('/') {
            "" => DEFAULT_DATABASE,
            name if is_name(name) => name,
            _ => return Err(AddressError),
        };
        let database = database.to_owned();
        let user = decoded(url.username())?;
        let user = if user.is_empty() { "default".to_owned() } else { user };
        let password = decoded(url.password().unwrap_or_default())?;
        // The interface is at 8123 (8443 with TLS) where nothing else is said, and not where web pages are.
        let has_port = text.split_once("://").is_some_and(|(_, rest)| says_port(rest));
        let port = url.port_or_known_default().filter(|_| has_port);
        let port = port.unwrap_or(if url.scheme() == "https" { 8443 } else { 8123 });
        url.set_path("/");
        let cleared =
            url.set_username("").and_then(|()| url.set_password(None)).and_then(|()| url.set_port(Some(port)));
        cleared.map_err(|()| AddressError)?;
        Ok(Self { url: url.into(), database, user, password })
    }
}

fn says_port(rest: &str) -> bool {
    let authority = rest.split('/').next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    host.rsplit_once(']').map_or(host, |(_, after)| after).contains(':')
}

fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn decoded(text: &str) -> Result<String, AddressError> {
    let text = percent_encoding::percent_decode_str(text).decode_utf8();
    text.map(Into::into).map_err(|_| AddressError)
}

/// Without the password.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Address").field("url", &self.url).field("database", &self.database).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> [String; 4] {
        let Address { url, database, user, password } = Address::parse(text).unwrap();
        [url, database, user, password]
    }

    #[test]
    fn what_is_not_said_is_what_clickhouse_is_installed_with() {
        assert_eq!(parts("http://a.example"), ["http://a.example:8123/", "default", "default", ""]);
        assert_eq!(parts("https://a.example/"), ["https://a.example:8443/", "default", "default", ""]);
    }

    #[test]
    fn everything_can_be_said() {
        assert_eq!(
            parts("http://me:s%20p%3A@10.0.0.1:9000/clicks_1"),
            ["http://10.0.0.1:9000/", "clicks_1", "me", "s p:"]
        );
        assert_eq!(parts("http://a.example:80/x")[0], "http://a.example/");
        assert_eq!(parts("http://[::1]/x")[0], "http://[::1]:8123/");
        assert!(!format!("{:?}", Address::parse("http://me:secret@host").unwrap()).contains("secret"));
    }

    #[test]
    fn nothing_else_is_an_address() {
        for text in
            ["", "host", "tcp://host:9000", "http://", "http://host/a/b", "http://host/a?b=c", "http://host/a%20b"]
        {
            assert_eq!(Address::parse(text), Err(AddressError), "{text:?}");
        }
    }
}
