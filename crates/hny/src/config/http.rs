//! Where and how requests are answered.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

use hny_domain::DomainName;
use hny_server::{Role, Roles};

use super::base_url::BaseUrl;
use super::reader::Reader;
use super::units;
use super::value::{ValueError, number};

/// What a way to somebody begins with (RFC 9116, section 2.5.3).
const CONTACT_SCHEMES: [&str; 3] = ["mailto:", "https://", "tel:"];

/// Where and how requests are answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Http {
    /// The public address. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// What short URLs start with.
    pub base_url: BaseUrl,
    /// The domains beside that of the base URL.
    pub domains: Vec<DomainName>,
    /// What this node answers.
    pub roles: Roles,
    /// Whom to tell of a hole, as URIs.
    pub security_contacts: Vec<String>,
    /// The address of `/metrics`, if it is wanted.
    pub metrics_listen: Option<SocketAddr>,
    /// Worker threads.
    pub threads: NonZeroUsize,
    /// How many connections are open at once.
    pub max_connections: NonZeroUsize,
    /// In what time the head of a request must have arrived, and then its body. Not zero.
    pub read_timeout: Duration,
    /// How long a kept-alive connection may be silent. Not zero.
    pub idle_timeout: Duration,
    /// How long after SIGTERM new connections are still taken.
    pub drain_delay: Duration,
    /// How long after that what runs may take to finish.
    pub drain_timeout: Duration,
}

impl Http {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let listen = reader.required("listen", parse_address);
        let base_url = reader.or("base_url", BaseUrl::OfListen, |text| Ok(BaseUrl::parse(text)?));
        let domains = reader.or("domains", Vec::new(), parse_domains);
        let roles = reader.required("roles", parse_roles);
        let security_contacts = reader.or("security_contact", Vec::new(), parse_contacts);
        let metrics_listen = reader.or("metrics_listen", None, |text| parse_address(text).map(Some));
        let threads = reader.or("threads", cores(), |text| parse_count(text, 1024));
        let max_connections = reader.required("max_connections", |text| parse_count(text, 1_000_000));
        let read_timeout = reader.required("read_timeout", units::parse_timeout);
        let idle_timeout = reader.required("idle_timeout", units::parse_timeout);
        let drain_delay = reader.required("drain_delay", units::parse_duration);
        let drain_timeout = reader.required("drain_timeout", units::parse_duration);
        if listen.is_some_and(|listen| listen.port() != 0 && metrics_listen == Some(Some(listen))) {
            reader.refuse("metrics_listen", ValueError::SameAddress);
        }
        Some(Self {
            listen: listen?,
            base_url: base_url?,
            domains: domains?,
            roles: roles?,
            security_contacts: security_contacts?,
            metrics_listen: metrics_listen?,
            threads: threads?,
            max_connections: max_connections?,
            read_timeout: read_timeout?,
            idle_timeout: idle_timeout?,
            drain_delay: drain_delay?,
            drain_timeout: drain_timeout?,
        })
    }
}

fn parse_address(text: &str) -> Result<SocketAddr, ValueError> {
    text.parse().map_err(|_| ValueError::Address)
}

fn parse_domains(text: &str) -> Result<Vec<DomainName>, ValueError> {
    text.split(',').map(|name| name.trim().parse().map_err(|_| ValueError::Domains)).collect()
}

/// Roles, separated by commas; each is named.
fn parse_roles(text: &str) -> Result<Roles, ValueError> {
    let role = |word: &str| Role::ALL.into_iter().find(|role| role.name() == word.trim());
    text.split(',').map(role).collect::<Option<Roles>>().ok_or(ValueError::Roles)
}

/// URIs, separated by commas. (A comma in one is written `%2C`.)
fn parse_contacts(text: &str) -> Result<Vec<String>, ValueError> {
    let contact = |word: &str| {
        let word = word.trim();
        let is_uri = word.bytes().all(|byte| byte.is_ascii_graphic());
        let leads_somewhere =
            CONTACT_SCHEMES.iter().any(|scheme| word.len() > scheme.len() && word.starts_with(scheme));
        (is_uri && leads_somewhere).then(|| word.to_owned())
    };
    text.split(',').map(contact).collect::<Option<_>>().ok_or(ValueError::Contact)
}

fn parse_count(text: &str, max: usize) -> Result<NonZeroUsize, ValueError> {
    let count = number(text, 1, max)?;
    NonZeroUsize::new(count).ok_or(ValueError::Number { min: 1, max })
}

fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

#[test]
fn a_contact_is_a_way_to_somebody() {
    let contacts = |text: &str| parse_contacts(text).ok();
    assert_eq!(
        contacts("mailto:a@b.example, https://b.example/report"),
        Some(vec!["mailto:a@b.example".to_owned(), "https://b.example/report".to_owned()])
    );
    for text in
        ["", "a@b.example", "mailto:", "http://b.example/", "mailto:a@b.example,", "mailto:a\nContact:b", "mailto:ä"]
    {
        assert_eq!(contacts(text), None, "{text:?}");
    }
}
