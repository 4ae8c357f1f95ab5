//! Nothing in a request's headers decides where anything leads (B81).

use serde_json::{Value, json};

use super::TARGET;
use crate::site::{Site, program};

const POISON: [(&str, &str); 5] = [
    ("Host", "evil.example"),
    ("X-Forwarded-Host", "evil.example"),
    ("X-Forwarded-Proto", "http"),
    ("X-Forwarded-Prefix", "/evil"),
    ("Forwarded", "host=evil.example;proto=http"),
];

#[test]
fn a_link_goes_under_any_host() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    for host in ["evil.example", "EVIL.example:443", "www.sho.example", "127.0.0.1", "[::1]:80", "sho.example.", ""] {
        let answer = site.visitor().request("GET", &path, &[("Host", host)], b"");
        assert_eq!((answer.status, answer.headers("location")), (302, vec![TARGET]), "{host}");
    }
    let answer = site.visitor().request("GET", &path, &POISON, b"");
    assert_eq!((answer.status, answer.headers("location")), (302, vec![TARGET]));
}

#[test]
fn every_url_that_is_handed_out_starts_with_the_base_url() {
    let site = Site::start(&program().env("HNY_BASE_URL", "https://sho.example"));
    let mut headers = POISON.to_vec();
    headers.extend([("Content-Type", "application/json"), ("X-Api-Key", site.key())]);
    let mut visitor = site.visitor();
    for path in ["/api/shorten", "/api/v1/links"] {
        let answer = visitor.request("POST", path, &headers, json!({"originalUrl": TARGET}).to_string().as_bytes());
        let document: Value = answer.json();
        let short_url = document["shortUrl"].as_str().unwrap();
        let code = document["shortCode"].as_str().unwrap();
        assert_eq!(short_url, format!("https://sho.example/{code}"));
        assert!(answer.header("location").unwrap().starts_with("https://sho.example/"), "{answer:?}");
        assert!(!answer.text().contains("evil"), "{}", answer.text());
    }
    headers.push(("Accept", "text/html"));
    for path in ["/", "/unknown", "/no.code"] {
        let answer = visitor.request("GET", path, &headers, b"");
        assert!(!answer.text().contains("evil") && answer.headers("location").is_empty(), "{answer:?}");
    }
}
