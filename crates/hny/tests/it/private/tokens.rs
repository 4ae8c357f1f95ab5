//! Tokens, which open a link without its password until they end.

use hny_testkit::Response;
use serde_json::{Value, json};

use super::{PASSWORD, TARGET, assert_asks, locked, locked_with};
use crate::caller::{Caller, text};
use crate::document::{assert_bad_field, assert_json, assert_problem, assert_time, names};
use crate::instant::{millis_ahead, until_some};
use crate::site::{Site, program};

fn ask(caller: &mut Caller, path: &str, fields: &Value) -> Response {
    caller.send("POST", &format!("/api/v1/links{path}/tokens"), fields)
}

/// The path, with its query, of a token for an hour.
fn token(site: &Site, path: &str) -> String {
    path_of(site, &ask(&mut site.admin(), path, &json!({"expiresIn": 3600})))
}

fn path_of(site: &Site, made: &Response) -> String {
    assert_eq!(made.status, 201, "{}", made.text());
    let url = text(&made.json(), "url");
    url.strip_prefix(&site.base()).unwrap_or_else(|| panic!("{url}")).to_owned()
}

/// Asserts that an answer leads on by a token.
fn assert_leads(answer: &Response, target: &str) {
    assert_eq!((answer.status, answer.header("location")), (302, Some(target)));
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
}

#[test]
fn a_token_opens_the_link_and_the_target_does_not_get_it() {
    let site = Site::shared();
    let path = locked(&site);
    let made = ask(&mut site.admin(), &path, &json!({"expiresAt": millis_ahead(3_600_000).to_string()}));
    assert_json(&made);
    let document = made.json();
    assert_eq!(names(&document), ["expiresAt", "url"]);
    assert_time(&document, "expiresAt");
    let opening = path_of(&site, &made);
    let mut visitor = site.visitor();
    for _ in 0..2 {
        assert_leads(&visitor.get(&opening), TARGET);
    }
    assert_leads(&visitor.head(&opening), TARGET);
    // HTTP/1.0 goes by the other way.
    assert_leads(&site.visitor().raw(format!("GET {opening} HTTP/1.0\r\n\r\n").as_bytes()), TARGET);
    let forwarded = visitor.get(&format!("{opening}&b=%202&c"));
    assert_leads(&forwarded, "https://hideout.example/attic?key=7&b=%202&c#door");
    assert_asks(&visitor.get(&path), 200);
    let (_, query) = opening.split_once('?').unwrap();
    let plain = site.admin().link(&json!({"originalUrl": "https://example.com/"}));
    assert_eq!(visitor.get(&format!("{plain}?{query}")).header("location"), Some("https://example.com/"));
}

#[test]
fn a_token_never_lets_the_answer_be_kept() {
    let site = Site::shared();
    let path = locked_with(&mut site.admin(), &json!({"redirectStatus": 301}));
    let answer = site.visitor().get(&token(&site, &path));
    assert_eq!((answer.status, answer.header("cache-control")), (301, Some("private, no-store")));
}

#[test]
fn a_token_ends() {
    let site = Site::shared();
    let path = locked(&site);
    let (mut admin, mut visitor, mut seconds) = (site.admin(), site.visitor(), 0);
    // One that was over before it was used says nothing, and then the next one is longer.
    let opening = until_some(|| {
        seconds += 1;
        let opening = path_of(&site, &ask(&mut admin, &path, &json!({"expiresIn": seconds})));
        (visitor.get(&opening).status == 302).then_some(opening)
    });
    let page = until_some(|| Some(visitor.get(&opening)).filter(|answer| answer.status == 200));
    assert_asks(&page, 200);
}

#[test]
fn a_token_ends_with_the_password_that_it_stands_for() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = locked(&site);
    let opening = token(&site, &path);
    let mut visitor = site.visitor();
    assert_leads(&visitor.get(&opening), TARGET);
    assert_eq!(admin.edit(&path, &json!({"title": "x"})).status, 200);
    assert_leads(&visitor.get(&opening), TARGET);
    // The same password again is another one: who sets it wants to be rid of tokens.
    assert_eq!(admin.edit(&path, &json!({"password": PASSWORD})).status, 200);
    assert_asks(&visitor.get(&opening), 200);
    assert_eq!(admin.edit(&path, &json!({"password": null})).status, 200);
    assert_eq!(
        visitor.get(&opening).header("location"),
        Some(TARGET),
        "the link is open to all, and no one gets the token"
    );
}

