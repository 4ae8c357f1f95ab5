//! Requests in every form that HTTP/1 allows, and in some that it does not.

use hny_testkit::Client;
use serde_json::json;

use super::TARGET;
use crate::site::Site;

fn site_and_path() -> (std::sync::Arc<Site>, String) {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    (site, path)
}

fn assert_alive(visitor: &mut Client) {
    assert_eq!(visitor.get("/healthz").status, 200);
}

#[test]
fn an_absolute_target_is_its_path() {
    let (site, path) = site_and_path();
    for host in ["http://sho.example", "https://evil.example:8443", "http://127.0.0.1"] {
        let answer = site.visitor().get(&format!("{host}{path}"));
        assert_eq!((answer.status, answer.headers("location")), (302, vec![TARGET]), "{host}");
    }
    assert_eq!(site.visitor().get("http://evil.example").status, 200, "this is the home page");
}

#[test]
fn a_client_of_http_1_0_is_answered_and_let_go() {
    let (site, path) = site_and_path();
    let mut visitor = site.visitor();
    let answer = visitor.raw(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes());
    assert_eq!((answer.status, answer.headers("location")), (302, vec![TARGET]));
    assert_eq!(visitor.closed(), b"");
}

#[test]
fn a_client_of_http_1_0_may_ask_to_stay() {
    let (site, path) = site_and_path();
    let mut visitor = site.visitor();
    for _ in 0..2 {
        let answer = visitor.raw(format!("GET {path} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").as_bytes());
        assert_eq!((answer.status, answer.header("connection")), (302, Some("keep-alive")));
    }
}

#[test]
fn a_client_that_says_close_is_let_go() {
    let (site, path) = site_and_path();
    let mut visitor = site.visitor();
    let answer = visitor.request("GET", &path, &[("Connection", "close")], b"");
    assert_eq!((answer.status, answer.header("connection")), (302, Some("close")));
    assert_eq!(visitor.closed(), b"");
}

#[test]
fn pipelined_requests_are_answered_in_their_order() {
    let (site, path) = site_and_path();
    let mut visitor = site.visitor();
    let paths = [path.as_str(), "/unknown-in-a-pipe", "/healthz", &path, "/no.code", &path];
    let requests = paths.map(|path| format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")).concat();
    visitor.send(requests.as_bytes()).unwrap();
    let statuses = paths.map(|_| visitor.receive("GET").status);
    assert_eq!(statuses, [302, 404, 200, 302, 404, 302]);
}

#[test]
fn a_request_in_pieces_is_one_request() {
    let (site, path) = site_and_path();
    let mut visitor = site.visitor();
    for piece in format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n").as_bytes().chunks(7) {
        visitor.send(piece).unwrap();
    }
    assert_eq!(visitor.receive("GET").headers("location"), [TARGET]);
}

#[test]
fn the_body_of_a_visit_is_not_taken_for_the_next_request() {
    let (site, path) = site_and_path();
    let body = b"GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    let chunks = [format!("{:x}\r\n", body.len()).as_bytes(), body, b"\r\n0\r\n\r\n"].concat();
    let length = body.len().to_string();
    for (header, bytes) in [(("Content-Length", &*length), &body[..]), (("Transfer-Encoding", "chunked"), &chunks)] {
        let mut visitor = site.visitor();
        let answer = visitor.request("GET", &path, &[header], bytes);
        assert_eq!(answer.headers("location"), [TARGET]);
        // Nobody wants the body, so the connection may end here; if it goes on, then with the next request.
        if let Ok(next) = visitor.try_request("GET", "/healthz", &[], b"") {
            assert_eq!(next.text(), "alive\n");
        }
    }
}

#[test]
fn odd_header_fields_do_no_harm() {
    let (site, path) = site_and_path();
    let long = "x".repeat(8000);
    for header in [
        ("Cookie", "a=b; c"),
        ("Accept", ""),
        ("Accept", "\u{e4}"),
        ("X-Odd", "\t \u{7f}é"),
        ("X-Long", &*long),
        ("Content-Type", "nonsense"),
        ("Authorization", "Bearer of good news"),
        ("Upgrade", "h2c"),
        ("Expect", "100-continue"),
        ("TE", "trailers, deflate;q=0.5"),
    ] {
        let answer = site.visitor().request("GET", &path, &[header, header], b"");
        // A control character may be refused; then it is, and nothing else happens.
        let refused = answer.status == 400 && header.0 == "X-Odd";
        assert!(refused || answer.headers("location") == [TARGET], "{header:?} {answer:?}");
    }
}

#[test]
fn lengths_that_contradict_each_other_are_refused() {
    let (site, path) = site_and_path();
    let answer = site.visitor().request("GET", &path, &[("Content-Length", "5"), ("Content-Length", "6")], b"hello");
    assert_eq!((answer.status, answer.headers("location").len()), (400, 0));
}

#[test]
fn a_head_that_is_too_large_is_refused() {
    let (site, path) = site_and_path();
    let large = "x".repeat(40_000);
    let many = vec![("X-Many", "1"); 120];
    for answer in [
        site.visitor().get(&format!("{path}?{large}")),
        site.visitor().request("GET", &path, &[("X-Large", &*large)], b""),
        site.visitor().request("GET", &path, &many, b""),
    ] {
        assert_eq!((answer.status, answer.headers("location").len()), (431, 0), "{answer:?}");
    }
}

#[test]
fn what_is_no_http_is_refused() {
    let (site, path) = site_and_path();
    for bytes in [
        "garbage\r\n\r\n".to_owned(),
        format!("GET {path}\r\n\r\n"),
        format!("GET {path} HTTP/1.1\r\nno colon\r\n\r\n"),
        format!("GET {path} x HTTP/1.1\r\nHost: a\r\n\r\n"),
        format!("GET {path} HTTP/3.7\r\nHost: a\r\n\r\n"),
        format!("GET {path}\u{1} HTTP/1.1\r\nHost: a\r\n\r\n"),
        "GET  HTTP/1.1\r\nHost: a\r\n\r\n".to_owned(),
        "\u{16}\u{3}\u{1}\u{2}\0\r\n\r\n".to_owned(),
    ] {
        let mut visitor = site.visitor();
        visitor.send(bytes.as_bytes()).unwrap();
        let answer = visitor.closed();
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.starts_with("HTTP/1.1 400 ") && !answer.contains("ocation"), "{bytes:?} {answer:?}");
    }
    assert_alive(&mut site.visitor());
}

#[test]
fn targets_that_are_no_path_lead_nowhere() {
    let site = Site::shared();
    for (method, target) in [("OPTIONS", "*"), ("GET", "*"), ("CONNECT", "evil.example:443"), ("GET", "no-slash")] {
        let answer = site.visitor().request(method, target, &[], b"");
        assert!((400..500).contains(&answer.status) && answer.headers("location").is_empty(), "{target} {answer:?}");
    }
    assert_alive(&mut site.visitor());
}
