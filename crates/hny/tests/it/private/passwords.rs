//! The page that asks, and what it does with what is typed.

use hny_testkit::Client;
use serde_json::{Value, json};

use super::{FORM, PASSWORD, TARGET, assert_asks, assert_opened, locked, locked_with, send, send_with};
use crate::caller::text;
use crate::document::{assert_bad_field, assert_fields, assert_problem};
use crate::instant::{millis_ahead, until_some};
use crate::site::{Site, program};

const CHROME: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

#[test]
fn whoever_comes_is_asked_and_the_page_needs_no_script() {
    let site = Site::shared();
    let path = locked(&site);
    let (mut visitor, mut unusual) = (site.visitor(), site.visitor());
    let who: [&[(&str, &str)]; 6] = [
        &[],
        &[("Accept", "text/html"), ("User-Agent", CHROME)],
        &[("Accept", "application/json")],
        &[("User-Agent", "facebookexternalhit/1.1")],
        &[("User-Agent", CHROME), ("Sec-Purpose", "prefetch;prerender")],
        &[("User-Agent", "curl/8.5.0"), ("X-Api-Key", "hny_0")],
    ];
    for headers in who {
        let page = visitor.request("GET", &path, headers, b"");
        assert_asks(&page, 200);
        assert!(page.text().contains("<form method=\"post\">") && !page.text().contains("<script"), "{}", page.text());
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(page.header("x-frame-options"), Some("DENY"));
        // With no referrer at all its form would seem to come from nowhere.
        assert_eq!(page.header("referrer-policy"), Some("same-origin"));
        let policy = page.header("content-security-policy").unwrap();
        for rule in ["default-src 'none'", "form-action 'self' http: https:", "frame-ancestors 'none'"] {
            assert!(policy.split("; ").any(|part| part == rule), "{rule} is not in {policy}");
        }
        let head = visitor.request("HEAD", &path, headers, b"");
        assert_asks(&head, 200);
        assert_eq!(head.header("content-length"), page.header("content-length"));
        // HTTP/1.0 goes by the other way.
        let fields: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let fields = fields.concat();
        assert_asks(&site.visitor().raw(format!("GET {path} HTTP/1.0\r\n{fields}\r\n").as_bytes()), 200);
        let other: Vec<_> = headers.iter().copied().chain([("Connection", "keep-alive, x-nothing")]).collect();
        assert_eq!(unusual.request("GET", &path, &other, b"").body, page.body);
    }
}

