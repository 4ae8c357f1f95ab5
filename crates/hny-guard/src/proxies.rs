//! From the peer of a connection, and what proxies say of it, to the client.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use ipnet::{IpNet, Ipv4Net};
use thiserror::Error;

use crate::Client;

/// The networks whose `X-Forwarded-For` is believed. Nobody is among them who is not named, not even the machine itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies(Box<[IpNet]>);

/// A text is no list of networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be networks or addresses, such as 10.0.0.0/8, 192.0.2.7 or fd00::/8, separated by commas")]
pub struct ProxyError;

impl TrustedProxies {
    /// Who sent a request that came from `peer`, with these lines of `X-Forwarded-For` in their order; all lines are one list.
    ///
    /// Each proxy puts behind the list from whom it has the request. So the list is read from its end, for as long as those who
    /// wrote it are trusted: the first who is not is the client. What is further in front is the client's own claim and is
    /// not looked at. An entry that is no address ends the walk at whom was reached before.
    pub fn client<'a>(&self, peer: IpAddr, lines: impl DoubleEndedIterator<Item = &'a [u8]>) -> Client {
        let mut reached = peer.to_canonical();
        // RFC 9110, section 5.6.1: empty elements of a list are none.
        let mut entries =
            lines.rev().flat_map(|line| line.rsplit(|byte| *byte == b',')).filter(|entry| !is_blank(entry));
        while self.trusts(reached)
            && let Some(further) = entries.next().and_then(address)
        {
            reached = further;
        }
        Client::of(reached)
    }

    /// Whether anything that this peer says of its clients is believed: if not, its header need not be looked for.
    pub fn trusts(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        self.0.iter().any(|network| network.contains(&peer))
    }
}

fn is_blank(entry: &[u8]) -> bool {
    entry.trim_ascii().is_empty()
}

/// An address as proxies write it: alone, with a port (`192.0.2.1:4711`, `[2001:db8::1]:4711`), or in brackets.
fn address(entry: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(entry.trim_ascii()).ok()?;
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let in_brackets = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(IpAddr::V6);
    let address = text.parse().ok().or_else(with_port).or_else(in_brackets)?;
    Some(address.to_canonical())
}

impl FromStr for TrustedProxies {
    type Err = ProxyError;

    fn from_str(text: &str) -> Result<Self, ProxyError> {
        text.split(',').map(|network| parse_network(network.trim())).collect::<Result<_, _>>().map(Self)
    }
}

/// A network, or a single address. One of IPv4-mapped addresses is the IPv4 network, since peers are compared so.
fn parse_network(text: &str) -> Result<IpNet, ProxyError> {
    let network = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_| ProxyError)?;
    match (network.addr().to_canonical(), network.prefix_len()) {
        (IpAddr::V4(address), length @ 96..) if matches!(network, IpNet::V6(_)) => {
            Ipv4Net::new(address, length - 96).map(IpNet::V4).map_err(|_| ProxyError)
        }
        _ => Ok(network),
    }
}

#[cfg(test)]
mod tests;
