//! Hosts in one spelling.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use idna::AsciiDenyList;

/// Lower case, as Punycode, without dots too many, addresses as addresses are written; not yet escaped. `None` if nothing is left.
pub(super) fn canonical(host: &[u8]) -> Option<Vec<u8>> {
    let mut host = without_stray_dots(ascii(host));
    host.make_ascii_lowercase();
    if host.is_empty() {
        return None;
    }
    if let Some(address) = bracketed(&host) {
        return Some(written(address).into_bytes());
    }
    Some(ipv4(&host).map_or(host, |address| address.to_string().into_bytes()))
}

/// Whether a canonical host is an address, which has no domain above it.
pub(crate) fn is_address(host: &str) -> bool {
    bracketed(host.as_bytes()).is_some() || host.parse::<Ipv4Addr>().is_ok()
}

/// An IPv4 address that an IPv6 address only carries (mapped, or of NAT64) is that address.
fn written(address: Ipv6Addr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => match address.segments() {
            [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
                let [.., a, b, c, d] = address.octets();
                Ipv4Addr::new(a, b, c, d).to_string()
            }
            _ => format!("[{address}]"),
        },
    }
}

fn bracketed(host: &[u8]) -> Option<Ipv6Addr> {
    let inner = host.strip_prefix(b"[")?.strip_suffix(b"]")?;
    std::str::from_utf8(inner).ok()?.parse().ok()
}

/// As Punycode, where it is a name in another script; what is none stays as it is, as what has signs in it that no host has: in Punycode
/// they would stand in another order, and might be an escape.
fn ascii(host: &[u8]) -> Cow<'_, [u8]> {
    let name = std::str::from_utf8(host).ok().filter(|name| !name.is_ascii());
    let name = name.and_then(|name| idna::domain_to_ascii_cow(name.as_bytes(), AsciiDenyList::URL).ok());
    name.map_or(host.into(), |name| name.into_owned().into_bytes().into())
}

fn without_stray_dots(host: Cow<'_, [u8]>) -> Vec<u8> {
    if host.split(|byte| *byte == b'.').all(|label| !label.is_empty()) {
        return host.into_owned();
    }
    let labels = host.split(|byte| *byte == b'.').filter(|label| !label.is_empty());
    labels.collect::<Vec<_>>().join(&b'.')
}

/// The longest text in which a resolver overlooks what stands behind an address.
const LONGEST_WITH_RUBBISH: usize = 15;

/// Every spelling that resolvers take for an IPv4 address: fewer parts, octal and hexadecimal numbers, and an address with
/// a space and rubbish behind it.
fn ipv4(host: &[u8]) -> Option<Ipv4Addr> {
    let mut text = std::str::from_utf8(host).ok()?;
    if let Some((front, _)) = text.split_once(' ')
        && text.len() <= LONGEST_WITH_RUBBISH
        && front.split('.').count() == 4
    {
        text = front;
    }
    let parts: Vec<u32> = text.split('.').map(number).collect::<Option<_>>()?;
    let (last, front) = parts.split_last().filter(|(_, front)| front.len() < 4)?;
    let mut bits = front.iter().fold(0_u32, |bits, part| bits << 8 | part & 0xff);
    // The last number fills what is left.
    let left = 32 - 8 * u32::try_from(front.len()).ok()?;
    bits = bits.checked_shl(left).unwrap_or(0);
    let mask = u32::MAX >> (32 - left);
    Some(Ipv4Addr::from_bits(bits | last & mask))
}

fn number(text: &str) -> Option<u32> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None if text.len() > 1 && text.starts_with('0') => (&text[1..], 8),
        None => (text, 10),
    };
    // The parser of the standard library would take a sign.
    digits.starts_with(|first: char| first.is_digit(radix)).then(|| u32::from_str_radix(digits, radix).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_an_ipv4_address_is_read() {
        // Of the tests of Google's client for Go.
        for (host, expected) in [
            ("123.123.0.0.1", None),
            ("255.0.0.1", Some("255.0.0.1")),
            ("12.0x12.01234", Some("12.18.2.156")),
            ("276.2.3", Some("20.2.0.3")),
            ("012.034.01.055", Some("10.28.1.45")),
            ("0x12.0x43.0x44.0x01", Some("18.67.68.1")),
            ("167838211", Some("10.1.2.3")),
            ("3279880203", Some("195.127.0.11")),
            ("4294967295", Some("255.255.255.255")),
            ("10.192.95.89 xy", Some("10.192.95.89")),
            ("1.2.3.00x0", None),
            ("4294967296", None),
            ("0", Some("0.0.0.0")),
            ("1.2.3.", None),
            ("+1.2.3.4", None),
            ("1.2.3.4a", None),
        ] {
            assert_eq!(ipv4(host.as_bytes()), expected.map(|text| text.parse().unwrap()), "{host}");
        }
    }

    #[test]
    fn an_address_that_is_carried_is_itself() {
        for (host, expected) in [
            ("[2001:0db8:0000::1]", "[2001:db8::1]"),
            ("[::ffff:1.2.3.4]", "1.2.3.4"),
            ("[64:ff9b::1.2.3.4]", "1.2.3.4"),
            ("[2001:470:1:18::114]", "[2001:470:1:18::114]"),
            ("www.\u{fc}mlat.com", "www.xn--mlat-zra.com"),
            ("..a...b.", "a.b"),
            ("A。b", "a.b"),
        ] {
            assert_eq!(canonical(host.as_bytes()).unwrap(), expected.as_bytes(), "{host}");
        }
        assert!(is_address("1.2.3.4") && is_address("[::1]") && !is_address("1.2.3.4.example"));
    }
}
