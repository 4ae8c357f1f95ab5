//! Text that would like to be a script (B66).

use serde_json::{Value, json};

use crate::document::assert_json;
use crate::site::Site;

const TARGETS: [&str; 3] = [
    "https://example.org/'onmouseover=alert(1)//",
    "https://example.org/\"><img src=x onerror=alert(1)>",
    "https://example.org/?q=</script><script>alert(1)</script>#<svg onload=alert(1)>",
];

const TITLE: &str = "</script><script>alert(1)</script>";

#[test]
fn json_is_json_and_nothing_a_browser_would_run() {
    let site = Site::shared();
    let mut admin = site.admin();
    for target in TARGETS {
        let fields = json!({"originalUrl": target, "title": TITLE});
        let made = admin.send("POST", "/api/v1/links", &fields);
        assert_json(&made);
        let link: Value = made.json();
        assert_eq!(link["title"], TITLE);
        assert!(!link["originalUrl"].as_str().unwrap().contains(['<', '>', '"']), "{link}");
        assert_json(&admin.read(&format!("/{}", link["shortCode"].as_str().unwrap())));
        assert_json(&admin.shorten(&fields));
    }
}

#[test]
fn a_location_has_no_character_that_ends_an_attribute() {
    let site = Site::shared();
    for target in TARGETS {
        let path = site.admin().link(&json!({"originalUrl": target, "title": TITLE}));
        let answer = site.visitor().get(&path);
        let location = answer.header("location").unwrap();
        assert!(location.starts_with("https://example.org/") && !location.contains(['<', '>', '"']), "{location}");
    }
}

#[test]
fn no_page_repeats_what_a_visitor_sends() {
    let site = Site::shared();
    let script = "</script><svg onload=alert(1)>";
    let referrer = format!("https://x.example/{script}");
    let headers = [("Accept", "text/html"), ("Referer", &*referrer), ("User-Agent", script), ("Cookie", script)];
    for path in [
        "/",
        "/?q=%3Csvg%20onload=alert(1)%3E",
        "/%3Csvg%20onload=alert(1)%3E",
        "/%3C/script%3E%3Csvg%20onload=alert(1)%3E/",
        "/unknown?<svg/onload=alert(1)>",
        "/javascript:alert(1)",
    ] {
        let page = site.visitor().request("GET", path, &headers, b"");
        assert!(!page.text().contains("onload") && !page.text().contains("alert"), "{path} {}", page.text());
    }
}

#[test]
fn a_problem_document_may_repeat_a_field_and_is_no_page() {
    let site = Site::shared();
    let name = "<script>alert(1)</script>";
    let answer = site.admin().shorten(&json!({"originalUrl": "https://example.org", name: 1}));
    assert_eq!((answer.status, answer.header("content-type")), (400, Some("application/problem+json")));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
}
