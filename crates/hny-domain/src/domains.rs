//! The domains that links live on: that of the base URL, and those that the settings name beside it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;
use url::{Host, Url};

use crate::{BaseUrl, BaseUrlError, DomainId};

/// A host, and a port where short URLs shall have one, such as `go.example` or `go.example:8443`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DomainName {
    host: Host<String>,
    port: Option<u16>,
}

/// A text is not the name of a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a domain is a host name, perhaps with a port, such as go.example or go.example:8443")]
pub struct DomainNameError;

/// Names cannot be told apart.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DomainsError {
    /// Two domains have one host.
    #[error(
        "the host {0} is named twice, or is that of the base URL; name each domain once, beside that of the base URL"
    )]
    Twice(String),
    /// A short URL cannot be made of it.
    #[error(transparent)]
    BaseUrl(#[from] BaseUrlError),
}

/// The domains of an installation.
#[derive(Debug, Clone)]
pub struct Domains {
    base: Arc<BaseUrl>,
    others: Vec<Domain>,
}

/// One of them.
#[derive(Debug, Clone)]
struct Domain {
    id: DomainId,
    base: BaseUrl,
}

impl DomainName {
    /// The host, in lower case and ASCII, without a dot at its end.
    pub fn host(&self) -> String {
        self.host.to_string()
    }

    /// The host, and the port of its short URLs.
    pub(crate) fn parts(&self) -> (&Host<String>, Option<u16>) {
        (&self.host, self.port)
    }
}

impl FromStr for DomainName {
    type Err = DomainNameError;

    fn from_str(text: &str) -> Result<Self, DomainNameError> {
        // A scheme without a default port, so that every port that is written is kept.
        let url = Url::parse(&format!("http://{text}/")).map_err(|_| DomainNameError)?;
        let written_port =
            text.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).filter(|_| !text.ends_with(']'));
        let is_host_only = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let is_plain = is_host_only && url.username().is_empty() && url.password().is_none();
        if !is_plain || text.contains(|sign: char| sign.is_whitespace() || matches!(sign, '/' | '\\' | '?' | '#' | '@'))
        {
            return Err(DomainNameError);
        }
        let host = match url.host().ok_or(DomainNameError)? {
            Host::Domain(name) => Host::Domain(name.trim_end_matches('.').to_owned()),
            address => address.to_owned(),
        };
        Ok(Self { host, port: written_port })
    }
}

impl Domains {
    /// That of the base URL alone.
    pub fn one(base: Arc<BaseUrl>) -> Self {
        Self { base, others: Vec::new() }
    }

    /// That of the base URL, and these beside it. Short URLs of all have the scheme and the path of the base URL.
    pub fn new(
        base: Arc<BaseUrl>,
        others: impl IntoIterator<Item = (DomainId, DomainName)>,
    ) -> Result<Self, DomainsError> {
        let mut domains = Self::one(base);
        for (id, name) in others {
            if domains.of_host(name.host().as_bytes()).is_some() {
                return Err(DomainsError::Twice(name.host()));
            }
            domains.others.push(Domain { id, base: domains.base.on(&name)? });
        }
        Ok(domains)
    }

    /// What the short URLs of the first domain start with.
    pub fn base(&self) -> &Arc<BaseUrl> {
        &self.base
    }

    /// What the short URLs of a domain start with. One that the settings no longer name is shown as that of the base URL.
    pub fn base_of(&self, id: DomainId) -> &BaseUrl {
        self.others.iter().find(|domain| domain.id == id).map_or(&self.base, |domain| &domain.base)
    }

    /// The name of a domain. One that the settings no longer name has a number only, so that it does not look like another.
    pub fn name_of(&self, id: DomainId) -> String {
        let found = self.all().find(|(known, _)| *known == id);
        found.map_or_else(|| format!("#{}", id.0), |(_, base)| base.domain().to_owned())
    }

    /// The domain that a visit is for, by the host that it names. With one domain every host will do; with several, a host that is
    /// none of them has no links, and who names none (HTTP/1.0) is at the first.
    pub fn of_visit(&self, host: Option<&[u8]>) -> Option<DomainId> {
        match host {
            Some(host) if !self.others.is_empty() => self.of_host(host),
            _ => Some(DomainId::BASE),
        }
    }

    /// The domain that a caller names, as links show it.
    pub fn named(&self, name: &str) -> Option<DomainId> {
        self.all().find(|(_, base)| base.domain().eq_ignore_ascii_case(name)).map(|(id, _)| id)
    }

    /// As in `Host`: whatever the port, the case, and a dot at the end.
    fn of_host(&self, host: &[u8]) -> Option<DomainId> {
        let host = without_port(host);
        let host = host.strip_suffix(b".").unwrap_or(host);
        self.all().find(|(_, base)| base.host().as_bytes().eq_ignore_ascii_case(host)).map(|(id, _)| id)
    }

    /// All of them, with what their short URLs start with; that of the base URL is the first.
    pub fn all(&self) -> impl Iterator<Item = (DomainId, &BaseUrl)> {
        let others = self.others.iter().map(|domain| (domain.id, &domain.base));
        std::iter::once((DomainId::BASE, &*self.base)).chain(others)
    }
}

