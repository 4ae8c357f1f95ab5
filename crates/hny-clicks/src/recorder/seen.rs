//! What is recorded on the hot road: a visit, as its request shows it.

use std::net::{IpAddr, Ipv6Addr};

use hny_domain::{LinkId, Timestamp, VisitKind};

/// As much of an agent string is kept in memory. Browsers send 100 to 200 bytes, apps that show pages up to 400.
const MOST_AGENT: usize = 512;

/// As much of a referrer: a scheme and a host, which has at most 253 bytes (RFC 1035, section 2.3.4).
const MOST_REFERRER: usize = 300;

/// As much of the languages: the first two or three.
const MOST_LANGUAGES: usize = 40;

/// A visit of a link.
#[derive(Debug, Clone, Copy)]
pub struct Visited<'a> {
    /// Which link.
    pub link: LinkId,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub kind: VisitKind,
    /// From where: an address, or what stands for all that a visitor has. It is never written to disk.
    pub network: IpAddr,
    /// What its request said.
    pub fields: VisitorFields<'a>,
}

/// What a request says of who sent it, byte for byte; empty is not said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VisitorFields<'a> {
    /// `User-Agent`.
    pub agent: &'a [u8],
    /// `Referer`.
    pub referrer: &'a [u8],
    /// `Accept-Language`.
    pub languages: &'a [u8],
}

/// A visit that waits to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) link: LinkId,
    pub(crate) at: Timestamp,
    pub(crate) kind: VisitKind,
    /// Where the agent string ends, and the referrer.
    ends: [u16; 2],
    /// The network, in sixteen bytes, and behind it what the request said: one piece, as it is hashed.
    said: Box<[u8]>,
}

/// How many bytes a network takes: addresses of both kinds the same, so none runs into the agent.
const NETWORK: usize = 16;

impl Seen {
    /// Of what is longer than anybody needs, the beginning.
    pub(crate) fn new(Visited { link, at, kind, network, fields }: Visited<'_>) -> Self {
        let agent = first(fields.agent, MOST_AGENT);
        let referrer = first(fields.referrer, MOST_REFERRER);
        let network = match network {
            IpAddr::V4(address) => address.to_ipv6_mapped(),
            IpAddr::V6(address) => address,
        };
        let said = [&network.octets(), agent, referrer, first(fields.languages, MOST_LANGUAGES)].concat().into();
        let agent = NETWORK + agent.len();
        #[expect(clippy::cast_possible_truncation, reason = "they are some hundreds")]
        let ends = [agent as u16, (agent + referrer.len()) as u16];
        Self { link, at, kind, ends, said }
    }

    pub(crate) fn network(&self) -> IpAddr {
        let octets = self.said.first_chunk().copied().unwrap_or_default();
        Ipv6Addr::from_octets(octets).to_canonical()
    }

    /// What visitors are told apart by: network and agent string.
    pub(crate) fn visitor(&self) -> &[u8] {
        &self.said[..self.ends[0].into()]
    }

    pub(crate) fn agent(&self) -> &[u8] {
        &self.said[NETWORK..self.ends[0].into()]
    }

    pub(crate) fn referrer(&self) -> &[u8] {
        &self.said[self.ends[0].into()..self.ends[1].into()]
    }

    pub(crate) fn languages(&self) -> &[u8] {
        &self.said[self.ends[1].into()..]
    }

    /// How many bytes of memory it takes.
    pub(crate) fn weight(&self) -> usize {
        size_of::<Self>() + self.said.len()
    }

    /// One of a link, of which nothing else matters.
    #[cfg(test)]
    pub(crate) fn of(link: i64) -> Self {
        Self::new(Visited::of(link))
    }
}

#[cfg(test)]
impl Visited<'_> {
    /// One by somebody without a word, of a link.
    pub(crate) fn of(link: i64) -> Self {
        Self {
            link: LinkId(link),
            at: Timestamp::from_millis(1_900_000_000_000),
            kind: VisitKind::Person,
            network: IpAddr::V4(std::net::Ipv4Addr::new(203, 0, 113, 5)),
            fields: VisitorFields::default(),
        }
    }
}

fn first(bytes: &[u8], most: usize) -> &[u8] {
    &bytes[..bytes.len().min(most)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_is_kept_apart_and_cut() {
        let long = [b'x'; 9000];
        let fields = VisitorFields { agent: b"agent", referrer: &long, languages: b"de" };
        let seen = Seen::new(Visited { fields, ..Visited::of(1) });
        assert_eq!((seen.agent(), seen.referrer(), seen.languages()), (&b"agent"[..], &long[..300], &b"de"[..]));
        let fields = VisitorFields { agent: &long, referrer: b"", languages: &long };
        let seen = Seen::new(Visited { fields, ..Visited::of(1) });
        assert_eq!((seen.agent(), seen.referrer(), seen.languages()), (&long[..512], &b""[..], &long[..40]));
        let seen = Seen::of(1);
        assert_eq!((seen.agent(), seen.referrer(), seen.languages()), (&b""[..], &b""[..], &b""[..]));
    }

    #[test]
    fn a_visitor_is_a_network_and_an_agent() {
        let seen = |network: &str, agent: &[u8], referrer: &[u8]| {
            let fields = VisitorFields { agent, referrer, languages: b"de" };
            Seen::new(Visited { network: network.parse().unwrap(), fields, ..Visited::of(1) })
        };
        let one = seen("203.0.113.5", b"agent", b"https://a.example");
        assert_eq!(one.visitor(), seen("203.0.113.5", b"agent", b"").visitor());
        assert_eq!(one.visitor(), seen("::ffff:203.0.113.5", b"agent", b"").visitor());
        for (network, agent) in [
            ("203.0.113.6", &b"agent"[..]),
            ("203.0.113.5", b"agen"),
            ("::cb00:7105", b"agent"),
            ("203.0.113.97", b"gent"),
        ] {
            assert_ne!(one.visitor(), seen(network, agent, b"").visitor(), "{network}");
        }
        for network in ["203.0.113.5", "2001:db8::7", "::"] {
            assert_eq!(seen(network, b"agent", b"").network(), network.parse::<IpAddr>().unwrap());
        }
    }
}
