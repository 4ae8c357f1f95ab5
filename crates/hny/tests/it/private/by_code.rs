//! Private links without a password: who has the code may follow it, and who only looks at links is told nothing.

use hny_testkit::{Client, Response};
use serde_json::{Value, json};

use super::{FORM, TARGET, assert_hides, assert_opened};
use crate::caller::Caller;
use crate::document::assert_problem;
use crate::pages::assert_page;
use crate::site::Site;

/// What makes a request go by the other road.
const UNUSUAL: (&str, &str) = ("Connection", "keep-alive, x-nothing");

const ROBOT: (&str, &str) = ("User-Agent", "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)");

/// A private link with these fields beside it; its path.
fn private_with(admin: &mut Caller, fields: &Value) -> String {
    let mut all = json!({"originalUrl": TARGET, "private": true, "title": "hideout"});
    for (name, value) in fields.as_object().unwrap() {
        all[name] = value.clone();
    }
    admin.link(&all)
}

/// Asserts that an answer is the page that says nothing but that the link is private.
fn assert_withheld(answer: &Response) {
    assert_eq!((answer.status, answer.headers("location").len()), (200, 0));
    assert_page(answer);
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    assert!(answer.text().contains("A private link"), "{}", answer.text());
    assert_hides(answer);
}

#[test]
fn who_only_looks_is_told_nothing() {
    let site = Site::shared();
    let mut admin = site.admin();
    for fields in [
        json!({}),
        json!({"redirectStatus": 301}),
        json!({"maxClicks": 1}),
        json!({"forwardPath": true, "expiredUrl": TARGET}),
    ] {
        let path = private_with(&mut admin, &fields);
        let mut visitor = site.visitor();
        let forwarded = if fields["forwardPath"] == true { format!("{path}/attic") } else { path.clone() };
        for target in [path.clone(), format!("{path}/"), format!("{path}?b=2"), forwarded] {
            for agent in [ROBOT.1, "facebookexternalhit/1.1", "Mozilla/5.0 (compatible; Googlebot/2.1)", "curl/8.5.0"] {
                for road in [&[("User-Agent", agent)][..], &[("User-Agent", agent), UNUSUAL]] {
                    assert_withheld(&visitor.request("GET", &target, road, b""));
                }
            }
            let page = visitor.request("GET", &target, &[ROBOT], b"");
            for head in [visitor.head(&target), visitor.request("HEAD", &target, &[UNUSUAL], b"")] {
                assert_eq!((head.status, head.headers("location").len()), (200, 0));
                assert_eq!(head.header("content-length"), page.header("content-length"));
                assert_hides(&head);
            }
        }
        assert_eq!(admin.read(&path).json()["clicksUsed"], 0);
        assert_eq!(visitor.get(&path).header("location"), Some(TARGET), "a person goes on");
    }
}

#[test]
fn its_preview_shows_no_target_to_anybody() {
    let site = Site::shared();
    let path = private_with(&mut site.admin(), &json!({}));
    for headers in [&[][..], &[ROBOT], &[("Accept", "application/json")]] {
        let page = site.visitor().request("GET", &format!("{path}+"), headers, b"");
        assert_eq!(page.status, 200);
        assert_page(&page);
        assert!(page.text().contains("This link is private"), "{}", page.text());
        assert_hides(&page);
    }
    let report = site.visitor().request("POST", &format!("{path}+"), &[FORM], b"reason=spam");
    assert_eq!(report.status, 200, "{}", report.text());
    assert_hides(&report);
}

/// A browser that loads ahead shows what it got when the link is followed.
#[test]
fn a_browser_that_loads_ahead_gets_what_its_person_would() {
    let site = Site::shared();
    let path = private_with(&mut site.admin(), &json!({}));
    let answer = site.visitor().request("GET", &path, &[("Sec-Purpose", "prefetch")], b"");
    assert_eq!(answer.header("location"), Some(TARGET));
}

#[test]
fn a_person_who_is_taken_for_a_robot_follows_by_the_form() {
    let site = Site::shared();
    let mut admin = site.admin();
    let send = |client: &mut Client, path: &str, headers: &[(&str, &str)]| {
        let headers: Vec<_> = headers.iter().copied().chain([ROBOT, FORM]).collect();
        client.request("POST", path, &headers, b"")
    };
    let mut visitor = site.visitor();
    let path = private_with(&mut admin, &json!({}));
    assert_opened(&send(&mut visitor, &path, &[]), TARGET);
    let foreign = send(&mut visitor, &path, &[("Sec-Fetch-Site", "cross-site"), ("Origin", "https://evil.example")]);
    assert_problem(&foreign, 403, "foreign-form");
    let limited = private_with(&mut admin, &json!({"maxClicks": 1}));
    assert_opened(&send(&mut visitor, &limited, &[]), TARGET);
    assert_eq!(admin.read(&limited).json()["clicksUsed"], 1);
    assert_problem(&send(&mut visitor, &limited, &[]), 410, "link-gone");
    let locked = private_with(&mut admin, &json!({"password": "x"}));
    assert_eq!(send(&mut visitor, &locked, &[]).status, 403, "a password is asked for though the code is private");
    let open = admin.link(&json!({"originalUrl": TARGET}));
    assert_problem(&send(&mut visitor, &open, &[]), 405, "method-not-allowed");
}