#[test]
fn a_token_is_for_one_link_and_nobody_can_make_one_up() {
    let site = Site::shared();
    let (path, other) = (locked(&site), locked(&site));
    let opening = token(&site, &path);
    let (_, value) = opening.split_once("hny_token=").unwrap();
    let mut visitor = site.visitor();
    assert_asks(&visitor.get(&format!("{other}?hny_token={value}")), 200);
    let last = if value.ends_with('0') { '1' } else { '0' };
    for forged in [
        format!("{}{last}", &value[..value.len() - 1]),
        format!("7{}", &value[1..]),
        value.to_uppercase(),
        value[1..].to_owned(),
        String::new(),
        "0".repeat(80),
    ] {
        assert_asks(&visitor.get(&format!("{path}?hny_token={forged}")), 200);
    }
    assert_asks(&visitor.get(&format!("{path}?HNY_TOKEN={value}")), 200);
    assert_leads(&visitor.get(&format!("{path}?hny_token={value}")), TARGET);
}

#[test]
fn robots_get_no_target_by_a_token_either() {
    let site = Site::shared();
    let opening = token(&site, &locked(&site));
    let mut visitor = site.visitor();
    for agent in ["Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "WhatsApp/2.23", "Googlebot/2.1"] {
        assert_asks(&visitor.request("GET", &opening, &[("User-Agent", agent)], b""), 200);
    }
    assert_leads(&visitor.get(&opening), TARGET);
}

#[test]
fn a_visit_by_token_is_a_click_and_takes_one_of_a_limited_link() {
    let program = program();
    let mut site = Site::start(&program);
    let path = locked_with(&mut site.admin(), &json!({"maxClicks": 2}));
    let opening = token(&site, &path);
    let mut visitor = site.visitor();
    assert_asks(&visitor.get(&format!("{opening}0")), 200);
    assert_leads(&visitor.head(&opening), TARGET);
    assert_leads(&visitor.get(&opening), TARGET);
    assert_eq!(site.admin().read(&path).json()["clicksUsed"], 1);
    assert_leads(&visitor.get(&opening), TARGET);
    assert_problem(&visitor.get(&opening), 410, "link-gone");
    site.stop();
    let site = Site::start(&program);
    let mut admin = site.admin();
    until_some(|| {
        let stats = admin.ask("GET", &format!("/api/v1/links{path}/stats")).json();
        (stats["total"]["clicks"] == 2).then_some(())
    });
}

#[test]
fn who_may_change_a_link_gets_tokens_for_it() {
    let site = Site::start(&program());
    let path = locked(&site);
    let key = |role: &str| {
        let made = site.hny().program().run(["key", "create", "--name", role, "--role", role]);
        assert!(made.status.success(), "{made:?}");
        Caller::new(site.visitor(), String::from_utf8(made.stdout).unwrap().trim_end())
    };
    let fields = json!({"expiresIn": 60});
    for (role, status, kind) in [("creator", 404, "link-not-found"), ("reader", 403, "not-allowed")] {
        let refused = ask(&mut key(role), &path, &fields);
        assert_problem(&refused, status, kind);
        super::assert_hides(&refused);
    }
    assert_eq!(ask(&mut key("editor"), &path, &fields).status, 201);
    let target = format!("/api/v1/links{path}/tokens");
    assert_problem(&site.visitor().post_json(&target, &fields), 401, "key-needed");
    assert_problem(&ask(&mut site.admin(), "/nobody-has-this", &fields), 404, "link-not-found");
    assert_problem(&site.admin().ask("GET", &target), 405, "method-not-allowed");
}

#[test]
fn what_is_wrong_is_named() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = locked(&site);
    for (fields, pointer) in [
        (json!({}), "#/expiresIn"),
        (json!({"expiresIn": 0}), "#/expiresIn"),
        (json!({"expiresIn": "60"}), "#/expiresIn"),
        (json!({"expiresIn": 1e18}), "#/expiresIn"),
        (json!({"expiresAt": "2020-01-01T00:00:00Z"}), "#/expiresAt"),
        (json!({"expiresAt": "2999-01-01T00:00:00Z"}), "#/expiresAt"),
        (json!({"expiresAt": "2027-01-01"}), "#/expiresAt"),
        (json!({"expiresIn": 60, "for": "me"}), "#/for"),
    ] {
        assert_bad_field(&ask(&mut admin, &path, &fields), pointer);
    }
    let open = admin.link(&json!({"originalUrl": TARGET}));
    assert_problem(&ask(&mut admin, &open, &json!({"expiresIn": 60})), 409, "no-password");
}
