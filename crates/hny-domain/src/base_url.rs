//! What short URLs start with.

use thiserror::Error;
use url::Url;

use crate::{Code, DomainName, OwnHosts};

/// An absolute http or https URL, perhaps with a path prefix, such as `https://hny.example` or `https://example.org/s`.
///
/// Everything we ever write as a short URL comes from here and from no header of a request.
#[derive(Debug, Clone)]
pub struct BaseUrl {
    /// Without the slash at the end.
    text: String,
    /// Host, and port where the URL has one.
    domain: String,
    /// Host alone.
    host: String,
    /// Empty, or `/s`.
    prefix: String,
    own: OwnHosts,
}

/// Why a URL cannot be a base URL.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BaseUrlError {
    /// Not a URL.
    #[error("this is not a URL ({0}); one that is: https://hny.example")]
    Invalid(#[from] url::ParseError),
    /// Neither http nor https.
    #[error("it must start with http:// or https://")]
    Scheme,
    /// It has a query, a fragment or a user name.
    #[error("it may have a host, a port and a path, and nothing else, as in https://example.org/s")]
    Surplus,
}

impl BaseUrl {
    /// Takes a URL as a base URL; slashes at its end do not count.
    pub fn new(url: &Url) -> Result<Self, BaseUrlError> {
        let (Some(host), "http" | "https") = (url.host_str(), url.scheme()) else {
            return Err(BaseUrlError::Scheme);
        };
        let has_user = !url.username().is_empty() || url.password().is_some();
        if has_user || url.query().is_some() || url.fragment().is_some() {
            return Err(BaseUrlError::Surplus);
        }
        let own = OwnHosts::of_base_url(url).ok_or(BaseUrlError::Scheme)?;
        let domain = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let prefix = url.path().trim_end_matches('/').to_owned();
        let (text, host) = (url.as_str().trim_end_matches('/').to_owned(), host.trim_end_matches('.').to_owned());
        Ok(Self { text, domain, host, prefix, own })
    }

    /// Takes a text as a base URL.
    pub fn parse(text: &str) -> Result<Self, BaseUrlError> {
        Self::new(&Url::parse(text)?)
    }

    /// The same, for an installation that answers on these domains, too: no target may lead to them either.
    #[must_use]
    pub fn beside(mut self, others: &[DomainName]) -> Self {
        for name in others {
            self.own.add(name.parts().0);
        }
        self
    }

    /// The same on another domain: scheme and path stay.
    pub(crate) fn on(&self, name: &DomainName) -> Result<Self, BaseUrlError> {
        let mut url = Url::parse(&self.text)?;
        let (host, port) = name.parts();
        url.set_host(Some(&host.to_string()))?;
        // Refused for URLs without a host only.
        url.set_port(port).map_err(|()| BaseUrlError::Scheme)?;
        Ok(Self { own: self.own.clone(), ..Self::new(&url)? })
    }

    /// The URL, without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The short URL of a code.
    pub fn short_url(&self, code: &Code) -> String {
        format!("{}/{code}", self.text)
    }

    /// Host, and port where the URL has one: how the domain of a link is shown.
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// Host alone, without a dot at its end.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The path before the code: empty, or such as `/s`.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Whether a code would be taken for the path before the codes: in `https://example.org/s` that is `s`.
    pub fn hides(&self, code: &str) -> bool {
        let first = self.prefix.split('/').nth(1);
        first == Some(code)
    }

    /// The hosts that no target may have.
    pub fn own_hosts(&self) -> &OwnHosts {
        &self.own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_is_there_once() {
        for (text, short, domain, prefix) in [
            ("https://sho.example", "https://sho.example/abc", "sho.example", ""),
            ("https://SHO.example:443/", "https://sho.example/abc", "sho.example", ""),
            ("https://sho.example/s", "https://sho.example/s/abc", "sho.example", "/s"),
            ("https://sho.example/s/", "https://sho.example/s/abc", "sho.example", "/s"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/abc", "127.0.0.1:8080", ""),
        ] {
            let base = BaseUrl::parse(text).unwrap();
            let code = Code::parse("abc").unwrap();
            assert_eq!((base.short_url(&code).as_str(), base.domain(), base.prefix()), (short, domain, prefix));
        }
    }

    #[test]
    fn a_prefix_hides_one_code() {
        let hides = |base: &str, code: &str| BaseUrl::parse(base).unwrap().hides(code);
        assert!(hides("https://sho.example/s/t/", "s") && !hides("https://sho.example/s/t/", "t"));
        assert!(!hides("https://sho.example/", "") && !hides("https://sho.example/s", ""));
    }

    #[test]
    fn what_is_more_or_less_is_refused() {
        for text in [
            "sho.example",
            "ftp://sho.example",
            "https://u@sho.example",
            "https://sho.example/?q",
            "https://sho.example/#f",
        ] {
            assert!(BaseUrl::parse(text).is_err(), "{text}");
        }
    }
}
