//! What stands behind a code in a path, and what becomes of it.

use serde_json::json;

use crate::document::assert_problem;
use crate::site::Site;

#[test]
fn the_rest_of_a_path_goes_behind_that_of_the_target_untouched() {
    let site = Site::shared();
    for (target, rest, location) in [
        ("https://example.com", "/a/b", "https://example.com/a/b"),
        ("https://example.com/p", "/a/b/", "https://example.com/p/a/b/"),
        ("https://example.com/p/", "/a", "https://example.com/p/a"),
        ("https://example.com/p?x=1#frag", "/a?y=2", "https://example.com/p/a?x=1&y=2#frag"),
        ("https://example.com/p", "/http://host//x", "https://example.com/p/http://host//x"),
        ("https://example.com/p", "//evil.example/", "https://example.com/p//evil.example/"),
        ("https://example.com", "/@evil.example/", "https://example.com/@evil.example/"),
        ("https://example.com/p", "/%2F%2e%C3%A4+ä", "https://example.com/p/%2F%2e%C3%A4+%C3%A4"),
        ("https://example.com/p", "/a/../b/./c", "https://example.com/p/a/../b/./c"),
        ("https://example.com/p", "//", "https://example.com/p//"),
        ("https://example.com/p?x=1", "/", "https://example.com/p?x=1"),
        ("https://example.com/p?x=1", "", "https://example.com/p?x=1"),
    ] {
        let path = site.admin().link(&json!({"originalUrl": target, "forwardPath": true}));
        for method in ["GET", "HEAD"] {
            let answer = site.visitor().request(method, &format!("{path}{rest}"), &[], b"");
            assert_eq!((answer.status, answer.headers("location")), (302, vec![location]), "{target} {rest}");
        }
        // HTTP/1.0 goes by the other way.
        let answer = site.visitor().raw(format!("GET {path}{rest} HTTP/1.0\r\n\r\n").as_bytes());
        assert_eq!((answer.status, answer.headers("location")), (302, vec![location]), "{target} {rest}");
    }
}

#[test]
fn a_link_says_whether_it_hands_it_on() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": "https://example.com/p"}));
    let behind = format!("{path}/a");
    let mut visitor = site.visitor();
    assert_problem(&visitor.get(&behind), 404, "link-not-found");
    assert_eq!(admin.edit(&path, &json!({"forwardPath": true})).json()["forwardPath"], true);
    assert_eq!(visitor.get(&behind).header("location"), Some("https://example.com/p/a"));
    assert_eq!(admin.edit(&path, &json!({"forwardPath": null})).json()["forwardPath"], false);
    assert_problem(&visitor.get(&behind), 404, "link-not-found");
    assert_eq!(visitor.get(&path).status, 302);
}

#[test]
fn behind_our_own_words_there_are_no_links() {
    let site = Site::shared();
    let mut visitor = site.visitor();
    for path in ["/api/a", "/static/a", "/healthz/a", "/readyz/", "/API/a/b"] {
        let answer = visitor.get(path);
        assert_eq!((answer.status, answer.headers("location").len()), (404, 0), "{path} {answer:?}");
    }
}
