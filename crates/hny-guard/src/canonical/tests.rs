use proptest::prelude::*;
use serde_json::Value;

use super::*;

/// As one text.
fn written(url: &[u8]) -> Option<String> {
    let Canonical { scheme, host, path, query } = Canonical::of(url)?;
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    Some(format!("{scheme}://{host}{path}{query}"))
}

/// The characters of the vectors are bytes.
fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(character).unwrap()).collect()
}

#[test]
fn the_table_that_google_publishes() {
    // From Google's page on URLs and hashing, as the tests of KDE messagelib and GNOME Epiphany have it.
    let vectors: Value = serde_json::from_str(include_str!("../../tests/vectors/safe_browsing.json")).unwrap();
    let rows = vectors["canonicalize"].as_array().unwrap();
    assert_eq!(rows.len(), 33);
    for row in rows {
        let (url, expected) = (row[0].as_str().unwrap(), row[1].as_str().unwrap());
        assert_eq!(written(&bytes(url)).as_deref(), Some(expected), "{url:?}");
    }
}

#[test]
fn further_rows_of_googles_client() {
    // From the tests of Google's client for Go (Apache-2.0).
    for (url, expected) in [
        ("ftp://ftp.myfiles.com/", "ftp://ftp.myfiles.com/"),
        ("http://some%1bhost.com/%1b", "http://some%1Bhost.com/%1B"),
        ("http://www.\u{fc}mlat.com/", "http://www.xn--mlat-zra.com/"),
        ("http://[2001:470:1:18::114]/", "http://[2001:470:1:18::114]/"),
        ("http%3A%2F%2Fwackyurl.com:80/", "http://wackyurl.com/"),
        ("http://W!eird<>Ho$^.com/", "http://w!eird<>ho$^.com/"),
    ] {
        assert_eq!(written(url.as_bytes()).as_deref(), Some(expected), "{url}");
    }
    for url in [
        "",
        ":",
        "/blah",
        "#ref",
        "?query#ref",
        "http://#ref",
        "http:///blah#ref",
        "http://?query#ref",
        "http:///blah;param",
        "mailto:bryner@google.com",
    ] {
        assert_eq!(written(url.as_bytes()), None, "{url:?}");
    }
}

#[test]
fn neither_user_nor_port_count() {
    for url in ["http://user:password@evil.com:8080/a", "user@evil.com/a", "HTTP://Evil.COM.:1/a", "evil.com:80/a"] {
        assert_eq!(written(url.as_bytes()).as_deref(), Some("http://evil.com/a"), "{url}");
    }
    assert_eq!(written(b"http://[::1]:80/").as_deref(), Some("http://[::1]/"));
}

proptest! {
    #[test]
    fn what_is_canonical_stays_as_it_is(url in "(http://)?[a-z0-9.%@:\\[\\]]{0,12}[/?#a-z.%25]{0,20}") {
        if let Some(once) = written(url.as_bytes()) {
            prop_assert_eq!(written(once.as_bytes()), Some(once));
        }
    }

    #[test]
    fn no_bytes_are_too_much(url in proptest::collection::vec(any::<u8>(), 0..60)) {
        if let Some(Canonical { host, path, .. }) = Canonical::of(&url) {
            prop_assert!(!host.is_empty() && path.starts_with('/'));
            prop_assert!(host.bytes().chain(path.bytes()).all(|byte| byte.is_ascii_graphic()));
        }
    }
}
