//! `hny shorten`.

use std::time::Duration;

use hny_testkit::Program;
use serde_json::{Value, json};

use super::{assert_failed, said, talk};
use crate::document::{assert_time, names};
use crate::instant::until_some_within;
use crate::site::{Site, program};

fn sho() -> Program {
    program().env("HNY_BASE_URL", "https://sho.example/s")
}

#[test]
fn the_short_url_is_all_that_stdout_has() {
    let made = sho().run(["shorten", "https://example.com/page"]);
    assert!(made.status.success(), "{made:?}");
    let code = said(&made).strip_prefix("https://sho.example/s/").unwrap();
    assert!(code.len() == 7 && code.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{code}");
    assert_eq!(String::from_utf8_lossy(&made.stdout).lines().count(), 1);
    assert_eq!(talk(&made), "");
}

#[test]
fn json_has_the_fields_of_the_api() {
    let made = sho().run([
        "shorten",
        "https://example.com/a b",
        "--json",
        "--code",
        "mine",
        "--expires-at",
        "2099-01-01T02:00:00+02:00",
    ]);
    assert!(made.status.success(), "{made:?}");
    let document: Value = serde_json::from_str(said(&made)).unwrap();
    assert_eq!(names(&document), ["createdAt", "expiresAt", "originalUrl", "shortCode", "shortUrl"]);
    assert_eq!(document["shortUrl"], "https://sho.example/s/mine");
    assert_eq!(document["originalUrl"], "https://example.com/a%20b");
    assert_eq!(document["expiresAt"], "2099-01-01T00:00:00.000Z");
    assert_time(&document, "createdAt");
}

#[test]
fn what_is_wrong_is_named_and_nothing_is_made() {
    let program = sho();
    for (words, shown) in [
        (vec!["example.com"], "originalUrl"),
        (vec![""], "originalUrl"),
        (vec!["https://sho.example/s/abc"], "originalUrl"),
        (vec!["https://example.com", "--code", "a/b"], "customCode"),
        (vec!["https://example.com", "--code", "API"], "customCode"),
        (vec!["https://example.com", "--code", "s"], "customCode"),
        (vec!["https://example.com", "--expires-at", "2000-01-01T00:00:00Z"], "expiresAt"),
        (vec!["https://example.com", "--redirect-status", "303"], "redirectStatus"),
        (vec![], "<URL>"),
        (vec!["https://example.com", "--no-such-flag"], "--no-such-flag"),
        (vec!["https://example.com", "https://example.org"], "https://example.org"),
    ] {
        let refused = program.run([vec!["shorten"], words].concat());
        assert_failed(&refused, 2);
        assert!(talk(&refused).contains(shown), "{refused:?}");
    }
}

#[test]
fn everything_that_is_wrong_is_named_at_once() {
    let refused = sho().run(["shorten", "example.com", "--code", "a b", "--expires-at", "soon"]);
    assert_failed(&refused, 2);
    assert!(
        ["originalUrl", "customCode", "expiresAt"].iter().all(|field| talk(&refused).contains(field)),
        "{refused:?}"
    );
}

#[test]
fn a_taken_code_is_exit_code_1() {
    let program = sho();
    assert!(program.run(["shorten", "https://example.com", "--code", "mine"]).status.success());
    let refused = program.run(["shorten", "https://example.org", "--code", "mine"]);
    assert_failed(&refused, 1);
}

#[test]
fn settings_are_flags_too() {
    let made = sho().run(["shorten", "https://example.com", "--code-length", "20", "--base-url", "https://x.example"]);
    let code = said(&made).strip_prefix("https://x.example/").unwrap();
    assert_eq!(code.len(), 20);
}

#[test]
fn a_running_service_redirects_it_at_once() {
    let site = Site::start(&program());
    let made = site.hny().program().run(["shorten", "https://example.com/page?a=%2F", "--json"]);
    let document: Value = serde_json::from_str(said(&made)).unwrap();
    let visit = site.visitor().get(&format!("/{}", document["shortCode"].as_str().unwrap()));
    assert_eq!((visit.status, visit.headers("location")), (302, vec!["https://example.com/page?a=%2F"]));
}

#[test]
fn a_running_service_that_knew_it_as_absent_redirects_it_within_a_second() {
    let site = Site::start(&program());
    let mut visitor = site.visitor();
    for _ in 0..2 {
        assert_eq!(visitor.get("/beside").status, 404);
    }
    let made = site.hny().program().run(["shorten", "https://example.com/", "--code", "beside"]);
    assert!(made.status.success(), "{made:?}");
    let within = Duration::from_secs(1);
    let location = until_some_within(within, || visitor.get("/beside").header("location").map(str::to_owned));
    assert_eq!(location, "https://example.com/");
}

#[test]
fn the_operator_may_take_a_code_that_was_deleted() {
    let site = Site::start(&program());
    site.admin().create(&json!({"originalUrl": "https://old.example/", "customCode": "again"}));
    assert_eq!(site.admin().delete("/again").status, 204);
    let made = site.hny().program().run(["shorten", "https://new.example/", "--code", "again"]);
    assert!(made.status.success(), "{made:?}");
    let mut visitor = site.visitor();
    let seen =
        until_some_within(Duration::from_secs(1), || visitor.get("/again").header("location").map(str::to_owned));
    assert_eq!(seen, "https://new.example/");
    assert_eq!(site.admin().read("/again").json()["createdBy"], Value::Null);
}
