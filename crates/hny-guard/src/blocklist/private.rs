//! Hosts that are nobody's on the internet: private address ranges, and names that only a local network knows.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(a: u16, b: u16, c: u16, length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), length)
}

/// What the registries of special addresses set apart, and the one address of a cloud's metadata that lies among public ones.
const IPV4: &[Ipv4Net] = &[
    v4(0, 0, 0, 0, 8),
    v4(10, 0, 0, 0, 8),
    v4(100, 64, 0, 0, 10),
    v4(127, 0, 0, 0, 8),
    v4(168, 63, 129, 16, 32),
    v4(169, 254, 0, 0, 16),
    v4(172, 16, 0, 0, 12),
    v4(192, 0, 0, 0, 24),
    v4(192, 0, 2, 0, 24),
    v4(192, 88, 99, 0, 24),
    v4(192, 168, 0, 0, 16),
    v4(198, 18, 0, 0, 15),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    v4(224, 0, 0, 0, 4),
    v4(240, 0, 0, 0, 4),
];

const IPV6: &[Ipv6Net] = &[
    // Unspecified, loopback, and the forgotten way to carry IPv4.
    v6(0, 0, 0, 96),
    v6(0x64, 0xff9b, 1, 48),
    v6(0x100, 0, 0, 64),
    // Teredo is among these.
    v6(0x2001, 0, 0, 23),
    v6(0x2001, 0xdb8, 0, 32),
    v6(0x3fff, 0, 0, 20),
    v6(0x5f00, 0, 0, 16),
    v6(0xfc00, 0, 0, 7),
    v6(0xfe80, 0, 0, 10),
    v6(0xfec0, 0, 0, 10),
    v6(0xff00, 0, 0, 8),
];

/// Domains that no registry on the internet gives away.
const LOCAL: &[&str] = &["home.arpa", "internal", "local", "localhost"];

/// Whether a canonical host is private. Names are not looked up: what they lead to may change with every question.
pub(super) fn is_private(host: &str) -> bool {
    if let Some(inner) = host.strip_prefix('[') {
        return inner.trim_end_matches(']').parse().is_ok_and(is_private_v6);
    }
    if let Ok(address) = host.parse() {
        return is_private_v4(address);
    }
    let is_below =
        |domain: &str| host.strip_suffix(domain).is_some_and(|front| front.is_empty() || front.ends_with('.'));
    !host.contains('.') || LOCAL.iter().any(|domain| is_below(domain))
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    IPV4.iter().any(|network| network.contains(&address))
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    match carried(address) {
        Some(carried) => is_private_v4(carried),
        None => IPV6.iter().any(|network| network.contains(&address)),
    }
}

/// The IPv4 address that an IPv6 address stands for: mapped, of NAT64, or of 6to4.
fn carried(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let octets = address.octets();
    match address.segments() {
        _ if let IpAddr::V4(mapped) = address.to_canonical() => Some(mapped),
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => Some(Ipv4Addr::new(octets[12], octets[13], octets[14], octets[15])),
        [0x2002, ..] => Some(Ipv4Addr::new(octets[2], octets[3], octets[4], octets[5])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::place::Place;
    use super::*;

    /// As the URL of a link: written by the serialiser.
    fn is_private_target(url: &str) -> bool {
        let url = url::Url::parse(url).unwrap();
        is_private(&Place::of(url.as_str()).unwrap().host)
    }

    #[test]
    fn every_spelling_of_a_private_address_is_private() {
        for url in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://017700000001/",
            "http://127.1/",
            "http://[::ffff:7f00:1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[64:ff9b::7f00:1]/",
            "http://[2002:7f00:1::]/",
            "http://[2002:a00:1::5]/",
            "http://[::127.0.0.1]/",
            "http://[::1]/",
            "http://[::]/",
            "http://0/",
            "http://①②⑦.⓪.⓪.①/",
            "http://127.0.0.1./",
            "http://%31%32%37.0.0.1/",
            "http://10.1.2.3:8080/a",
            "http://172.31.255.255/",
            "http://192.168.1.1/",
            "http://169.254.169.254/latest/meta-data/",
            "http://100.100.100.200/",
            "http://168.63.129.16/",
            "http://224.0.0.1/",
            "http://255.255.255.255/",
            "http://[fc00::1]/",
            "http://[fd12:3456::1]/",
            "http://[fe80::1]/",
            "http://[fec0::1]/",
            "http://[ff02::1]/",
            "http://[2001:db8::1]/",
            "http://[2001::1]/",
            "http://[64:ff9b:1::1]/",
            "http://[100::1]/",
            "http://[3fff::1]/",
            "http://[5f00::1]/",
        ] {
            assert!(is_private_target(url), "{url}");
        }
    }

    #[test]
    fn every_range_is_private_from_its_first_address_to_its_last() {
        for network in IPV4 {
            assert!(is_private_v4(network.network()) && is_private_v4(network.broadcast()), "{network}");
        }
        for network in IPV6 {
            assert!(is_private_v6(network.network()) && is_private_v6(network.broadcast()), "{network}");
        }
    }

    #[test]
    fn local_names_are_private() {
        for url in [
            "http://localhost/",
            "http://LOCALHOST:8080/",
            "http://a.localhost./",
            "http://intranet/",
            "http://printer.local/",
            "http://metadata.google.internal/",
            "http://router.home.arpa/",
        ] {
            assert!(is_private_target(url), "{url}");
        }
    }

    #[test]
    fn what_is_public_is_not() {
        for url in [
            "http://8.8.8.8/",
            "http://172.15.255.255/",
            "http://172.32.0.0/",
            "http://100.63.255.255/",
            "http://100.128.0.0/",
            "http://192.167.255.255/",
            "http://223.255.255.255/",
            "http://[2606:4700::1111]/",
            "http://[::ffff:8.8.8.8]/",
            "http://[64:ff9b::8.8.8.8]/",
            "http://[2002:808:808::]/",
            "http://example.com/",
            "http://notlocal.example/",
            "http://mylocalhost.example/",
            "http://internal.example/",
            "http://127.0.0.1.example/",
        ] {
            assert!(!is_private_target(url), "{url}");
        }
    }
}
