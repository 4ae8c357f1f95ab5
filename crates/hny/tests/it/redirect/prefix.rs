//! A base URL with a path before the codes (B81): a proxy in front may have cut it off or not.

use serde_json::json;

use super::TARGET;
use crate::caller::text;
use crate::document::{assert_bad_field, assert_problem};
use crate::site::{Site, program};

fn site(base: &str) -> Site {
    Site::start(&program().env("HNY_BASE_URL", base))
}

#[test]
fn short_urls_have_the_prefix_once_and_go_with_it_and_without_it() {
    for base in ["https://sho.example/s", "https://sho.example/s/"] {
        let site = site(base);
        let (mut admin, mut visitor) = (site.admin(), site.visitor());
        let link = admin.create(&json!({"originalUrl": TARGET}));
        let code = text(&link, "shortCode");
        assert_eq!(text(&link, "shortUrl"), format!("https://sho.example/s/{code}"));
        assert_eq!(text(&link, "domain"), "sho.example");
        for path in [format!("/s/{code}"), format!("/s/{code}/"), format!("/{code}"), format!("/{code}/")] {
            assert_eq!(visitor.get(&path).headers("location"), [TARGET], "{path}");
        }
        for path in [format!("/s/s/{code}"), format!("/S/{code}"), format!("/x/{code}")] {
            assert_problem(&visitor.get(&path), 404, "link-not-found");
        }
        assert_problem(&visitor.get(&format!("/s//{code}")), 404, "not-found");
        assert_eq!(visitor.request("POST", &format!("/s/{code}"), &[], b"").status, 405);
    }
}

#[test]
fn the_api_answers_with_the_prefix_and_without_it() {
    let site = site("https://sho.example/s");
    let mut admin = site.admin();
    for path in ["/s/api/shorten", "/api/shorten", "/s/shorten", "/shorten"] {
        let made = admin.send("POST", path, &json!({"originalUrl": TARGET}));
        assert_eq!(made.status, 201, "{path}");
        assert_eq!(made.header("location"), Some(&*text(&made.json(), "shortUrl")));
    }
    for path in ["/s/api/v1/links", "/api/v1/links"] {
        let made = admin.send("POST", path, &json!({"originalUrl": TARGET}));
        let place = made.header("location").unwrap().strip_prefix("https://sho.example").unwrap().to_owned();
        assert_eq!(place, format!("/s/api/v1/links/{}", text(&made.json(), "shortCode")));
        assert_eq!(admin.ask("GET", &place).json(), made.json());
        assert_eq!(admin.ask("GET", place.strip_prefix("/s").unwrap()).json(), made.json());
        let in_domain = format!("{place}?domain=sho.example");
        assert_eq!(admin.ask("DELETE", &in_domain).status, 204);
    }
}

#[test]
fn the_pages_are_there_with_the_prefix_and_without_it() {
    let site = site("https://sho.example/s");
    let mut visitor = site.visitor();
    for path in ["/s", "/s/", "/", "/s/?x=1"] {
        let page = visitor.get(path);
        assert_eq!((page.status, page.headers("location").len()), (200, 0), "{path}");
        assert!(page.text().contains("https://sho.example/s/") && !page.text().contains("/s/s/"), "{}", page.text());
        assert!(page.text().contains("href=\"/s/static/hny.css\""), "{}", page.text());
    }
    for path in ["/s/static/hny.css", "/static/hny.css", "/s/healthz", "/healthz", "/s/robots.txt", "/robots.txt"] {
        assert_eq!(visitor.get(path).status, 200, "{path}");
    }
    let page = visitor.request("GET", "/s/unknown", &[("Accept", "text/html")], b"");
    assert!(page.text().contains("href=\"/s/static/hny.css\""), "{}", page.text());
}

#[test]
fn nobody_may_choose_the_prefix_as_a_code() {
    let site = site("https://sho.example/go/deep");
    let taken = site.admin().shorten(&json!({"originalUrl": TARGET, "customCode": "go"}));
    assert_bad_field(&taken, "#/customCode");
    assert_eq!(site.visitor().get("/go/deep").status, 200);
}

#[test]
fn a_target_below_the_same_host_leads_in_a_circle_and_is_refused() {
    let site = site("https://sho.example/s");
    for target in ["https://sho.example/s/abc", "https://sho.example/elsewhere", "http://SHO.example.:80/"] {
        assert_bad_field(&site.admin().shorten(&json!({"originalUrl": target})), "#/originalUrl");
    }
}
