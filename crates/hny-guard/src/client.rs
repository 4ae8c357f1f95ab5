//! Who is a client, for limits.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A client: an IPv4 address or an IPv6 /64. It does not show which one, so that no address slips into a log.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Client(Network);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Network {
    V4(Ipv4Addr),
    /// The first 64 bits. A subscriber has at least as many addresses as share them, and changes them at will (RFC 8981).
    V6([u8; 8]),
}

impl Client {
    /// Whom this address belongs to. An IPv4-mapped address is the IPv4 address.
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => Network::V4(address),
            IpAddr::V6(address) => {
                let [prefix @ .., _, _, _, _, _, _, _, _] = address.octets();
                Network::V6(prefix)
            }
        })
    }

    /// Its address, or the first of its addresses, for who has to know from where somebody comes. It must not be written anywhere.
    pub fn network(self) -> IpAddr {
        match self.0 {
            Network::V4(address) => address.into(),
            Network::V6(prefix) => Ipv6Addr::from_bits(u128::from(u64::from_be_bytes(prefix)) << 64).into(),
        }
    }
}

impl Client {
    /// Different bytes for different clients.
    pub(crate) fn bytes(self) -> [u8; 9] {
        let (version, network) = match self.0 {
            Network::V4(address) => {
                let [a, b, c, d] = address.octets();
                (4, [a, b, c, d, 0, 0, 0, 0])
            }
            Network::V6(prefix) => (6, prefix),
        };
        let mut bytes = [version; 9];
        bytes[1..].copy_from_slice(&network);
        bytes
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Client(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(text: &str) -> Client {
        Client::of(text.parse().unwrap())
    }

    #[test]
    fn an_ipv4_address_is_a_client_of_its_own() {
        assert_ne!(client("203.0.113.5"), client("203.0.113.6"));
        assert_eq!(client("::ffff:203.0.113.5"), client("203.0.113.5"));
        // Compatible, not mapped: such addresses are IPv6 (RFC 4291, section 2.5.5.1).
        assert_ne!(client("::203.0.113.5"), client("203.0.113.5"));
    }

    #[test]
    fn a_64_is_one_client() {
        for other in ["2001:db8:1:2::", "2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"] {
            assert_eq!(client(other), client("2001:db8:1:2:a:b:c:d"), "{other}");
        }
        for other in ["2001:db8:1:3::", "2001:db8:9::1", "2001:db8::1"] {
            assert_ne!(client(other), client("2001:db8:1:2::1"), "{other}");
        }
    }

    #[test]
    fn a_client_has_a_first_address() {
        for (address, first) in [
            ("203.0.113.5", "203.0.113.5"),
            ("::ffff:203.0.113.5", "203.0.113.5"),
            ("2001:db8:1:2:a:b:c:d", "2001:db8:1:2::"),
        ] {
            assert_eq!(client(address).network(), first.parse::<IpAddr>().unwrap());
        }
    }

    #[test]
    fn an_address_is_not_shown() {
        assert_eq!(format!("{:?}", client("203.0.113.5")), "Client(hidden)");
    }
}
