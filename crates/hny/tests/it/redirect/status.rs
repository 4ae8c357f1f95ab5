//! Which status a redirect has, its Location, and how long browsers may keep it.

use serde_json::json;

use super::TARGET;
use crate::instant::millis_ahead;
use crate::site::Site;

#[test]
fn every_status_comes_with_one_absolute_location() {
    let site = Site::shared();
    for status in [301, 302, 307, 308] {
        let path = site.admin().link(&json!({"originalUrl": TARGET, "redirectStatus": status}));
        let answer = site.visitor().get(&path);
        assert_eq!((answer.status, answer.headers("location")), (status, vec![TARGET]));
        assert!(answer.body.is_empty());
    }
}

#[test]
fn a_link_that_does_not_say_is_a_302() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    assert_eq!(site.visitor().get(&path).status, 302);
}

#[test]
fn the_setting_decides_for_links_that_do_not_say() {
    let site = Site::with("HNY_REDIRECT_STATUS", "307");
    let silent = site.admin().link(&json!({"originalUrl": TARGET}));
    let own = site.admin().link(&json!({"originalUrl": TARGET, "redirectStatus": 302}));
    assert_eq!(site.visitor().get(&silent).status, 307);
    assert_eq!(site.visitor().get(&own).status, 302);
}

#[test]
fn a_temporary_redirect_is_kept_by_nobody() {
    let site = Site::shared();
    for status in [302, 307] {
        let path = site.admin().link(&json!({"originalUrl": TARGET, "redirectStatus": status}));
        assert_eq!(site.visitor().get(&path).header("cache-control"), Some("private, no-store"), "{status}");
    }
}

#[test]
fn a_permanent_redirect_is_kept_for_a_minute_by_the_browser_alone() {
    let site = Site::shared();
    for status in [301, 308] {
        let path = site.admin().link(&json!({"originalUrl": TARGET, "redirectStatus": status}));
        assert_eq!(site.visitor().get(&path).header("cache-control"), Some("private, max-age=60"), "{status}");
    }
}

#[test]
fn a_permanent_redirect_is_never_kept_beyond_the_expiry() {
    let site = Site::shared();
    for status in [301, 308] {
        let end = millis_ahead(30_000).to_string();
        let path = site.admin().link(&json!({"originalUrl": TARGET, "redirectStatus": status, "expiresAt": end}));
        for _ in 0..2 {
            let answer = site.visitor().get(&path);
            let policy = answer.header("cache-control").unwrap();
            let seconds: u64 = policy.strip_prefix("private, max-age=").unwrap().parse().unwrap();
            assert_eq!(answer.status, status);
            assert!((1..30).contains(&seconds), "{policy}");
        }
    }
}

#[test]
fn in_its_last_second_a_permanent_redirect_is_not_kept_at_all() {
    let site = Site::shared();
    let end = millis_ahead(990).to_string();
    let path = site.admin().link(&json!({"originalUrl": TARGET, "redirectStatus": 301, "expiresAt": end}));
    let answer = site.visitor().get(&path);
    // On a very slow machine the second may be over.
    assert!(matches!(answer.status, 301 | 410), "{answer:?}");
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
}

#[test]
fn nothing_about_the_visitor_changes_the_redirect() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    let mut visitor = site.visitor();
    let plain = visitor.get(&path);
    for header in [
        ("Referer", "https://elsewhere.example/</script><svg onload=alert(1)>"),
        ("User-Agent", "Slackbot-LinkExpanding 1.0"),
        ("User-Agent", "facebookexternalhit/1.1"),
        ("Accept", "text/html"),
        ("Accept-Language", "en;q=0, garbage, *"),
        ("Cookie", "a=b"),
        ("Range", "bytes=0-1"),
        ("If-None-Match", "*"),
    ] {
        let answer = visitor.request("GET", &path, &[header], b"");
        assert_eq!((answer.status, answer.header("location")), (302, Some(TARGET)), "{header:?}");
        assert_eq!(answer.header("cache-control"), plain.header("cache-control"), "{header:?}");
    }
}
