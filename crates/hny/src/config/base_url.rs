//! What short URLs start with.

use std::net::SocketAddr;

use thiserror::Error;
use url::Url;

/// What short URLs start with: an http or https URL, perhaps with a path prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaseUrl {
    /// This one. No query, no fragment, no user name; its path does not end in `/` unless it is only that.
    Given(Url),
    /// `http://` and the public address, whose port may only be known once it is bound.
    OfListen,
}

/// Why a text is not a base URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum BaseUrlError {
    /// It does not parse, or is neither http nor https.
    #[error("must be an http or https URL, such as https://hny.example")]
    Scheme,
    /// It has a user name or password.
    #[error("may not have a user name or password: leave out everything up to the @")]
    UserInfo,
    /// It has a query or a fragment.
    #[error("may not have a query or fragment: leave out everything from the ? or # on")]
    Tail,
}

impl BaseUrl {
    pub(super) fn parse(text: &str) -> Result<Self, BaseUrlError> {
        let mut url = Url::parse(text).map_err(|_| BaseUrlError::Scheme)?;
        // The parser also takes `http:host` and `http:///host`, which nobody writes on purpose.
        let starts_well = ["http://", "https://"].iter().any(|start| starts_with_ignoring_case(text, start));
        if !starts_well || text.contains(char::is_whitespace) {
            return Err(BaseUrlError::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BaseUrlError::UserInfo);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(BaseUrlError::Tail);
        }
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        Ok(Self::Given(url))
    }

    /// The URL, for a service that answers on `bound`.
    pub fn url(&self, bound: SocketAddr) -> Url {
        match self {
            Self::Given(url) => url.clone(),
            Self::OfListen => url_of(bound),
        }
    }
}

#[expect(clippy::expect_used, reason = "an IP address and a port are a host in any URL")]
fn url_of(address: SocketAddr) -> Url {
    // Anew, since a link-local address may have a zone (`%eth0`), which no URL can have.
    let address = SocketAddr::new(address.ip(), address.port());
    Url::parse(&format!("http://{address}")).expect("an address is a host")
}

fn starts_with_ignoring_case(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<String, BaseUrlError> {
        let somewhere = SocketAddr::from(([192, 0, 2, 1], 80));
        BaseUrl::parse(text).map(|base| base.url(somewhere).to_string())
    }

    #[test]
    fn a_trailing_slash_makes_no_difference() {
        for (text, url) in [
            ("https://sho.example", "https://sho.example/"),
            ("https://sho.example/", "https://sho.example/"),
            ("https://sho.example/s", "https://sho.example/s"),
            ("https://sho.example/s/", "https://sho.example/s"),
            ("https://sho.example/a/b//", "https://sho.example/a/b"),
            ("HTTP://SHO.example:80/S", "http://sho.example/S"),
            ("http://[::1]:8080", "http://[::1]:8080/"),
        ] {
            assert_eq!(parsed(text).as_deref(), Ok(url), "{text}");
        }
    }

    #[test]
    fn what_cannot_start_a_short_url_is_refused() {
        for (text, error) in [
            ("hny.example", BaseUrlError::Scheme),
            ("//hny.example", BaseUrlError::Scheme),
            ("ftp://hny.example", BaseUrlError::Scheme),
            ("https:hny.example", BaseUrlError::Scheme),
            ("https://", BaseUrlError::Scheme),
            ("true", BaseUrlError::Scheme),
            (" https://hny.example", BaseUrlError::Scheme),
            ("https://hny.example\n", BaseUrlError::Scheme),
            ("https://me@hny.example", BaseUrlError::UserInfo),
            ("https://:pw@hny.example", BaseUrlError::UserInfo),
            ("https://hny.example/?a", BaseUrlError::Tail),
            ("https://hny.example/#a", BaseUrlError::Tail),
        ] {
            assert_eq!(parsed(text), Err(error), "{text:?}");
        }
    }

    #[test]
    fn the_address_stands_in() {
        for (bound, url) in [
            ("127.0.0.1:49152", "http://127.0.0.1:49152/"),
            ("[::1]:80", "http://[::1]/"),
            ("[fe80::1%2]:81", "http://[fe80::1]:81/"),
        ] {
            assert_eq!(BaseUrl::OfListen.url(bound.parse().unwrap()).as_str(), url);
        }
    }
}
