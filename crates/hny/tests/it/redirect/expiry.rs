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
    let end = millis_ahead(800);
    let path = site.admin().link(&json!({"originalUrl": TARGET, "expiresAt": end.to_string()}));
    let (mut visits, mut methods) = (0, ["GET", "HEAD"].into_iter().cycle());
    until_some(|| {
        let gone = is_gone(&mut visitor, methods.next()?, &path, end);
        visits += 1;
        gone.then_some(())
    });
    assert!(visits > 2, "it was looked at before its end too");
    assert!(is_gone(&mut visitor, "GET", &path, end) && is_gone(&mut visitor, "HEAD", &path, end));
}

#[test]
fn a_link_that_nobody_visited_before_its_end_is_gone() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET, "expiresAt": millis_ahead(600).to_string()}));
    until_some(|| (admin.read(&path).json()["state"] == "expired").then_some(()));
    assert_problem(&site.visitor().get(&path), 410, "link-gone");
}

#[test]
fn an_expired_link_keeps_its_code_until_it_is_deleted() {
    let site = Site::shared();
    let mut admin = site.admin();
    let end = millis_ahead(600);
    admin.create(&json!({"originalUrl": TARGET, "customCode": "steady", "expiresAt": end.to_string()}));
    let mut visitor = site.visitor();
    let mut try_to_take = || admin.shorten(&json!({"originalUrl": "https://other.example/", "customCode": "steady"}));
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
    let path = admin.link(&json!({"originalUrl": TARGET, "expiresAt": millis_ahead(400).to_string()}));
    let mut visitor = site.visitor();
    until_some(|| (visitor.get(&path).status == 410).then_some(()));
    assert_eq!(admin.edit(&path, &json!({"expiresAt": null})).json()["state"], "active");
    assert_eq!(visitor.get(&path).header("location"), Some(TARGET));
}

#[test]
fn an_expired_link_says_so_to_people_and_programs_and_not_where_it_led() {
    let site = Site::shared();
    let fields = json!({"originalUrl": "https://secret.example/target", "expiresAt": millis_ahead(400).to_string()});
    let path = site.admin().link(&fields);
    let mut visitor = site.visitor();
    let document = until_some(|| Some(visitor.get(&path)).filter(|answer| answer.status == 410));
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
    let end = millis_ahead(400).to_string();
    let path = admin.link(&json!({"originalUrl": TARGET, "expiresAt": end, "active": false}));
    until_some(|| (now().to_string() > end).then_some(()));
    assert_problem(&site.visitor().get(&path), 404, "link-not-found");
}

#[test]
fn a_link_is_absent_until_it_begins() {
    let site = Site::shared();
    let mut visitor = site.visitor();
    let start = millis_ahead(600);
    let path = site.admin().link(&json!({"originalUrl": TARGET, "validFrom": start.to_string()}));
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
