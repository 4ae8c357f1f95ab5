//! From where a request came, and which client that is.

use std::mem::MaybeUninit;
use std::net::IpAddr;

use hny_domain::VisitId;
use hny_guard::{Client, TrustedProxies};
use http::{HeaderMap, HeaderValue};

use crate::connection::MAX_FIELDS;

/// The header in which proxies say from whom they have a request.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// From where a request came. It costs nothing to know; which client that is, is found out where it matters, and a redirect
/// from the cache is not such a place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Origin<'a> {
    /// This peer, and the head of the request as it came.
    Raw(IpAddr, &'a [u8]),
    /// This peer, and the fields as hyper has read them.
    Read(IpAddr, &'a HeaderMap),
    /// It was found out before.
    Known(Client),
}

/// The peer of a connection, for handlers behind the router.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl Origin<'_> {
    /// Whose request it is.
    pub(crate) fn client(self, proxies: &TrustedProxies) -> Client {
        match self {
            Self::Known(client) => client,
            Self::Raw(peer, _) if !proxies.trusts(peer) => Client::of(peer),
            Self::Raw(peer, head) => {
                with_field(head, FORWARDED_FOR, |lines| proxies.client(peer, lines)).unwrap_or_else(|| Client::of(peer))
            }
            Self::Read(peer, headers) => {
                proxies.client(peer, headers.get_all(FORWARDED_FOR).iter().map(HeaderValue::as_bytes))
            }
        }
    }

    /// The name that a trusted proxy has given to the visit in this field. Nobody else may name visits: whoever could would follow
    /// a link with a limit by one name again and again.
    pub(crate) fn visit_id(self, proxies: &TrustedProxies, field: Option<&str>) -> Option<VisitId> {
        let field = field?;
        match self {
            Self::Raw(peer, head) if proxies.trusts(peer) => with_field(head, field, |lines| only(lines))?,
            Self::Read(peer, headers) if proxies.trusts(peer) => {
                only(headers.get_all(field).iter().map(HeaderValue::as_bytes))
            }
            Self::Raw(..) | Self::Read(..) | Self::Known(_) => None,
        }
    }
}

/// The name in a field that is there once.
fn only<'a>(mut lines: impl Iterator<Item = &'a [u8]>) -> Option<VisitId> {
    let line = lines.next()?;
    if lines.next().is_some() { None } else { VisitId::parse(line) }
}

/// Does something with the lines of a field. Reads the head once more: behind a proxy only, and only where something has to be
/// looked up or is not there.
fn with_field<'a, T>(
    head: &'a [u8],
    name: &str,
    read: impl FnOnce(&mut dyn DoubleEndedIterator<Item = &'a [u8]>) -> T,
) -> Option<T> {
    let mut fields = [const { MaybeUninit::uninit() }; MAX_FIELDS];
    let mut request = httparse::Request::new(&mut []);
    // It was read before, so it can be read; if not, nothing of it is believed.
    request.parse_with_uninit_headers(head, &mut fields).ok()?;
    let lines = request.headers.iter().filter(|field| field.name.eq_ignore_ascii_case(name));
    Some(read(&mut lines.map(|field| field.value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_the_same_however_its_request_is_read() {
        let proxies: TrustedProxies = "10.0.0.0/8".parse().unwrap();
        let lines = ["198.51.100.9", "203.0.113.5, 10.0.0.2"];
        let head = format!(
            "GET /a HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {}\r\nX-FORWARDED-FOR:{}\r\n\r\n",
            lines[0], lines[1]
        );
        let fields = lines.map(|line| (http::HeaderName::from_static(FORWARDED_FOR), HeaderValue::from_static(line)));
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(name, value);
        }
        for (peer, client) in [("10.0.0.1", "203.0.113.5"), ("192.0.2.1", "192.0.2.1")] {
            let peer = peer.parse().unwrap();
            let client = Client::of(client.parse().unwrap());
            assert!(Origin::Raw(peer, head.as_bytes()).client(&proxies) == client);
            assert!(Origin::Read(peer, &headers).client(&proxies) == client);
        }
    }

    #[test]
    fn only_a_trusted_proxy_names_visits_and_gives_one_name() {
        let proxies: TrustedProxies = "10.0.0.0/8".parse().unwrap();
        let field = "X-Request-Id";
        let of = |peer: &str, lines: &[&'static str]| {
            let mut headers = HeaderMap::new();
            let mut head = "GET /a HTTP/1.1\r\nHost: a\r\n".to_owned();
            for line in lines {
                headers.append(http::HeaderName::from_static("x-request-id"), HeaderValue::from_static(line));
                head = format!("{head}X-Request-ID: {line}\r\n");
            }
            head += "\r\n";
            let peer = peer.parse().unwrap();
            let [raw, read] = [Origin::Raw(peer, head.as_bytes()), Origin::Read(peer, &headers)]
                .map(|origin| origin.visit_id(&proxies, Some(field)));
            assert_eq!(raw, read);
            assert_eq!(Origin::Raw(peer, head.as_bytes()).visit_id(&proxies, None), None);
            raw
        };
        assert_eq!(of("10.0.0.1", &["a1"]), VisitId::parse(b"a1"));
        for lines in [&[][..], &["a1", "a1"], &["a b"], &[""]] {
            assert_eq!(of("10.0.0.1", lines), None, "{lines:?}");
        }
        assert_eq!(of("192.0.2.1", &["a1"]), None);
    }
}