#[test]
fn the_right_password_leads_on_and_no_other_does() {
    let site = Site::with("HNY_PASSWORD_LIMIT", "off");
    let path = locked(&site);
    let mut visitor = site.visitor();
    for wrong in ["", "x", "öffne dich & 100% ", "ÖFFNE DICH & 100%", "öffne dich", &"x".repeat(1_025)] {
        let page = send(&mut visitor, &path, wrong);
        assert_asks(&page, 403);
        assert!(page.text().contains("not the password"), "{}", page.text());
        assert!(wrong.is_empty() || wrong == "x" || !page.text().contains(wrong), "{}", page.text());
    }
    for body in ["", "passwort=x", "password", "password=%FF", "password=a&password=b", "%00=%00&&&"] {
        assert_asks(&visitor.request("POST", &path, &[FORM], body.as_bytes()), 403);
    }
    for path in [&*path, &format!("{path}/"), &format!("/%{:02x}{}", path.as_bytes()[1], &path[2..])] {
        assert_opened(&send(&mut visitor, path, PASSWORD), TARGET);
    }
    assert_asks(&visitor.get(&path), 200);
    // A browser writes a space as a plus sign.
    let typed = b"password=%C3%B6ffne+dich+%26+100%25";
    let charset = ("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
    assert_opened(&visitor.request("POST", &path, &[charset], typed), TARGET);
}

#[test]
fn what_the_visitor_brings_is_handed_on() {
    let site = Site::shared();
    let path =
        locked_with(&mut site.admin(), &json!({"originalUrl": "https://hideout.example/a?b=1#c", "forwardPath": true}));
    let mut visitor = site.visitor();
    assert_asks(&visitor.get(&format!("{path}/d/e?f=%20g")), 200);
    let opened = send(&mut visitor, &format!("{path}/d/e?f=%20g&hny_token=x"), PASSWORD);
    assert_opened(&opened, "https://hideout.example/a/d/e?b=1&f=%20g#c");
    let off = locked_with(&mut site.admin(), &json!({"forwardQuery": false, "redirectStatus": 308}));
    // Never 308, which would send the password to the target.
    assert_opened(&send(&mut visitor, &format!("{off}?f=1"), PASSWORD), TARGET);
    assert_problem(&send(&mut visitor, &format!("{off}/d"), PASSWORD), 405, "method-not-allowed");
}

#[test]
fn other_links_have_no_form() {
    let site = Site::shared();
    let mut admin = site.admin();
    let plain = admin.link(&json!({"originalUrl": TARGET}));
    let mut visitor = site.visitor();
    for path in [&*plain, "/nobody-has-this"] {
        let answer = send(&mut visitor, path, PASSWORD);
        assert_problem(&answer, 405, "method-not-allowed");
        assert_eq!(answer.header("allow"), Some("GET, HEAD"));
    }
    let path = locked(&site);
    for method in ["PUT", "PATCH", "DELETE", "OPTIONS"] {
        let answer = visitor.request(method, &path, &[FORM], super::form(PASSWORD).as_bytes());
        assert_problem(&answer, 405, "method-not-allowed");
    }
    let document = json!({"password": PASSWORD});
    assert_problem(&visitor.post_json(&path, &document), 405, "method-not-allowed");
    let large = visitor.request("POST", &path, &[FORM], &[b'x'; 10_000]);
    assert_problem(&large, 413, "body-too-large");
}

#[test]
fn a_form_of_another_site_is_refused() {
    let site = Site::shared();
    let path = locked(&site);
    let mut visitor = site.visitor();
    let base = site.base();
    for headers in [
        [("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "same-site")],
        [("Origin", "https://evil.example")],
        [("Origin", "null")],
    ] {
        assert_problem(&send_with(&mut visitor, &path, PASSWORD, &headers), 403, "foreign-form");
    }
    for headers in [[("Sec-Fetch-Site", "same-origin")], [("Origin", &*base)]] {
        assert_opened(&send_with(&mut visitor, &path, PASSWORD, &headers), TARGET);
    }
}

#[test]
fn its_time_and_its_owner_come_before_its_password() {
    let site = Site::shared();
    let mut admin = site.admin();
    let off = locked_with(&mut admin, &json!({"active": false}));
    let later = locked_with(&mut admin, &json!({"validFrom": millis_ahead(900_000).to_string()}));
    let over = locked_with(&mut admin, &json!({}));
    let mut visitor = site.visitor();
    for path in [&off, &later] {
        assert_problem(&visitor.get(path), 404, "link-not-found");
        assert_problem(&send(&mut visitor, path, PASSWORD), 405, "method-not-allowed");
    }
    admin.end(&over);
    for answer in [visitor.get(&over), send(&mut visitor, &over, PASSWORD)] {
        assert_problem(&answer, 410, "link-gone");
        super::assert_hides(&answer);
    }
}

/// B45, B64.
#[test]
fn a_password_that_is_changed_or_taken_away_is_so_at_once() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    let mut visitor = site.visitor();
    assert_eq!(visitor.get(&path).status, 302);
    let edited = admin.edit(&path, &json!({"password": "first"}));
    assert_eq!((edited.status, &edited.json()["hasPassword"]), (200, &json!(true)), "{}", edited.text());
    assert_asks(&visitor.get(&path), 200);
    assert_opened(&send(&mut visitor, &path, "first"), TARGET);
    assert_eq!(admin.edit(&path, &json!({"password": "second", "title": "x"})).status, 200);
    assert_asks(&send(&mut visitor, &path, "first"), 403);
    assert_opened(&send(&mut visitor, &path, "second"), TARGET);
    assert_eq!(admin.edit(&path, &json!({"title": "y"})).json()["hasPassword"], true, "absent keeps");
    assert_bad_field(&admin.edit(&path, &json!({"password": ""})), "#/password");
    assert_opened(&send(&mut visitor, &path, "second"), TARGET);
    assert_eq!(admin.edit(&path, &json!({"password": null})).json()["hasPassword"], false);
    assert_eq!(visitor.get(&path).header("location"), Some(TARGET));
    assert_problem(&send(&mut visitor, &path, "second"), 405, "method-not-allowed");
}

#[test]
fn what_can_be_a_password() {
    let site = Site::shared();
    let mut admin = site.admin();
    let with = |password: Value| json!({"originalUrl": TARGET, "password": password});
    for bad in [json!(""), json!("x".repeat(1_025)), json!(1234), json!(true), json!([]), json!({}), json!("a\0b")] {
        assert_bad_field(&admin.shorten(&with(bad)), "#/password");
    }
    // B80: it is a text, whatever it looks like.
    for good in ["0123", "1e3", "null", "#$\"'\n", " "] {
        let path = admin.link(&with(json!(good)));
        assert_opened(&send(&mut site.visitor(), &path, good), TARGET);
        assert_asks(&send(&mut site.visitor(), &path, "123"), 403);
    }
    let longest = "ü".repeat(512);
    let path = admin.link(&with(json!(longest)));
    assert_opened(&send(&mut site.visitor(), &path, &longest), TARGET);
    assert_eq!(admin.create(&with(Value::Null))["hasPassword"], false);
    let refused = site.visitor().post_json("/api/shorten", &with(json!("x")));
    assert_fields(&refused, 401, "key-needed", &["#/password"]);
}

#[test]
fn a_private_link_with_a_password_has_a_code_to_be_typed_or_chosen() {
    let site = Site::shared();
    let mut admin = site.admin();
    let drawn = admin.create(&json!({"originalUrl": TARGET, "private": true, "password": PASSWORD}));
    let code = text(&drawn, "shortCode");
    assert_eq!((code.len(), &drawn["private"], &drawn["hasPassword"]), (10, &json!(true), &json!(true)));
    let chosen = json!({"originalUrl": TARGET, "private": true, "password": PASSWORD, "customCode": "our-secret"});
    assert_eq!(admin.link(&chosen), "/our-secret");
    for path in [format!("/{code}"), "/our-secret".to_owned()] {
        assert_asks(&site.visitor().get(&path), 200);
        assert_bad_field(&admin.edit(&path, &json!({"password": null})), "#/password");
        assert_asks(&site.visitor().get(&path), 200);
        assert_eq!(admin.edit(&path, &json!({"password": "another"})).status, 200);
    }
}

/// What the statistics say of a link: clicks, and all visits by their kinds.
fn counted(site: &Site, path: &str) -> (u64, Vec<String>) {
    let total = site.admin().ask("GET", &format!("/api/v1/links{path}/stats")).json()["total"]["clicks"].as_u64();
    let items = site.admin().ask("GET", &format!("/api/v1/links{path}/clicks")).json()["items"].clone();
    let kinds = items.as_array().unwrap().iter().map(|item| text(item, "kind")).collect();
    (total.unwrap(), kinds)
}

#[test]
fn who_looks_at_the_page_has_not_clicked_and_who_opens_the_link_has_once() {
    let program = program();
    let mut site = Site::start(&program);
    let path = locked(&site);
    let mut visitor = site.visitor();
    for agent in [CHROME, "Twitterbot/1.0"] {
        assert_asks(&visitor.request("GET", &path, &[("User-Agent", agent)], b""), 200);
    }
    assert_asks(&visitor.head(&path), 200);
    assert_asks(&send(&mut visitor, &path, "wrong"), 403);
    // Whoever sends the password is a person, by whatever program.
    assert_opened(&send_with(&mut visitor, &path, PASSWORD, &[("User-Agent", "curl/8.5.0")]), TARGET);
    site.stop();
    let site = Site::start(&program);
    until_some(|| (counted(&site, &path) == (1, vec!["person".to_owned()])).then_some(()));
}

#[test]
fn only_the_right_password_takes_a_click_of_a_limited_link() {
    let site = Site::shared();
    let path = locked_with(&mut site.admin(), &json!({"maxClicks": 1}));
    let used = || site.admin().read(&path).json()["clicksUsed"].clone();
    let mut visitor = site.visitor();
    assert_asks(&visitor.get(&path), 200);
    assert_asks(&visitor.request("GET", &path, &[("Sec-Purpose", "prefetch")], b""), 200);
    assert_asks(&send(&mut visitor, &path, "wrong"), 403);
    assert_eq!(used(), 0);
    assert_opened(&send(&mut visitor, &path, PASSWORD), TARGET);
    assert_eq!(used(), 1);
    let late = send(&mut visitor, &path, PASSWORD);
    assert_problem(&late, 410, "link-gone");
    super::assert_hides(&late);
}

#[test]
fn what_became_of_passwords_is_in_the_metrics() {
    let site = Site::with("HNY_METRICS_LISTEN", "127.0.0.1:0");
    let path = locked(&site);
    let mut visitor = site.visitor();
    (0..3).for_each(|_| assert_asks(&visitor.get(&path), 200));
    (0..2).for_each(|_| assert_asks(&send(&mut visitor, &path, "wrong"), 403));
    assert_opened(&send(&mut visitor, &path, PASSWORD), TARGET);
    let metrics = Client::connect(site.hny().metrics_address()).get("/metrics").text().to_owned();
    for (outcome, count) in [("asked", 3), ("wrong-password", 2), ("go", 1)] {
        let line = format!("hny_visits_total{{outcome=\"{outcome}\"}} {count}\n");
        assert!(metrics.contains(&line), "{line} is not in {metrics}");
    }
}
