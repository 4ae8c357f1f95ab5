//! What a provider is told: nothing of private links, and of the others no more than it must be.

use hny_testkit::SafeBrowsing;
use serde_json::json;

use super::{EVIL, GOOD, set};
use crate::instant::until_some;
use crate::site::{Site, program};

const SECRET: &str = "https://secret.example/place?id=7";

/// Whether the provider has heard of a host.
fn has_heard_of(provider: &SafeBrowsing, host: &str) -> bool {
    provider.was_asked_for(&format!("{host}/")) || provider.asked().iter().any(|asked| asked.contains(host))
}

#[test]
fn nobody_is_told_where_a_private_link_leads() {
    for service in ["safebrowsing", "webrisk"] {
        let provider = SafeBrowsing::start();
        let site = Site::start(&set(&program(), &provider, service));
        let (mut admin, mut visitor) = (site.admin(), site.visitor());
        let fields = json!({"originalUrl": SECRET, "expiredUrl": SECRET, "private": true});
        let private = admin.link(&fields);
        let locked = admin.link(&json!({"originalUrl": SECRET, "password": "sesame"}));
        let used_up =
            admin.link(&json!({"originalUrl": SECRET, "expiredUrl": SECRET, "private": true, "maxClicks": 1}));
        let row = json!({"create": [fields, {"originalUrl": SECRET, "password": "sesame"}]});
        let rows = admin.send("POST", "/api/v1/links/bulk", &row);
        assert!(rows.text().matches("\"status\":201").count() == 2, "{}", rows.text());
        for path in [&private, &locked] {
            let other = json!({"originalUrl": format!("{SECRET}&other"), "expiredUrl": SECRET});
            assert_eq!(admin.edit(path, &other).status, 200);
        }
        // One that is told of may become one that is not: by the same edit.
        let open = admin.link(&json!({"originalUrl": GOOD}));
        assert_eq!(admin.edit(&open, &json!({"originalUrl": SECRET, "password": "sesame"})).status, 200);
        for _ in 0..2 {
            assert_eq!(visitor.get(&private).status, 302);
            assert_eq!(visitor.get(&used_up).status, 302);
            for path in [&private, &locked] {
                let preview = visitor.get(&format!("{path}+"));
                assert!(preview.status == 200 && !preview.text().contains("secret.example"), "{}", preview.text());
            }
            let form = [("Content-Type", "application/x-www-form-urlencoded")];
            assert_eq!(visitor.request("POST", &locked, &form, b"password=sesame").status, 303);
        }
        // Questions of visits are asked in their order: this one would come behind those.
        let plain = admin.link(&json!({"originalUrl": "https://plain.example/"}));
        assert_eq!(visitor.get(&plain).status, 302);
        until_some(|| has_heard_of(&provider, "plain.example").then_some(()));
        assert!(!has_heard_of(&provider, "secret.example"), "{:?}", provider.asked());
    }
}

#[test]
fn safe_browsing_is_told_nothing_but_four_bytes_of_hashes_and_the_key() {
    let provider = SafeBrowsing::start();
    let site = Site::start(&set(&program(), &provider, "safebrowsing"));
    site.admin().link(&json!({"originalUrl": EVIL}));
    let asked = until_some(|| provider.asked().first().cloned());
    let (path, query) = asked.split_once('?').unwrap();
    assert_eq!(path, "/v5/hashes:search");
    let parts: Vec<_> = query.split('&').filter_map(|part| part.split_once('=')).collect();
    for (name, value) in parts {
        assert!((name == "hashPrefixes" && value.len() == 6) || (name == "key" && value == provider.key()), "{asked}");
    }
}

#[test]
fn neither_the_key_nor_a_target_is_told_in_a_log_at_any_level() {
    let provider = SafeBrowsing::start();
    for mood in [hny_testkit::Mood::Answers, hny_testkit::Mood::Status(403), hny_testkit::Mood::Babbles] {
        provider.set(mood);
        for service in ["safebrowsing", "webrisk"] {
            let program = set(&program(), &provider, service).env("HNY_LOG", "trace");
            let mut site = Site::start(&program);
            let path = site.admin().link(&json!({"originalUrl": EVIL}));
            assert_eq!(site.visitor().get(&path).status, 302);
            let shown = program.run(["config", "show"]);
            let log = site.stop() + &String::from_utf8(shown.stdout).unwrap();
            for secret in [provider.key(), "evil.example"] {
                let line = log.lines().find(|line| line.contains(secret));
                assert_eq!(line, None, "{service} {mood:?}");
            }
        }
    }
}

#[test]
fn the_key_may_be_in_a_file_and_must_be_somewhere() {
    let provider = SafeBrowsing::start();
    provider.list("evil.example/", super::DECEPTION);
    let without = set(&program(), &provider, "safebrowsing").without_env("HNY_SAFE_BROWSING_KEY");
    let refused = without.try_start().err().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("HNY_SAFE_BROWSING_KEY"), "{said}");
    std::fs::write(without.folder().join("key"), format!("{}\n", provider.key())).unwrap();
    let site = Site::start(&without.env("HNY_SAFE_BROWSING_KEY_FILE", "key"));
    let mut admin = site.admin();
    until_some(|| (admin.send("POST", "/api/v1/links", &json!({"originalUrl": EVIL})).status == 400).then_some(()));
}
