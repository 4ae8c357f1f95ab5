//! Bodies that are broken, too large, or of another kind (B79).

use hny_testkit::{Client, Response};
use serde_json::json;

use super::TARGET;
use crate::document::{assert_bad_field, assert_problem};
use crate::site::Site;

const JSON: (&str, &str) = ("Content-Type", "application/json");

fn post(visitor: &mut Client, content_type: &str, body: &[u8]) -> Response {
    visitor.request("POST", "/api/shorten", &[("Content-Type", content_type)], body)
}

/// A good body, blown up by a long title to this many bytes.
fn of_size(bytes: usize) -> Vec<u8> {
    let mut body = json!({"originalUrl": TARGET}).to_string();
    let padding = bytes - body.len();
    body.push_str(&" ".repeat(padding));
    body.into_bytes()
}

fn chunked(body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for chunk in body.chunks(4096) {
        bytes.extend([format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat());
    }
    bytes.extend(b"0\r\n\r\n");
    bytes
}

#[test]
fn what_is_no_json_object_is_malformed() {
    let site = Site::shared();
    let deep = ["[".repeat(10_000), "]".repeat(10_000)].concat();
    let deep_field = format!("{{\"originalUrl\":{deep}}}");
    let deep_unknown = format!("{{\"x\":{deep}}}");
    let utf16: Vec<u8> = r#"{"originalUrl":"https://a.example"}"#.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bodies: [&[u8]; 24] = [
        b"",
        b" ",
        b"{",
        b"}",
        b"[]",
        b"\"x\"",
        b"null",
        b"true",
        b"12",
        b"nonsense",
        b"{}{}",
        b"{\"originalUrl\":\"https://a.example\"}x",
        b"{\"originalUrl\":\"https://a.example\",}",
        b"{'originalUrl':'https://a.example'}",
        b"{originalUrl:1}",
        b"[{\"originalUrl\":\"https://a.example\"}]",
        br#"{"originalUrl":"https://a.example/\ud800"}"#,
        br#"{"originalUrl":"https://a.example/\udc00\ud800"}"#,
        b"{\"originalUrl\":\"https://a.example/\xff\"}",
        b"{\"originalUrl\":\"https://a.example/\n\"}",
        b"\xef\xbb\xbf{\"originalUrl\":\"https://a.example\"}",
        deep.as_bytes(),
        deep_field.as_bytes(),
        &utf16,
    ];
    for body in bodies {
        let answer = post(&mut site.visitor(), "application/json", body);
        assert_eq!(answer.status, 400, "{}", body[..body.len().min(80)].escape_ascii());
        let kind = answer.json()["type"].as_str().unwrap().to_owned();
        let expected =
            if body == deep_field.as_bytes() { ["malformed-body", "invalid-field"] } else { ["malformed-body"; 2] };
        assert!(
            expected.iter().any(|name| kind.ends_with(name)),
            "{} {kind}",
            body[..body.len().min(80)].escape_ascii()
        );
    }
    let answer = post(&mut site.visitor(), "application/json", deep_unknown.as_bytes());
    assert_eq!(answer.status, 400, "{}", answer.text());
}

#[test]
fn a_body_of_another_kind_is_a_415() {
    let site = Site::shared();
    let body = json!({"originalUrl": TARGET}).to_string();
    for kind in [
        "",
        "text/plain",
        "text/plain; application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "application/jsonp",
        "application/json; charset=utf-16",
        "application/json; charset=latin1",
        "json",
        "*/*",
        "text/html",
    ] {
        let answer = post(&mut site.visitor(), kind, body.as_bytes());
        assert_problem(&answer, 415, "unsupported-media-type");
    }
    let without = site.visitor().request("POST", "/api/shorten", &[], body.as_bytes());
    assert_problem(&without, 415, "unsupported-media-type");
    // What a form of a foreign page can send (B67).
    let headers = [("Content-Type", "text/plain"), ("Origin", "https://evil.example")];
    assert_eq!(site.visitor().request("POST", "/api/shorten", &headers, body.as_bytes()).status, 415);
}

