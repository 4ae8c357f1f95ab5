//! Links that may be followed so many times only.

use hny_testkit::Client;
use serde_json::{Value, json};

use super::TARGET;
use crate::document::assert_problem;
use crate::site::{Site, program};

const CHROME: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

fn limited(site: &Site, max_clicks: u32) -> String {
    site.admin().link(&json!({"originalUrl": TARGET, "maxClicks": max_clicks}))
}

/// How often a link was followed, and what it is.
fn used(site: &Site, path: &str) -> (Value, Value) {
    let link = site.admin().read(path).json();
    (link["clicksUsed"].clone(), link["state"].clone())
}

fn statuses(visitor: &mut Client, path: &str, times: usize) -> Vec<u16> {
    (0..times).map(|_| visitor.get(path).status).collect()
}

#[test]
fn a_link_is_followed_as_often_as_it_may_be_and_is_gone_then() {
    let site = Site::shared();
    let path = limited(&site, 2);
    let mut visitor = site.visitor();
    assert_eq!(used(&site, &path), (json!(0), json!("active")));
    let first = visitor.get(&path);
    assert_eq!((first.status, first.header("location")), (302, Some(TARGET)));
    assert_eq!(used(&site, &path), (json!(1), json!("active")));
    // HTTP/1.0 goes by the other way.
    assert_eq!(site.visitor().raw(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes()).status, 302);
    assert_eq!(used(&site, &path), (json!(2), json!("used-up")));
    assert_problem(&visitor.get(&path), 410, "link-gone");
    assert_eq!(site.visitor().raw(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes()).status, 410);
    assert_eq!(visitor.head(&path).status, 410);
    assert_eq!(used(&site, &path), (json!(2), json!("used-up")));
}

/// B47.
#[test]
fn what_is_no_person_uses_none_up() {
    let site = Site::shared();
    let path = limited(&site, 1);
    let mut visitor = site.visitor();
    for agent in
        ["facebookexternalhit/1.1", "WhatsApp/2.23", "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"]
    {
        assert_eq!(visitor.request("GET", &path, &[("User-Agent", agent)], b"").status, 302, "{agent}");
    }
    assert_eq!(visitor.request("HEAD", &path, &[("User-Agent", CHROME)], b"").status, 302);
    // A browser that loads ahead is asked to wait until somebody follows the link.
    let ahead = visitor.request("GET", &path, &[("User-Agent", CHROME), ("Sec-Purpose", "prefetch")], b"");
    assert_problem(&ahead, 503, "unavailable");
    assert_eq!(used(&site, &path), (json!(0), json!("active")));
    assert_eq!(visitor.request("GET", &path, &[("User-Agent", CHROME)], b"").status, 302);
    assert_eq!(used(&site, &path), (json!(1), json!("used-up")));
    let robot = visitor.request("GET", &path, &[("User-Agent", "WhatsApp/2.23")], b"");
    assert_problem(&robot, 410, "link-gone");
}

#[test]
fn no_answer_about_a_limited_link_is_kept() {
    let site = Site::shared();
    for status in [301, 308] {
        let path = site.admin().link(&json!({"originalUrl": TARGET, "maxClicks": 1, "redirectStatus": status}));
        for expected in [status, 410] {
            let answer = site.visitor().get(&path);
            assert_eq!((answer.status, answer.header("cache-control")), (expected, Some("private, no-store")));
        }
    }
}

#[test]
fn a_visit_that_goes_nowhere_uses_none_up() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = limited(&site, 1);
    let mut visitor = site.visitor();
    assert_problem(&visitor.get(&format!("{path}/more")), 404, "link-not-found");
    assert_eq!(visitor.request("POST", &path, &[], b"").status, 405);
    for (field, value) in [("active", json!(false)), ("validFrom", json!("2098-01-01T00:00:00Z"))] {
        assert_eq!(admin.edit(&path, &json!({field: value})).status, 200);
        assert_problem(&visitor.get(&path), 404, "link-not-found");
        assert_eq!(admin.edit(&path, &json!({field: null})).status, 200);
    }
    assert_eq!(used(&site, &path), (json!(0), json!("active")));
    assert_eq!(statuses(&mut visitor, &path, 2), [302, 410]);
}

/// B45.
#[test]
fn a_limit_is_raised_lowered_and_taken_away_at_once() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = limited(&site, 1);
    let mut visitor = site.visitor();
    assert_eq!(statuses(&mut visitor, &path, 2), [302, 410]);
    for (limit, expected) in
        [(json!(2), [302, 410]), (json!(1), [410, 410]), (Value::Null, [302, 302]), (json!(3), [302, 410])]
    {
        assert_eq!(admin.edit(&path, &json!({"maxClicks": limit})).status, 200);
        assert_eq!(statuses(&mut visitor, &path, 2), expected, "{limit}");
    }
    // What is followed without a limit is not counted towards one.
    assert_eq!(used(&site, &path), (json!(3), json!("used-up")));
}

#[test]
fn what_was_used_is_known_after_a_restart_and_forgotten_with_the_link() {
    let program = program();
    let mut site = Site::start(&program);
    let fields = json!({"originalUrl": TARGET, "maxClicks": 2, "customCode": "twice"});
    let path = site.admin().link(&fields);
    assert_eq!(site.visitor().get(&path).status, 302);
    site.kill();
    let site = Site::start(&program);
    assert_eq!(statuses(&mut site.visitor(), &path, 2), [302, 410]);
    assert_eq!(site.admin().delete(&path).status, 204);
    assert_problem(&site.visitor().get(&path), 404, "link-not-found");
    assert_eq!(site.admin().link(&fields), path);
    assert_eq!(statuses(&mut site.visitor(), &path, 3), [302, 302, 410]);
}

#[test]
fn a_visit_that_a_trusted_proxy_sends_again_is_one() {
    let program = program().env("HNY_TRUSTED_PROXIES", "127.0.0.1").env("HNY_VISIT_ID_FIELD", "X-Request-Id");
    let site = Site::start(&program);
    let path = limited(&site, 2);
    let mut visitor = site.visitor();
    let mut visit = |id: &str| visitor.request("GET", &path, &[("X-Request-Id", id)], b"").status;
    assert_eq!(["a1", "a1", "b2", "b2", "a1", "c3"].map(&mut visit), [302, 302, 302, 302, 410, 410]);
    assert_eq!(used(&site, &path), (json!(2), json!("used-up")));
}

#[test]
fn nobody_else_names_visits() {
    for program in [
        program().env("HNY_TRUSTED_PROXIES", "127.0.0.1"),
        program().env("HNY_VISIT_ID_FIELD", "X-Request-Id"),
        program().env("HNY_VISIT_ID_FIELD", "X-Request-Id").env("HNY_TRUSTED_PROXIES", "192.0.2.0/24"),
    ] {
        let site = Site::start(&program);
        let path = limited(&site, 1);
        let mut visitor = site.visitor();
        let mut visit = || visitor.request("GET", &path, &[("X-Request-Id", "a1")], b"").status;
        assert_eq!([visit(), visit()], [302, 410]);
    }
}
