//! Our own hosts: a link may not lead to them, or it would lead in a circle.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

/// The hosts that this installation answers on.
#[derive(Debug, Clone)]
pub struct OwnHosts {
    base: Host<String>,
    ports: Vec<u16>,
    /// These on any port.
    others: Vec<Host<String>>,
}

impl OwnHosts {
    /// From the base URL. With a port in it, that port is ours; without one, both 80 and 443 are, since whoever serves a
    /// name on one of them sends visitors of the other there.
    ///
    /// `None` when the URL has no host.
    pub fn of_base_url(base: &Url) -> Option<Self> {
        let ports = base.port().map_or_else(|| vec![80, 443], |port| vec![port]);
        Some(Self { base: normal(&base.host()?), ports, others: Vec::new() })
    }

    /// Whether `url` leads back to us, however its host is spelled.
    pub fn contain(&self, url: &Url) -> bool {
        let Some(host) = url.host().map(|host| normal(&host)) else { return false };
        let has_port = || url.port_or_known_default().is_some_and(|port| self.ports.contains(&port));
        host == self.base && has_port() || self.others.contains(&host)
    }

    /// One more host, on any port.
    pub(crate) fn add(&mut self, host: &Host<String>) {
        let host = match host {
            Host::Domain(name) => Host::Domain(name.as_str()),
            Host::Ipv4(address) => Host::Ipv4(*address),
            Host::Ipv6(address) => Host::Ipv6(*address),
        };
        self.others.push(normal(&host));
    }
}

/// One spelling per host: no trailing dots, IPv4 as IPv4, and every name of this machine for itself as `127.0.0.1`.
/// (Case, percent escapes and number formats are already undone by the URL parser.)
fn normal(host: &Host<&str>) -> Host<String> {
    match *host {
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            if name == "localhost" || name.ends_with(".localhost") {
                return Host::Ipv4(Ipv4Addr::LOCALHOST);
            }
            Host::Domain(name.to_owned())
        }
        Host::Ipv4(address) => of_address(IpAddr::V4(address)),
        Host::Ipv6(address) => of_address(carried(address)),
    }
}

/// The address that an IPv6 address leads to: that of IPv4 which it maps, or which a gateway takes from it (RFC 6052).
fn carried(address: Ipv6Addr) -> IpAddr {
    match (address.segments(), address.octets()) {
        ([0x64, 0xff9b, 0, 0, 0, 0, ..], [.., a, b, c, d]) => Ipv4Addr::new(a, b, c, d).into(),
        _ => address.to_canonical(),
    }
}

fn of_address(address: IpAddr) -> Host<String> {
    match address {
        // An unspecified address is this machine to most clients.
        address if address.is_loopback() || address.is_unspecified() => Host::Ipv4(Ipv4Addr::LOCALHOST),
        IpAddr::V4(address) => Host::Ipv4(address),
        IpAddr::V6(address) => Host::<String>::Ipv6(Ipv6Addr::from_bits(address.to_bits())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contain(base: &str, target: &str) -> bool {
        let base = Url::parse(base).unwrap();
        OwnHosts::of_base_url(&base).unwrap().contain(&Url::parse(target).unwrap())
    }

    #[test]
    fn every_spelling_of_a_name_is_ours() {
        for target in [
            "https://hny.example/abc",
            "http://hny.example/abc",
            "https://HNY.Example/abc",
            "https://hny.example./abc",
            "https://hny.example:443/",
            "http://hny.example:80/",
            "https://%68ny.example/",
            "https://ｈny.example/",
            "https://hny。example/",
        ] {
            assert!(contain("https://hny.example/s", target), "{target}");
        }
        for target in [
            "https://hny.example:8443/",
            "https://www.hny.example/",
            "https://hny.example.org/",
            "https://xhny.example/",
        ] {
            assert!(!contain("https://hny.example/s", target), "{target}");
        }
    }

    #[test]
    fn every_spelling_of_this_machine_is_ours() {
        for target in [
            "http://127.0.0.1:8080/a",
            "https://127.0.0.1:8080/a",
            "http://localhost:8080/",
            "http://LOCALHOST.:8080/",
            "http://[::1]:8080/",
            "http://[::ffff:127.0.0.1]:8080/",
            "http://[64:ff9b::127.0.0.1]:8080/",
            "http://2130706433:8080/",
            "http://0x7f.1:8080/",
            "http://0.0.0.0:8080/",
        ] {
            assert!(contain("http://127.0.0.1:8080", target), "{target}");
            assert!(contain("http://localhost:8080", target), "{target}");
        }
        for target in
            ["http://127.0.0.1:8081/", "http://127.0.0.1/", "http://192.0.2.7:8080/", "http://[2001:db8::1]:8080/"]
        {
            assert!(!contain("http://127.0.0.1:8080", target), "{target}");
        }
    }
}
