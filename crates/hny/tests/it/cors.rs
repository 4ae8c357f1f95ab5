//! `HNY_CORS_ORIGINS`: pages of other origins may call the API, also to hear what is wrong (B74), and nothing else.

use hny_testkit::{Client, Response};
use serde_json::json;

use crate::document::assert_problem;
use crate::site::{Site, program};

const OURS: &str = "https://ok.example";

/// What a browser asks before it sends a key.
fn ask_beforehand(client: &mut Client, path: &str, origin: &str) -> Response {
    let asks = [
        ("Origin", origin),
        ("Access-Control-Request-Method", "PATCH"),
        ("Access-Control-Request-Headers", "content-type,x-api-key"),
    ];
    client.request("OPTIONS", path, &asks, b"")
}

/// A call of a page.
fn call(
    client: &mut Client,
    (method, path): (&str, &str),
    origin: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Response {
    let headers: Vec<_> = [("Origin", origin)].iter().chain(headers).copied().collect();
    client.request(method, path, &headers, body)
}

/// Asserts that a page of this origin may read an answer.
fn assert_readable(answer: &Response, origin: &str) {
    assert_eq!(answer.header("access-control-allow-origin"), Some(origin), "{answer:?}");
    assert!(answer.headers("vary").contains(&"origin"), "{answer:?}");
    let exposed = answer.header("access-control-expose-headers").unwrap_or_default();
    for name in ["ETag", "Location", "Retry-After"] {
        assert!(exposed.split(", ").any(|other| other == name), "{name} is not in {exposed}");
    }
    assert_eq!(answer.headers("access-control-allow-credentials"), [""; 0]);
}

/// Asserts that no page of another origin may read an answer.
fn assert_unreadable(answer: &Response) {
    let told = answer.fields.iter().find(|(name, _)| name.to_ascii_lowercase().starts_with("access-control"));
    assert_eq!(told, None, "{answer:?}");
}

#[test]
fn a_browser_may_ask_beforehand_on_every_path_without_a_key() {
    let site = Site::with("HNY_CORS_ORIGINS", OURS);
    let mut client = site.visitor();
    for path in
        ["/api/v1/links", "/api/v1/links/abc", "/api/shorten", "/shorten", "/api/v1/no/such/path", "/api/v1/stats"]
    {
        let answer = ask_beforehand(&mut client, path, OURS);
        assert_eq!((answer.status, answer.body.len()), (204, 0), "{path}");
        assert_readable(&answer, OURS);
        let allowed = answer.header("access-control-allow-headers").unwrap().to_ascii_lowercase();
        for name in ["authorization", "x-api-key", "content-type", "idempotency-key", "if-match"] {
            assert!(allowed.split(", ").any(|other| other == name), "{name} is not in {allowed}");
        }
        let methods = answer.header("access-control-allow-methods").unwrap();
        assert!(
            ["GET", "POST", "PATCH", "DELETE"].iter().all(|method| methods.split(", ").any(|other| other == *method))
        );
    }
}

#[test]
fn a_page_may_read_what_is_wrong() {
    let site = Site::with("HNY_CORS_ORIGINS", "https://first.example, https://ok.example");
    let mut client = site.visitor();
    let large = vec![b' '; 70_000];
    let json = ("Content-Type", "application/json");
    let calls: [(_, &[_], &[u8], _); 6] = [
        (("GET", "/api/v1/links/abc"), &[], b"", 401),
        (("GET", "/api/v1/no/such/path"), &[], b"", 404),
        (("PUT", "/api/shorten"), &[], b"", 405),
        (("POST", "/api/shorten"), &[json], b"{", 400),
        (("POST", "/api/shorten"), &[json], &large, 413),
        (("POST", "/api/shorten"), &[], b"{}", 415),
    ];
    for (what, headers, body, status) in calls {
        let answer = call(&mut client, what, OURS, headers, body);
        assert_eq!(answer.status, status, "{what:?}");
        assert_readable(&answer, OURS);
        client = site.visitor();
    }
}

#[test]
fn a_page_may_read_that_it_has_to_wait() {
    let program = program().env("HNY_CORS_ORIGINS", OURS).env("HNY_CREATE_LIMIT", "1/24h");
    let site = Site::start(&program);
    let body = json!({"originalUrl": "https://example.com/"}).to_string();
    for status in [201, 429] {
        let json = [("Content-Type", "application/json")];
        let answer = call(&mut site.visitor(), ("POST", "/api/shorten"), OURS, &json, body.as_bytes());
        assert_eq!(answer.status, status);
        assert_readable(&answer, OURS);
    }
}

#[test]
fn a_page_may_read_that_it_has_come_to_the_wrong_node() {
    for roles in ["redirect", "pages"] {
        let site = Site::start(&program().env("HNY_CORS_ORIGINS", OURS).env("HNY_ROLES", roles));
        let answer = call(&mut site.visitor(), ("GET", "/api/v1/links"), OURS, &[], b"");
        assert_problem(&answer, 421, "misdirected");
        assert_readable(&answer, OURS);
    }
}

#[test]
fn other_origins_learn_nothing() {
    let site = Site::with("HNY_CORS_ORIGINS", OURS);
    let mut client = site.visitor();
    for origin in [
        "https://evil.example",
        "null",
        "https://ok.example.evil.example",
        "http://ok.example",
        "https://ok.example:8443",
    ] {
        let beforehand = ask_beforehand(&mut client, "/api/v1/links", origin);
        let answer = call(&mut client, ("GET", "/api/v1/links/abc"), origin, &[], b"");
        assert_problem(&answer, 401, "key-needed");
        for answer in [beforehand, answer] {
            assert_unreadable(&answer);
            assert_eq!(answer.headers("vary"), ["origin"]);
        }
    }
    assert_eq!(client.get("/api/v1/links/abc").headers("vary"), ["origin"], "a cache must not mix them up");
}

#[test]
fn links_and_pages_are_never_theirs() {
    for origins in [OURS, "*"] {
        let site = Site::with("HNY_CORS_ORIGINS", origins);
        let link = site.admin().link(&json!({"originalUrl": "https://example.com/"}));
        let mut client = site.visitor();
        for path in [&*link, "/", "/unknown", "/static/hny.css", "/no.code"] {
            assert_unreadable(&call(&mut client, ("GET", path), OURS, &[], b""));
            assert_unreadable(&ask_beforehand(&mut client, path, OURS));
        }
    }
}

#[test]
fn any_origin_may_be_let_in_without_credentials() {
    let site = Site::with("HNY_CORS_ORIGINS", "*");
    let answer = call(&mut site.visitor(), ("GET", "/api/v1/links/abc"), "https://anyone.example", &[], b"");
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (401, Some("*")));
    assert_eq!(answer.headers("access-control-allow-credentials"), [""; 0]);
}

#[test]
fn nobody_is_let_in_unless_it_is_set() {
    let site = Site::shared();
    let mut client = site.visitor();
    assert_unreadable(&call(&mut client, ("GET", "/api/v1/links/abc"), OURS, &[], b""));
    let answer = ask_beforehand(&mut client, "/api/v1/links", OURS);
    assert_problem(&answer, 405, "method-not-allowed");
    assert_unreadable(&answer);
}

#[test]
fn what_is_no_origin_stops_the_start() {
    for origins in ["https://ok.example/", "ok.example", "null", "*,https://ok.example"] {
        let refused = program().env("HNY_CORS_ORIGINS", origins).try_start().err().expect("it must not start");
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains("HNY_CORS_ORIGINS"), "{said}");
    }
}
