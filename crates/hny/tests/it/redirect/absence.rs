//! What visitors see where there is no link.

use serde_json::json;

use super::TARGET;
use crate::document::assert_problem;
use crate::site::Site;

const HTML: (&str, &str) = ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");

#[test]
fn a_program_gets_a_problem_document_about_an_unknown_code() {
    let site = Site::shared();
    let mut visitor = site.visitor();
    for accept in ["*/*", "application/json", "application/problem+json", ""] {
        let answer = visitor.request("GET", "/nobody-made-this", &[("Accept", accept)], b"");
        assert_problem(&answer, 404, "link-not-found");
        assert_eq!(answer.header("vary"), Some("accept"));
    }
    assert_problem(&visitor.get("/nobody-made-this"), 404, "link-not-found");
}

#[test]
fn a_browser_gets_a_page_about_an_unknown_code() {
    let site = Site::shared();
    let page = site.visitor().request("GET", "/nobody-made-that", &[HTML], b"");
    assert_eq!((page.status, page.header("content-type")), (404, Some("text/html; charset=utf-8")));
    assert_eq!(page.header("cache-control"), Some("private, no-store"));
    assert_eq!(page.header("vary"), Some("accept"));
    assert!(page.text().starts_with("<!doctype html>") && page.text().contains("404"), "{}", page.text());
}

#[test]
fn a_disabled_link_looks_like_one_that_never_was() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": "https://secret.example/", "active": false}));
    let mut visitor = site.visitor();
    for accept in ["*/*", "text/html"] {
        let disabled = visitor.request("GET", &path, &[("Accept", accept)], b"");
        let unknown = visitor.request("GET", "/never-was", &[("Accept", accept)], b"");
        assert_eq!((disabled.status, disabled.text()), (404, unknown.text()), "{accept}");
        assert_eq!(disabled.header("cache-control"), Some("private, no-store"));
    }
}

#[test]
fn no_error_page_repeats_the_request() {
    let site = Site::shared();
    for target in [
        "/mArKeR",
        "/mArKeR.html",
        "/%3Cscript%3EmArKeR%3C/script%3E",
        "/\"><script>mArKeR</script>",
        "/x.y?q=mArKeR",
        "/api/mArKeR",
        "/static/mArKeR",
        "//mArKeR.example/",
    ] {
        for header in [HTML, ("Referer", "https://mArKeR.example/"), ("User-Agent", "mArKeR")] {
            let answer = site.visitor().request("GET", target, &[header], b"");
            let status = answer.status;
            assert!(status == 404 || (status == 400 && answer.body.is_empty()), "{target} {answer:?}");
            assert!(!answer.text().contains("mArKeR"), "{target} {}", answer.text());
        }
    }
}

#[test]
fn every_answer_about_a_code_says_how_long_it_may_be_kept() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    let mut visitor = site.visitor();
    for (method, target, status) in [
        ("GET", path.as_str(), 302),
        ("HEAD", &path, 302),
        ("POST", &path, 405),
        ("OPTIONS", &path, 405),
        ("GET", "/unknown-once", 404),
        ("GET", "/unknown-once", 404),
        ("HEAD", "/unknown-once", 404),
        ("GET", "/no.code", 404),
        ("GET", "/a/b", 404),
        ("GET", "/", 200),
    ] {
        let answer = visitor.request(method, target, &[], b"");
        assert_eq!((answer.status, answer.header("cache-control")), (status, Some("private, no-store")), "{target}");
    }
}
