use super::{Client, request_bytes};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread::JoinHandle;
use std::time::Duration;

/// Answers the first connection with `bytes`, closes it, and returns what the client sent.
fn answering(bytes: &'static [u8]) -> (SocketAddr, JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback address has a free port");
    let address = listener.local_addr().expect("it is bound");
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("the client connects");
        stream.write_all(bytes).expect("the client reads");
        stream.shutdown(std::net::Shutdown::Write).expect("the client is there");
        let mut sent = Vec::new();
        stream.read_to_end(&mut sent).expect("the client closes");
        sent
    });
    (address, server)
}

#[test]
fn answers_are_taken_one_by_one_whatever_their_framing() {
    let (address, _server) = answering(
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc\
          HTTP/1.1 100 Continue\r\n\r\n\
          HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\nde\r\n1\r\nf\r\n0\r\nTrailer: t\r\n\r\n\
          HTTP/1.1 302 Found\r\nContent-Length: 99\r\nLocation: /x\r\n\r\n\
          HTTP/1.1 204 No Content\r\n\r\n\
          HTTP/1.1 200 OK\r\n\r\nto the end",
    );
    let mut client = Client::connect(address);
    assert_eq!(client.get("/").body, b"abc");
    assert_eq!(client.get("/").body, b"def");
    let head = client.head("/");
    assert_eq!((head.status, head.header("location"), head.body.len()), (302, Some("/x"), 0));
    assert_eq!(client.get("/").status, 204);
    assert_eq!(client.get("/").text(), "to the end");
    assert_eq!(client.closed(), b"");
}

#[test]
fn odd_bytes_are_sent_and_shown_as_they_are() {
    let (address, server) =
        answering(b"HTTP/1.1 400 Bad\r\nX-Odd: \xff\r\nSET-Cookie: a\r\nset-cookie: b\r\nContent-Length: 0\r\n\r\n");
    let mut client = Client::connect(address);
    let answer = client.raw(b"GET //evil.example/%2F HTTP/1.1\r\nX: \xfe\r\n\r\n");
    assert_eq!(answer.fields[0], ("X-Odd".into(), vec![0xff]));
    assert_eq!(answer.headers("Set-Cookie"), ["a", "b"]);
    drop(client);
    assert_eq!(server.join().expect("it read to the end"), b"GET //evil.example/%2F HTTP/1.1\r\nX: \xfe\r\n\r\n");
}

#[test]
#[should_panic(expected = "came 2 times")]
fn a_field_that_comes_twice_is_not_taken_for_one() {
    let (address, _server) =
        answering(b"HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n");
    Client::connect(address).get("/").header("Location");
}

#[test]
fn a_broken_or_missing_answer_is_an_error_that_shows_it() {
    for (bytes, kind, shown) in [
        (&b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"[..], ErrorKind::UnexpectedEof, "`abc`"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            ErrorKind::InvalidData,
            "Content-Length",
        ),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", ErrorKind::InvalidData, "zz"),
        (b"SSH-2.0-x\r\n\r\n", ErrorKind::InvalidData, "SSH"),
        (b"", ErrorKind::UnexpectedEof, "closed"),
    ] {
        let (address, _server) = answering(bytes);
        let error = Client::connect(address).try_request("GET", "/", &[], b"").expect_err("the answer is broken");
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(shown), "{error}");
    }
}

#[test]
fn silence_ends_with_the_deadline() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback address has a free port");
    let mut client = Client::connect(listener.local_addr().expect("it is bound"));
    client.set_deadline(Duration::from_millis(20));
    let error = client.try_request("GET", "/", &[], b"").expect_err("nobody answers");
    assert_eq!(error.kind(), ErrorKind::TimedOut, "{error}");
}

#[test]
fn a_slow_sender_notices_the_end_of_the_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback address has a free port");
    let mut client = Client::connect(listener.local_addr().expect("it is bound"));
    let (mut stream, _) = listener.accept().expect("the client connects");
    let server = std::thread::spawn(move || stream.read_exact(&mut [0; 3]).map(|()| drop(stream)));
    let sent = client.send_slowly(&[b'x'; 1000], Duration::from_millis(5));
    server.join().expect("it does not panic").expect("three bytes come");
    assert!((3..1000).contains(&sent), "{sent}");
}

#[test]
fn needed_headers_are_added_unless_given() {
    let address = ([127, 0, 0, 1], 80).into();
    let plain = request_bytes(address, "GET", "/a", &[], b"");
    assert_eq!(plain, b"GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n");
    let post = request_bytes(address, "POST", "/a", &[("host", "h")], b"");
    assert_eq!(post, b"POST /a HTTP/1.1\r\nhost: h\r\nContent-Length: 0\r\n\r\n");
    let chunked =
        request_bytes(address, "POST", "/a", &[("Host", "h"), ("Transfer-Encoding", "chunked")], b"0\r\n\r\n");
    assert_eq!(chunked, b"POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
}
