//! Who may call: keys come in a header, once and whole, or not at all (B63, B65).

use hny_testkit::Response;
use serde_json::json;

use crate::access::callers::make_key;
use crate::document::assert_problem;
use crate::site::{Site, program};

const TARGET: &str = "https://secret.example/";

fn assert_unknown_caller(answer: &Response, what: &str) {
    assert_problem(answer, 401, "key-needed");
    assert_eq!(answer.header("www-authenticate"), Some("Bearer realm=\"hny\""), "{what}");
    assert!(!answer.text().contains("secret.example"), "{what}");
}

/// Everything that is nearly the key, as header fields.
fn impostors(key: &str) -> Vec<Vec<(&'static str, String)>> {
    let (front, back) = key.split_at(key.len() - 1);
    let last = if back == "0" { "1" } else { "0" };
    let texts = [
        String::new(),
        "0".to_owned(),
        "null".to_owned(),
        "true".to_owned(),
        "0e123".to_owned(),
        "[]".to_owned(),
        "hny_".to_owned(),
        "hny_1".to_owned(),
        key[..1].to_owned(),
        front.to_owned(),
        format!("{front}{last}"),
        format!("{key}0"),
        format!("x{key}"),
        format!("{key} x"),
        format!("\"{key}\""),
        format!("{key},{key}"),
        key.to_uppercase(),
        key.to_lowercase(),
        key.replacen("hny_1_", "hny_2_", 1),
        key.replacen("hny_1_", "hny_01_", 1),
        key.replacen("hny_1_", "hny_-1_", 1),
        key.replacen("hny_1_", "hny_99999999999999999999_", 1),
    ];
    let plain = texts.iter().map(|text| vec![("X-Api-Key", text.clone())]);
    let bearer = texts.iter().map(|text| vec![("Authorization", format!("Bearer {text}"))]);
    plain.chain(bearer).chain(other_headers(key)).collect()
}

fn other_headers(key: &str) -> Vec<Vec<(&'static str, String)>> {
    let good = || ("X-Api-Key", key.to_owned());
    vec![
        vec![],
        vec![("Authorization", key.to_owned())],
        vec![("Authorization", format!("Basic {key}"))],
        vec![("Authorization", format!("Bearer{key}"))],
        vec![("Authorization", "Bearer".to_owned())],
        vec![("Cookie", format!("key={key}"))],
        vec![("Api-Key", key.to_owned())],
        vec![good(), good()],
        vec![good(), ("Authorization", format!("Bearer {key}"))],
        vec![("Authorization", format!("Bearer {key}")), ("Authorization", format!("Bearer {key}"))],
        vec![good(), ("X-Api-Key", "0".to_owned())],
        vec![("X-Api-Key", "0".to_owned()), good()],
    ]
}

#[test]
fn what_is_not_exactly_a_key_opens_nothing() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    let mut visitor = site.visitor();
    let mut bodies = Vec::new();
    for headers in impostors(site.key()) {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, &**value)).collect();
        for target in [format!("/api/v1/links{path}"), "/api/v1/links/no-such-link".to_owned()] {
            let answer = visitor.request("GET", &target, &headers, b"");
            assert_unknown_caller(&answer, &format!("{headers:?}"));
            bodies.push(answer.body);
        }
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "all are told the same");
}

#[test]
fn a_key_is_good_in_either_header() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    for (name, value) in [
        ("Authorization", format!("Bearer {}", site.key())),
        ("authorization", format!("bearer {}", site.key())),
        ("X-Api-Key", site.key().to_owned()),
        ("x-api-key", format!("  {}  ", site.key())),
    ] {
        let answer = site.visitor().request("GET", &format!("/api/v1/links{path}"), &[(name, &value)], b"");
        assert_eq!(answer.status, 200, "{name}: {value}");
    }
}

#[test]
fn a_key_in_the_url_opens_nothing() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    for name in ["key", "apiKey", "api_key", "access_token", "X-Api-Key", "signature"] {
        let target = format!("/api/v1/links{path}?{name}={}", site.key());
        assert_unknown_caller(&site.visitor().get(&target), name);
    }
}

#[test]
fn every_verb_on_a_link_needs_a_key() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    let before = admin.read(&path).json();
    let target = format!("/api/v1/links{path}");
    let body = json!({"active": false}).to_string();
    for method in ["GET", "PATCH", "DELETE"] {
        for headers in [vec![], vec![("X-Api-Key", "0")]] {
            let headers = [headers, vec![("Content-Type", "application/json")]].concat();
            let answer = site.visitor().request(method, &target, &headers, body.as_bytes());
            assert_unknown_caller(&answer, method);
        }
    }
    assert_eq!(admin.read(&path).json(), before);
}

#[test]
fn a_bad_key_is_told_so_even_where_none_is_needed() {
    let site = Site::shared();
    let headers = [("Content-Type", "application/json"), ("X-Api-Key", "hny_1_typo")];
    let body = json!({"originalUrl": TARGET}).to_string();
    for path in ["/api/shorten", "/api/v1/links"] {
        assert_unknown_caller(&site.visitor().request("POST", path, &headers, body.as_bytes()), path);
    }
}

#[test]
fn a_revoked_key_opens_nothing_from_that_moment_on() {
    let site = Site::start(&program());
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    assert_eq!(admin.read(&path).status, 200);
    let revoked = site.hny().program().run(["key", "revoke", "1"]);
    assert!(revoked.status.success(), "{revoked:?}");
    assert_unknown_caller(&admin.read(&path), "read");
    assert_unknown_caller(&admin.shorten(&json!({"originalUrl": TARGET})), "shorten");
    assert_eq!(site.visitor().get(&path).status, 302, "its links go on");
}

#[test]
fn a_key_is_in_no_log_and_in_no_file() {
    let mut site = Site::start(&program().env("HNY_LOG", "trace"));
    let key = site.key().to_owned();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    site.admin().delete(&path);
    site.visitor().get(&format!("/api/v1/links{path}?key={key}"));
    site.visitor().request("GET", &format!("/api/v1/links{path}"), &[("Authorization", &key)], b"");
    let (id, made) = make_key(&site, &json!({"name": "of the API", "role": "reader"}));
    assert_eq!(site.holder(&made).shorten(&json!({"originalUrl": TARGET})).status, 403);
    assert_eq!(site.holder(&made).ask("DELETE", &format!("/api/v1/keys/{made}")).status, 404);
    assert_eq!(site.admin().ask("DELETE", &format!("/api/v1/keys/{id}")).status, 204);
    assert_eq!(site.holder(&made).read(&path).status, 401);
    let said = site.stop();
    let files = std::fs::read_dir(site.hny().program().folder()).unwrap().map(|entry| entry.unwrap().path());
    // The folder of the spool is empty after a stop.
    let files = files.filter(|path| path.is_file());
    let files: Vec<_> = files.map(|path| (std::fs::read(&path).unwrap(), path)).collect();
    assert!(files.iter().any(|(bytes, _)| !bytes.is_empty()), "the database is among them");
    for key in [key, made] {
        let secret = key.rsplit('_').next().unwrap();
        assert!(!said.contains(secret), "{said}");
        for (bytes, path) in &files {
            assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{}", path.display());
        }
    }
}
