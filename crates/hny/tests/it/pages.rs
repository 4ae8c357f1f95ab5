//! Pages for people, and the files beside them.

use hny_testkit::Response;
use serde_json::json;

use crate::document::assert_problem;
use crate::instant::millis_ahead;
use crate::site::Site;

/// Asserts that an answer is one of our pages, with all that guards it.
pub(crate) fn assert_page(page: &Response) {
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(page.header("cache-control"), Some("private, no-store"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("x-frame-options"), Some("DENY"));
    assert_eq!(page.header("referrer-policy"), Some("same-origin"));
    assert_eq!(page.header("cross-origin-opener-policy"), Some("same-origin"));
    assert_eq!(page.header("cross-origin-resource-policy"), Some("same-origin"));
    assert!(page.header("permissions-policy").is_some_and(|policy| policy.contains("camera=()")));
    let policy = page.header("content-security-policy").unwrap();
    for rule in ["default-src 'none'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"] {
        assert!(policy.split("; ").any(|part| part == rule), "{rule} is not in {policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("script-src"), "{policy}");
    assert_eq!(page.headers("set-cookie"), [""; 0]);
    let text = page.text();
    assert!(text.starts_with("<!doctype html>") && text.trim_end().ends_with("</html>"), "{text}");
    assert!(!text.contains("<script") && !text.contains("style="), "{text}");
}

#[test]
fn the_home_page_says_what_this_is_and_leads_nowhere() {
    let site = Site::shared();
    let page = site.visitor().get("/");
    assert_eq!((page.status, page.headers("location").len()), (200, 0));
    assert_page(&page);
    assert!(page.text().contains(&format!("{}/api/shorten", site.base())), "{}", page.text());
    for text in ["null", "undefined", "None"] {
        assert!(!page.text().contains(text), "{}", page.text());
    }
}

#[test]
fn what_the_home_page_says_to_type_works() {
    let site = Site::shared();
    let page = site.visitor().get("/").text().to_owned();
    let (_, body) = page.split_once("-d '").expect("there is an example");
    let body = body.split_once('\'').unwrap().0.replace("&quot;", "\"").replace("&#34;", "\"");
    let headers = [("Content-Type", "application/json")];
    assert_eq!(site.visitor().request("POST", "/api/shorten", &headers, body.as_bytes()).status, 201, "{body}");
}

#[test]
fn every_page_has_the_headers_that_guard_it() {
    let site = Site::shared();
    for (path, status) in [("/", 200), ("/unknown-page", 404), ("/no.code", 404), ("/a/b", 404), ("/admin", 404)] {
        let page = site.visitor().request("GET", path, &[("Accept", "text/html")], b"");
        assert_eq!(page.status, status, "{path}");
        assert_page(&page);
    }
}

#[test]
fn what_a_page_loads_is_there() {
    let site = Site::shared();
    let page = site.visitor().get("/");
    let loaded: Vec<_> = page.text().split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(loaded, ["/static/hny.css"]);
    let style = site.visitor().get(loaded[0]);
    assert_eq!((style.status, style.header("content-type")), (200, Some("text/css; charset=utf-8")));
    assert_eq!(style.header("cache-control"), Some("public, max-age=86400"));
    assert_eq!(style.header("x-content-type-options"), Some("nosniff"));
    assert!(style.text().contains('{'));
}

#[test]
fn b36_what_crawlers_and_browsers_ask_for_is_no_link() {
    let site = Site::start(&crate::site::program());
    for seeded in [false, true] {
        let robots = site.visitor().get("/robots.txt");
        assert_eq!((robots.status, robots.header("content-type")), (200, Some("text/plain; charset=utf-8")));
        assert!(robots.text().starts_with("User-agent: *\n"), "{}", robots.text());
        // Chat programs ask robots.txt before they look at a link.
        assert!(!robots.text().contains("Disallow: /\n"), "{}", robots.text());
        let icon = site.visitor().get("/favicon.ico");
        assert_eq!((icon.status, icon.body.len()), (204, 0));
        for path in ["/apple-touch-icon.png", "/.well-known/security.txt", "/sitemap.xml", "/wp-login.php"] {
            assert_problem(&site.visitor().get(path), 404, "not-found");
        }
        if !seeded {
            site.admin().create(&json!({"originalUrl": "https://example.com/"}));
        }
    }
}

#[test]
fn security_txt_says_whom_to_tell() {
    let site = Site::with("HNY_SECURITY_CONTACT", "mailto:security@example.com, https://example.com/holes");
    let file = site.visitor().get("/.well-known/security.txt");
    assert_eq!((file.status, file.header("content-type")), (200, Some("text/plain; charset=utf-8")));
    let lines: Vec<_> = file.text().lines().collect();
    let of = |field: &str| -> Vec<_> { lines.iter().filter_map(|line| line.strip_prefix(field)).collect() };
    assert_eq!(of("Contact: "), ["mailto:security@example.com", "https://example.com/holes"]);
    let [expires] = of("Expires: ")[..] else { panic!("{lines:?}") };
    // RFC 9116, section 2.5.5: in the future, and less than a year off. Times in UTC sort as texts.
    let (soon, a_year) = (millis_ahead(30 * 86_400_000).to_string(), millis_ahead(365 * 86_400_000).to_string());
    assert!(*soon < *expires && *expires < *a_year, "{expires}");
    assert_eq!(site.visitor().head("/.well-known/security.txt").status, 200);
    assert_problem(&site.visitor().get("/.well-known/change-password"), 404, "not-found");
}

#[test]
fn only_what_is_static_is_served_from_static() {
    let site = Site::shared();
    for path in [
        "/static",
        "/static/",
        "/static/hny.js",
        "/static/../Cargo.toml",
        "/static/%2e%2e/hny.db",
        "/static/..%2Fhny.db",
        "/hny.db",
        "/hny.toml",
    ] {
        assert_eq!(site.visitor().get(path).status, 404, "{path}");
    }
}
