//! When a link ends, and what is there afterwards.

use hny_domain::Timestamp;
use hny_testkit::Client;
use serde_json::json;

use super::TARGET;
use crate::document::assert_problem;
use crate::instant::{millis_ahead, now, until_some};
use crate::site::Site;

/// Visits once, and asserts that the answer is right for the time it was given at. Whether the link was gone.
fn is_gone(visitor: &mut Client, method: &str, path: &str, end: Timestamp) -> bool {
    let before = now();
    let answer = visitor.request(method, path, &[], b"");
    let after = now();
    match answer.status {
        302 => assert!(before < end, "{method}: it went on at {before}, after its end"),
        410 => assert!(after >= end, "{method}: it was gone at {after}, before its end"),
        status => panic!("{method}: {status}"),
    }
    answer.status == 410
}

#[test]
fn a_link_goes_until_its_instant_and_not_a_moment_longer() {
    let site = Site::shared();
    let mut visitor = site.visitor();
    let later = millis_ahead(900_000);
    let path = site.admin().link(&json!({"originalUrl": TARGET, "expiresAt": later.to_string()}));
    assert!(!is_gone(&mut visitor, "GET", &path, later) && !is_gone(&mut visitor, "HEAD", &path, later));
    let end = site.admin().end_soon(&path);
    let mut methods = ["GET", "HEAD"].into_iter().cycle();
    until_some(|| is_gone(&mut visitor, methods.next()?, &path, end).then_some(()));
    assert!(is_gone(&mut visitor, "GET", &path, end) && is_gone(&mut visitor, "HEAD", &path, end));
}

#[test]
fn a_link_that_nobody_visited_before_its_end_is_gone() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    admin.end(&path);
    assert_eq!(admin.read(&path).json()["state"], "expired");
    assert_problem(&site.visitor().get(&path), 410, "link-gone");
}

#[test]
fn an_expired_link_keeps_its_code_until_it_is_deleted() {
    let site = Site::shared();
    let mut admin = site.admin();
    admin.create(&json!({"originalUrl": TARGET, "customCode": "steady"}));
    let (mut visitor, mut other) = (site.visitor(), site.admin());
    let mut try_to_take = || other.shorten(&json!({"originalUrl": "https://other.example/", "customCode": "steady"}));
    let end = admin.end_soon("/steady");
    until_some(|| {
        assert_problem(&try_to_take(), 409, "code-taken");
        is_gone(&mut visitor, "GET", "/steady", end).then_some(())
    });
    assert_problem(&try_to_take(), 409, "code-taken");
    assert_eq!(admin.delete("/steady").status, 204);
    admin.create(&json!({"originalUrl": "https://other.example/", "customCode": "steady"}));
    assert_eq!(visitor.get("/steady").header("location"), Some("https://other.example/"));
}

#[test]
fn an_expired_link_goes_again_when_its_end_is_taken_away() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    let mut visitor = site.visitor();
    admin.end(&path);
    assert_eq!(visitor.get(&path).status, 410);
    assert_eq!(admin.edit(&path, &json!({"expiresAt": null})).json()["state"], "active");
    assert_eq!(visitor.get(&path).header("location"), Some(TARGET));
}

#[test]
fn an_expired_link_says_so_to_people_and_programs_and_not_where_it_led() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": "https://secret.example/target"}));
    site.admin().end(&path);
    let mut visitor = site.visitor();
    let document = visitor.get(&path);
    assert_problem(&document, 410, "link-gone");
    let page = visitor.request("GET", &path, &[("Accept", "text/html,*/*;q=0.8")], b"");
    assert_eq!((page.status, page.header("content-type")), (410, Some("text/html; charset=utf-8")));
    assert_eq!(page.header("cache-control"), Some("private, no-store"));
    assert_eq!((page.header("vary"), document.header("vary")), (Some("accept"), Some("accept")));
    for text in [page.text(), document.text()] {
        assert!(!text.contains("secret.example"), "{text}");
    }
}

#[test]
fn a_disabled_link_is_absent_even_after_its_end() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET, "active": false}));
    admin.end(&path);
    assert_problem(&site.visitor().get(&path), 404, "link-not-found");
}

#[test]
fn a_link_is_absent_until_it_begins() {
    let site = Site::shared();
    let mut visitor = site.visitor();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET, "validFrom": millis_ahead(900_000).to_string()}));
    assert_eq!(visitor.get(&path).status, 404);
    let start = millis_ahead(200);
    assert_eq!(admin.edit(&path, &json!({"validFrom": start.to_string()})).status, 200);
    until_some(|| {
        let before = now();
        let answer = visitor.get(&path);
        match answer.status {
            404 => assert!(before < start, "it was absent at {before}, after its beginning"),
            302 => assert!(now() >= start, "it went before its beginning"),
            status => panic!("{status}"),
        }
        (answer.status == 302).then_some(())
    });
}
