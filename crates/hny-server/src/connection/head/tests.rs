use proptest::prelude::*;

use super::*;

fn plain<'a>(head: &Head<'a>) -> PlainVisit<'a> {
    match head {
        Head::Plain { visit, .. } => *visit,
        _ => panic!("{head:?}"),
    }
}

#[test]
fn what_browsers_and_proxies_send_is_plain() {
    let browser = "GET /abc?utm_source=a%20b HTTP/1.1\r\nHost: hny.kr\r\nConnection: keep-alive\r\nUser-Agent: B\r\n\
        accept: text/HTML,*/*;q=0.8\r\nCookie: a=b\r\n\r\n";
    let visit = plain(&read(browser.as_bytes()));
    assert_eq!((visit.path, visit.asked.query, visit.asked.is_head), ("/abc", Some("utm_source=a%20b"), false));
    assert!(visit.asked.wants_html);
    let proxy = "HEAD /abc HTTP/1.1\r\nConnection: close\r\nAccept: */*\r\n\r\nGET /next";
    let head = read(proxy.as_bytes());
    assert!(plain(&head).asked.is_head && !plain(&head).asked.wants_html);
    let whole = proxy.len() - "GET /next".len();
    assert!(matches!(head, Head::Plain { length, keeps: false, .. } if length == whole), "{head:?}");
}

#[test]
fn what_is_unusual_is_left_to_hyper_with_its_extent() {
    let of = |bytes: u64| Extent::Bytes(bytes);
    for (line, fields, extent) in [
        ("POST /api/shorten HTTP/1.1", "Content-Length: 12", of(12)),
        ("DELETE /api/v1/links/a HTTP/1.1", "Accept: */*", of(0)),
        ("GET /abc HTTP/1.0", "Host: a", of(0)),
        ("GET /abc HTTP/1.1", "Content-Length: 3", of(3)),
        ("GET /abc HTTP/1.1", "Connection: TE", of(0)),
        ("GET /abc HTTP/1.1", "Connection: close, keep-alive", of(0)),
        ("GET /abc?a=\"b\" HTTP/1.1", "Host: a", of(0)),
        ("GET /abc HTTP/1.1", "Transfer-Encoding: chunked", Extent::Unknown),
        ("GET /abc HTTP/1.1", "Transfer-Encoding: chunked\r\nContent-Length: 3", Extent::Unknown),
        ("GET /abc HTTP/1.1", "Content-Length: 3\r\nTransfer-Encoding: chunked", Extent::Unknown),
        ("GET /abc HTTP/1.1", "Content-Length: 3\r\nContent-Length: 3", Extent::Unknown),
        ("GET /abc HTTP/1.1", "Content-Length: 3\r\nContent-Length: 3\r\nContent-Length: 3", Extent::Unknown),
        ("GET /abc HTTP/1.1", "Content-Length: +3", Extent::Unknown),
        ("GET /abc HTTP/1.1", "Content-Length: 99999999999999999999", Extent::Unknown),
        ("POST /abc HTTP/1.1", "Expect: 100-continue\r\nContent-Length: 3", Extent::Unknown),
        ("GET /abc HTTP/1.1", "Upgrade: h2c", Extent::Unknown),
        ("GET /abc HTTP/1.1", "broken field: a", Extent::Unknown),
        ("GET  /abc HTTP/1.1", "Host: a", Extent::Unknown),
        ("nonsense", "Host: a", Extent::Unknown),
    ] {
        let text = format!("{line}\r\n{fields}\r\n\r\n");
        let expected = match extent {
            Extent::Bytes(body) => Extent::Bytes(body + text.len() as u64),
            Extent::Unknown => Extent::Unknown,
        };
        assert_eq!(read(text.as_bytes()), Head::Other(expected), "{text}");
    }
    let many = format!("GET /abc HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(MAX_FIELDS + 1));
    assert_eq!(read(many.as_bytes()), Head::Other(Extent::Unknown));
}

proptest! {
    #[test]
    fn a_head_that_is_cut_anywhere_is_partial(at in 0.0..1.0_f64) {
        let text = "GET /abc?x=y HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n";
        // Lossy on purpose: a place within the text.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let at = (at * text.len() as f64) as usize;
        prop_assert_eq!(read(&text.as_bytes()[..at]), Head::Partial);
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
        let _ = read(&[b"GET /abc HTTP/1.1\r\nHost:", &*bytes, b"\r\n\r\n"].concat());
    }
}
