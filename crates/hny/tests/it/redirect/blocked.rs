//! Links to what is blocked after they were made.

use std::time::Duration;

use hny_testkit::Client;
use serde_json::json;

use crate::caller::Caller;
use crate::document::assert_problem;
use crate::instant::until_some_within;
use crate::postgres;
use crate::site::{Site, program};

/// Every node knows a change within this time.
const PROMISE: Duration = Duration::from_secs(1);

fn block(admin: &mut Caller, rule: &str) {
    assert_eq!(admin.send("POST", "/api/v1/blocks", &json!({"rule": rule})).status, 201);
}

fn unblock(admin: &mut Caller, rule: &str) {
    assert_eq!(admin.ask("DELETE", &format!("/api/v1/blocks?rule={rule}")).status, 204);
}

fn is_blocked(visitor: &mut Client, path: &str) -> bool {
    let answer = visitor.get(path);
    if answer.status == 302 {
        return false;
    }
    assert_problem(&answer, 403, "link-blocked");
    true
}

#[test]
fn a_link_is_blocked_and_let_go_with_the_rule_that_is_about_it() {
    let site = Site::start(&program());
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let evil = admin.link(&json!({"originalUrl": "https://www.evil.example/secret-page"}));
    let good = admin.link(&json!({"originalUrl": "https://good.example/"}));
    let unseen = admin.link(&json!({"originalUrl": "https://evil.example/unseen"}));
    for _ in 0..3 {
        assert!(!is_blocked(&mut visitor, &evil) && !is_blocked(&mut visitor, &good), "cached");
        block(&mut admin, "evil.example");
        for path in [&evil, &evil, &unseen] {
            assert!(is_blocked(&mut visitor, path), "at once, cached or not");
            assert_problem(&visitor.request("POST", path, &[], b""), 405, "method-not-allowed");
        }
        assert!(!is_blocked(&mut visitor, &good));
        let page = visitor.request("GET", &evil, &[("Accept", "text/html")], b"");
        assert_eq!((page.status, page.header("location")), (403, None));
        assert!(page.text().contains("This link is blocked") && !page.text().contains("secret-page"));
        assert_eq!(page.header("cache-control"), Some("private, no-store"));
        assert_eq!(visitor.request("HEAD", &evil, &[], b"").status, 403);
        unblock(&mut admin, "evil.example");
        assert!(!is_blocked(&mut visitor, &unseen));
    }
    assert_eq!(admin.read(&evil).json()["state"], "active", "it is its owner's all the same");
}

#[test]
fn what_a_visitor_adds_may_not_lead_to_what_is_blocked_either() {
    let site = Site::start(&program());
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    block(&mut admin, "shared.example/evil/");
    block(&mut admin, "shared.example/page?id=7");
    let folder = admin.link(&json!({"originalUrl": "https://shared.example/", "forwardPath": true}));
    let page = admin.link(&json!({"originalUrl": "https://shared.example/page"}));
    for (path, expected) in [
        (folder.clone(), false),
        (format!("{folder}/good/x"), false),
        (format!("{folder}/evil/x"), true),
        (format!("{folder}/good/../%65vil/"), true),
        (page.clone(), false),
        (format!("{page}?id=8"), false),
        (format!("{page}?id=7"), true),
    ] {
        assert_eq!(is_blocked(&mut visitor, &path), expected, "{path}");
    }
}

#[test]
fn a_blocked_link_uses_up_no_click_and_a_blocked_end_leads_nowhere() {
    let site = Site::start(&program());
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let limited = admin.link(&json!({"originalUrl": "https://evil.example/", "maxClicks": 1}));
    let over = json!({"originalUrl": "https://a.example/", "expiredUrl": "https://evil.example/", "maxClicks": 1});
    let over = admin.link(&over);
    assert_eq!(visitor.get(&over).status, 302);
    assert_eq!(visitor.get(&over).header("location"), Some("https://evil.example/"));
    block(&mut admin, "evil.example");
    for _ in 0..3 {
        assert!(is_blocked(&mut visitor, &limited));
        assert_problem(&visitor.get(&over), 410, "link-gone");
    }
    unblock(&mut admin, "evil.example");
    assert_eq!(visitor.get(&limited).status, 302, "its click is still there");
    assert_problem(&visitor.get(&limited), 410, "link-gone");
}

#[test]
fn a_blocked_visit_is_no_click() {
    let mut site = Site::start(&program());
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let path = admin.link(&json!({"originalUrl": "https://evil.example/"}));
    block(&mut admin, "evil.example");
    assert!(is_blocked(&mut visitor, &path));
    unblock(&mut admin, "evil.example");
    assert!(!is_blocked(&mut visitor, &path));
    site.stop();
    let said = site.hny().program().run(["stats", &path[1..], "--json"]);
    let stats: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(stats["total"]["clicks"], 1, "{said:?}");
}

#[test]
fn targets_that_are_private_are_blocked_once_the_setting_says_so() {
    let program = program();
    let mut site = Site::start(&program);
    let path = site.admin().link(&json!({"originalUrl": "http://10.0.0.1/"}));
    assert!(!is_blocked(&mut site.visitor(), &path));
    site.stop();
    let strict = Site::start(&program.env("HNY_PRIVATE_TARGETS", "refuse"));
    assert!(is_blocked(&mut strict.visitor(), &path));
}

#[test]
fn another_node_blocks_within_a_second_what_it_has_in_its_cache() {
    let program = postgres::program();
    let (here, there) = (Site::start(&program), Site::start(&program));
    let (mut admin, mut visitor) = (here.admin(), there.visitor());
    let path = admin.link(&json!({"originalUrl": "https://evil.example/"}));
    for _ in 0..3 {
        assert!(!is_blocked(&mut visitor, &path));
        block(&mut admin, "evil.example");
        until_some_within(PROMISE, || is_blocked(&mut visitor, &path).then_some(()));
        unblock(&mut admin, "evil.example");
        until_some_within(PROMISE, || (!is_blocked(&mut visitor, &path)).then_some(()));
    }
}

#[test]
fn a_file_that_changes_blocks_links_that_are_there() {
    let program = program();
    let file = program.folder().join("list");
    std::fs::write(&file, "other.example\n").unwrap();
    let site = Site::start(&program.env("HNY_BLOCKLISTS", "list"));
    let mut visitor = site.visitor();
    let path = site.admin().link(&json!({"originalUrl": "https://evil.example/"}));
    assert!(!is_blocked(&mut visitor, &path));
    std::fs::write(&file, "other.example\n0.0.0.0 evil.example\n").unwrap();
    crate::instant::until_some(|| is_blocked(&mut visitor, &path).then_some(()));
}
