//! What the preview shows.

use serde_json::json;

use super::preview;
use crate::caller::text;
use crate::document::assert_problem;
use crate::instant::{millis_ahead, until_some};
use crate::pages::assert_page;
use crate::site::{Site, program};

const TARGET: &str = "https://example.com/p?a=1&b=2#frag";

#[test]
fn the_target_is_shown_and_nobody_is_sent_there() {
    let site = Site::shared();
    let link = site.admin().create(&json!({"originalUrl": TARGET, "title": "not for everyone"}));
    let path = format!("/{}", text(&link, "shortCode"));
    let mut visitor = site.visitor();
    let page = preview(&mut visitor, &path);
    assert_eq!((page.status, page.headers("location").len()), (200, 0));
    assert_page(&page);
    let shown = page.text().replace("&#38;", "&").replace("&amp;", "&");
    for expected in [TARGET, "example.com</dd>", &text(&link, "createdAt"), &text(&link, "shortUrl")] {
        assert!(shown.contains(expected), "{expected} is not in {shown}");
    }
    assert!(!shown.contains("not for everyone"), "a title is for its owner");
    assert!(!shown.contains("class=\"wrong\""), "{shown}");
    for target in [format!("{path}+/"), format!("{path}%2B"), format!("{path}%2b?x=1")] {
        assert_eq!(visitor.get(&target).body, page.body, "{target}");
    }
    let head = visitor.head(&format!("{path}+"));
    assert_eq!((head.status, head.header("content-length")), (200, page.header("content-length")));
    for method in ["PUT", "DELETE", "OPTIONS", "POST"] {
        let answer = visitor.request(method, &format!("{path}+"), &[], b"");
        assert_problem(&answer, 405, "method-not-allowed");
        assert_eq!(answer.header("allow"), Some("GET, HEAD, POST"));
    }
}

#[test]
fn hosts_that_may_deceive_are_marked() {
    let site = Site::shared();
    for (url, expected, unexpected) in [
        (
            "https://bücher.example/",
            &["xn--bcher-kva.example", "bücher.example", "not written in plain"][..],
            &["mixes", "looks like"][..],
        ),
        // The second letter is Cyrillic.
        ("https://pаypal.com/", &["xn--", "mixes letters", "It looks like paypal.com"], &[]),
        ("https://аррӏе.com/", &["xn--", "It looks like apple.com"], &["mixes"]),
        ("https://example.com/", &[], &["mixes", "It looks like", "In letters"]),
    ] {
        let path = site.admin().link(&json!({"originalUrl": url}));
        let page = preview(&mut site.visitor(), &path);
        for words in expected {
            assert!(page.text().contains(words), "{words} is not in {}", page.text());
        }
        for words in unexpected {
            assert!(!page.text().contains(words), "{words} is in {}", page.text());
        }
    }
}

/// B66.
#[test]
fn what_is_in_a_target_stays_text() {
    let site = Site::shared();
    for url in [
        "https://example.org/'onmouseover=alert(1)//",
        "https://example.org/\"><img src=x onerror=alert(1)>",
        "https://example.org/?q=</p><script>alert(1)</script>#<svg onload=alert(1)>",
    ] {
        let path = site.admin().link(&json!({"originalUrl": url}));
        let page = preview(&mut site.visitor(), &path);
        assert_page(&page);
        let text = page.text();
        for markup in ["<img", "<script", "<svg", "'onmouseover", "</p><"] {
            assert!(!text.contains(markup), "{markup} is in {text}");
        }
    }
}

#[test]
fn a_preview_is_no_visit() {
    let program = program();
    let mut site = Site::start(&program);
    let path = site.admin().link(&json!({"originalUrl": TARGET, "maxClicks": 1}));
    for _ in 0..3 {
        assert_eq!(preview(&mut site.visitor(), &path).status, 200);
    }
    assert_eq!(site.admin().read(&path).json()["clicksUsed"], 0);
    assert_eq!(site.visitor().get(&path).status, 302);
    let gone = preview(&mut site.visitor(), &path);
    assert!(gone.status == 410 && !gone.text().contains("example.com"), "{}", gone.text());
    site.stop();
    let site = Site::start(&program);
    let mut admin = site.admin();
    until_some(|| {
        let stats = admin.ask("GET", &format!("/api/v1/links{path}/stats")).json();
        (stats["total"]["clicks"] == 1).then_some(())
    });
}

/// B42.
#[test]
fn what_visitors_do_not_find_has_no_preview() {
    let site = Site::shared();
    let mut admin = site.admin();
    let mut link = |field: &str, value: serde_json::Value| {
        admin.link(&json!({"originalUrl": TARGET, "expiredUrl": "https://example.com/over", field: value}))
    };
    let off = link("active", json!(false));
    let later = link("validFrom", json!(millis_ahead(900_000).to_string()));
    let over = link("title", json!("over"));
    admin.end(&over);
    let mut visitor = site.visitor();
    for path in [&*off, &*later, "/nobody-has-this"] {
        assert_problem(&visitor.get(&format!("{path}+")), 404, "link-not-found");
    }
    let gone = visitor.get(&format!("{over}+"));
    assert_problem(&gone, 410, "link-gone");
    assert!(!gone.text().contains("example.com"), "{}", gone.text());
    for path in ["/+", "/api+", "/a.b+", "/a+b"] {
        assert_problem(&visitor.get(path), 404, "not-found");
    }
}

#[test]
fn who_looks_for_links_by_their_previews_is_slowed() {
    let site = Site::with("HNY_UNKNOWN_LIMIT", "5/1h");
    let mut visitor = site.visitor();
    let statuses: Vec<_> = (0..8).map(|number| visitor.get(&format!("/guess{number}+")).status).collect();
    assert_eq!(statuses[..5], [404; 5]);
    assert_eq!(statuses[6..], [429; 2], "{statuses:?}");
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    assert_eq!(visitor.request("POST", "/guess9", &form, b"password=x").status, 429);
}

#[test]
fn a_locked_link_is_not_shown() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET, "password": "x"}));
    let page = preview(&mut site.visitor(), &path);
    assert_eq!(page.status, 200);
    assert_page(&page);
    assert!(page.text().contains("asks for a password") && !page.text().contains("example.com"), "{}", page.text());
}

#[test]
fn a_preview_lives_under_the_prefix() {
    let site = Site::with("HNY_BASE_URL", "https://sho.example/s");
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    for path in [path.clone(), format!("/s{path}")] {
        let page = preview(&mut site.visitor(), &path);
        assert_eq!(page.status, 200);
        assert!(page.text().contains("href=\"https://sho.example/s/"), "{}", page.text());
        assert!(page.text().contains("href=\"/s/static/hny.css\""), "{}", page.text());
    }
}