/// The host in `host:port`; the colons of an IPv6 address stand in brackets.
fn without_port(host: &[u8]) -> &[u8] {
    match host.iter().rposition(|byte| *byte == b':') {
        Some(colon) if host[colon + 1..].iter().all(u8::is_ascii_digit) => &host[..colon],
        _ => host,
    }
}

impl fmt::Display for Domains {
    /// Their names, for who named another.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (_, base)) in self.all().enumerate() {
            let joint = if number == 0 { "" } else { ", " };
            write!(f, "{joint}{}", base.domain())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domains(base: &str, others: &[&str]) -> Result<Domains, DomainsError> {
        let names = others.iter().map(|name| name.parse().unwrap());
        Domains::new(Arc::new(BaseUrl::parse(base).unwrap()), (1..).map(DomainId).zip(names))
    }

    #[test]
    fn a_name_is_a_host_and_perhaps_a_port() {
        for (text, host, port) in [
            ("go.example", "go.example", None),
            ("GO.Example.", "go.example", None),
            ("go.example:80", "go.example", Some(80)),
            ("go.example:8443", "go.example", Some(8443)),
            ("grün.example", "xn--grn-ioa.example", None),
            ("192.0.2.1", "192.0.2.1", None),
            ("[2001:db8::1]", "[2001:db8::1]", None),
            ("[2001:db8::1]:81", "[2001:db8::1]", Some(81)),
        ] {
            let name: DomainName = text.parse().unwrap();
            assert_eq!((name.host().as_str(), name.port), (host, port), "{text}");
        }
        for text in
            ["", "https://go.example", "go.example/", "go.example/s", "go example", "u@go.example", "go.example:x"]
        {
            assert_eq!(text.parse::<DomainName>(), Err(DomainNameError), "{text:?}");
        }
    }

    #[test]
    fn the_host_of_a_visit_says_the_domain() {
        let domains = domains("https://sho.example", &["go.example", "xn--grn-ioa.example", "[2001:db8::1]"]).unwrap();
        for (host, id) in [
            ("sho.example", Some(0)),
            ("go.example", Some(1)),
            ("GO.EXAMPLE:443", Some(1)),
            ("go.example.", Some(1)),
            ("go.example.:8080", Some(1)),
            ("xn--grn-ioa.example", Some(2)),
            ("[2001:db8::1]:80", Some(3)),
            ("[2001:DB8::1]", Some(3)),
            ("www.go.example", None),
            ("evil.example", None),
            ("go.example.evil.example", None),
            ("go.example:x", None),
            ("", None),
            (":80", None),
        ] {
            assert_eq!(domains.of_visit(Some(host.as_bytes())), id.map(DomainId), "{host}");
        }
        assert_eq!(domains.of_visit(None), Some(DomainId::BASE));
        assert_eq!(domains.of_visit(Some(b"\xff")), None);
    }

    #[test]
    fn with_one_domain_every_host_will_do() {
        let domains = domains("https://sho.example", &[]).unwrap();
        for host in [None, Some(&b"sho.example"[..]), Some(b"evil.example"), Some(b"")] {
            assert_eq!(domains.of_visit(host), Some(DomainId::BASE));
        }
    }

    #[test]
    fn short_urls_have_the_scheme_and_the_path_of_the_base_url() {
        let domains = domains("https://sho.example:8443/s", &["go.example", "x.example:8444"]).unwrap();
        assert_eq!(domains.base_of(DomainId(1)).as_str(), "https://go.example/s");
        assert_eq!(domains.base_of(DomainId(2)).as_str(), "https://x.example:8444/s");
        assert_eq!(domains.base_of(DomainId::BASE).as_str(), "https://sho.example:8443/s");
        for (name, id) in [("sho.example:8443", Some(0)), ("GO.example", Some(1)), ("x.example:8444", Some(2))] {
            assert_eq!(domains.named(name), id.map(DomainId), "{name}");
        }
        assert_eq!((domains.named("sho.example"), domains.named("evil.example")), (None, None));
        assert_eq!([0, 1, 3].map(|id| domains.name_of(DomainId(id))), ["sho.example:8443", "go.example", "#3"]);
        assert_eq!(domains.to_string(), "sho.example:8443, go.example, x.example:8444");
    }

    #[test]
    fn a_host_is_one_domain() {
        for others in [&["sho.example:81"][..], &["go.example", "GO.example:81"]] {
            assert!(matches!(domains("https://sho.example", others), Err(DomainsError::Twice(_))), "{others:?}");
        }
    }

    #[test]
    fn nothing_leads_to_a_domain_on_any_port() {
        let base = BaseUrl::parse("https://sho.example").unwrap();
        let base = base.beside(&["go.example".parse().unwrap()]);
        for url in ["https://go.example/a", "http://GO.example.:81/", "https://sho.example/"] {
            assert!(crate::Target::parse_foreign(url, base.own_hosts()).is_err(), "{url}");
        }
        assert!(crate::Target::parse_foreign("https://www.go.example/", base.own_hosts()).is_ok());
    }
}