#[test]
fn json_goes_by_several_names() {
    let site = Site::shared();
    let body = json!({"originalUrl": TARGET}).to_string();
    for kind in [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "application/json ; charset=\"utf-8\"",
        "application/merge-patch+json",
    ] {
        assert_eq!(post(&mut site.visitor(), kind, body.as_bytes()).status, 201, "{kind}");
    }
}

#[test]
fn a_body_of_64_kib_is_read_and_one_byte_more_is_a_413() {
    let site = Site::shared();
    let (fits, too_large) = (of_size(64 * 1024), of_size(64 * 1024 + 1));
    let chunks = [JSON, ("Transfer-Encoding", "chunked")];
    assert_eq!(post(&mut site.visitor(), "application/json", &fits).status, 201);
    assert_eq!(site.visitor().request("POST", "/api/shorten", &chunks, &chunked(&fits)).status, 201);
    assert_problem(&post(&mut site.visitor(), "application/json", &too_large), 413, "body-too-large");
    let answer = site.visitor().request("POST", "/api/shorten", &chunks, &chunked(&too_large));
    assert_problem(&answer, 413, "body-too-large");
}

#[test]
fn ten_megabytes_are_a_413_announced_or_not() {
    let site = Site::shared();
    let body = of_size(10_000_000);
    assert_problem(&post(&mut site.visitor(), "application/json", &body), 413, "body-too-large");
    let chunks = [JSON, ("Transfer-Encoding", "chunked")];
    let answer = site.visitor().request("POST", "/api/shorten", &chunks, &chunked(&body));
    assert_problem(&answer, 413, "body-too-large");
}

#[test]
fn a_client_that_asks_first_need_not_send_what_is_too_large() {
    let site = Site::shared();
    let mut visitor = site.visitor();
    let head = "POST /api/shorten HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\
                Expect: 100-continue\r\nContent-Length: 10000000\r\n\r\n";
    visitor.send(head.as_bytes()).unwrap();
    assert_problem(&visitor.receive("POST"), 413, "body-too-large");
}

#[test]
fn a_client_that_asks_first_is_told_to_go_on() {
    let site = Site::shared();
    let mut visitor = site.visitor();
    let body = json!({"originalUrl": TARGET}).to_string();
    let head = format!(
        "POST /api/shorten HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    visitor.send(head.as_bytes()).unwrap();
    visitor.send(body.as_bytes()).unwrap();
    assert_eq!(visitor.receive("POST").status, 201);
}

#[test]
fn a_body_that_does_not_come_in_time_is_a_408() {
    let site = Site::with("HNY_READ_TIMEOUT", "300ms");
    let mut visitor = site.visitor();
    let head =
        "POST /api/shorten HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    visitor.send(head.as_bytes()).unwrap();
    assert_problem(&visitor.receive("POST"), 408, "body-timeout");
}

#[test]
fn the_same_rules_hold_for_patches() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    let target = format!("/api/v1/links{path}");
    let send = |kind, body: &[u8]| {
        let headers = [("Content-Type", kind), ("X-Api-Key", site.key())];
        site.visitor().request("PATCH", &target, &headers, body)
    };
    assert_problem(&send("application/json", b"{"), 400, "malformed-body");
    assert_problem(&send("application/json", b"[]"), 400, "malformed-body");
    assert_problem(&send("application/json", b"null"), 400, "malformed-body");
    assert_problem(&send("text/plain", b"{}"), 415, "unsupported-media-type");
    assert_problem(&send("application/json", &of_size(65_537)), 413, "body-too-large");
    assert_bad_field(&send("application/json", br#"{"title":"a","title":"b"}"#), "#/title");
    assert_eq!(send("application/merge-patch+json", b"{\"title\":\"x\"}").status, 200);
}
