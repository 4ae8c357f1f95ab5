//! Methods that links do not have.

use serde_json::json;

use super::TARGET;
use crate::document::assert_problem;
use crate::site::Site;

const OTHERS: [&str; 7] = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];

#[test]
fn other_methods_are_told_which_there_are() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    for method in OTHERS {
        for target in [&path, &format!("{path}/"), &format!("{path}?x=1"), "/no-such-link"] {
            let answer = site.visitor().request(method, target, &[], b"");
            assert_problem(&answer, 405, "method-not-allowed");
            assert_eq!(answer.header("allow"), Some("GET, HEAD"), "{method} {target}");
        }
    }
}

#[test]
fn other_methods_change_nothing() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    let before = admin.read(&path).json();
    for method in OTHERS {
        let answer = admin.send(method, &path, &json!({"originalUrl": "https://evil.example/", "active": false}));
        assert_eq!(answer.status, 405, "{method}");
    }
    assert_eq!(admin.read(&path).json(), before);
    assert_eq!(site.visitor().get(&path).header("location"), Some(TARGET));
}

#[test]
fn methods_are_case_sensitive() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    assert_problem(&site.visitor().request("get", &path, &[], b""), 405, "method-not-allowed");
}

#[test]
fn our_own_paths_list_their_methods() {
    let site = Site::shared();
    for (method, path, allowed) in [
        ("GET", "/api/shorten", "POST"),
        ("GET", "/shorten", "POST"),
        ("DELETE", "/shorten", "POST"),
        ("POST", "/healthz", "GET,HEAD"),
        ("POST", "/", "GET,HEAD"),
        ("PUT", "/robots.txt", "GET,HEAD"),
        ("POST", "/api/v1/links/abc", "GET,HEAD,PATCH,DELETE"),
    ] {
        let answer = site.visitor().request(method, path, &[], b"");
        assert_problem(&answer, 405, "method-not-allowed");
        assert_eq!(answer.header("allow"), Some(allowed), "{method} {path}");
    }
}
