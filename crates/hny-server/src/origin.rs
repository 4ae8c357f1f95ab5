//! From where a request came, and which client that is.

use std::mem::MaybeUninit;
use std::net::IpAddr;

use hny_guard::{Client, TrustedProxies};
use http::HeaderMap;

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
            Self::Raw(peer, head) => of_head(peer, head, proxies),
            Self::Read(peer, headers) => {
                proxies.client(peer, headers.get_all(FORWARDED_FOR).iter().map(http::HeaderValue::as_bytes))
            }
        }
    }
}

/// Reads the head once more: behind a proxy only, and only of who asks for what is not there.
fn of_head(peer: IpAddr, head: &[u8], proxies: &TrustedProxies) -> Client {
    let mut fields = [const { MaybeUninit::uninit() }; MAX_FIELDS];
    let mut request = httparse::Request::new(&mut []);
    // It was read before, so it can be read; if not, nothing of it is believed.
    if request.parse_with_uninit_headers(head, &mut fields).is_err() {
        return Client::of(peer);
    }
    let lines = request.headers.iter().filter(|field| field.name.eq_ignore_ascii_case(FORWARDED_FOR));
    proxies.client(peer, lines.map(|field| field.value))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

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
}
