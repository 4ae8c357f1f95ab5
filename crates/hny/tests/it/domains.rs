//! Several domains on one installation (B82): the host of a visit says which links it can follow.

use hny_testkit::{Program, Response};
use serde_json::{Value, json};

use crate::caller::{Caller, text};
use crate::document::{assert_bad_field, assert_problem};
use crate::instant::until_some;
use crate::site::{Site, program};

const HERE: &str = "https://example.com/here";
const THERE: &str = "https://example.com/there";

fn of_three() -> Program {
    program().env("HNY_BASE_URL", "https://sho.example").env("HNY_DOMAINS", "go.example, links.example:8443")
}

fn visit(site: &Site, path: &str, host: &str) -> Response {
    site.visitor().request("GET", path, &[("Host", host)], b"")
}

/// The same code on two domains.
fn twins(site: &Site) -> String {
    let mut admin = site.admin();
    admin.create(&json!({"originalUrl": HERE, "customCode": "twin"}));
    admin.create(&json!({"originalUrl": THERE, "customCode": "twin", "domain": "go.example"}));
    "/twin".to_owned()
}

#[test]
fn the_host_says_which_link_is_meant_however_it_is_spelled() {
    let site = Site::start(&of_three());
    let path = twins(&site);
    // First from the database, then from the cache.
    for _ in 0..2 {
        for host in ["sho.example", "SHO.Example:80", "sho.example."] {
            assert_eq!(visit(&site, &path, host).header("location"), Some(HERE), "{host}");
        }
        for host in ["go.example", "GO.EXAMPLE:443", "go.example.", "Go.example.:8080"] {
            assert_eq!(visit(&site, &path, host).header("location"), Some(THERE), "{host}");
        }
        for host in ["links.example", "www.go.example", "evil.example", "127.0.0.1", "go.example.evil.example", ""] {
            assert_problem(&visit(&site, &path, host), 404, "link-not-found");
        }
    }
}

#[test]
fn a_new_link_without_a_domain_has_that_of_the_query() {
    let site = Site::start(&of_three());
    let mut admin = site.admin();
    for path in ["/api/v1/links", "/api/shorten"] {
        let mut made = |body| text(&admin.send("POST", &format!("{path}?domain=go.example"), &body).json(), "shortUrl");
        let by_query = made(json!({"originalUrl": HERE}));
        assert!(by_query.starts_with("https://go.example/"), "{path}: {by_query}");
        let by_body = made(json!({"originalUrl": HERE, "domain": "sho.example"}));
        assert!(by_body.starts_with("https://sho.example/"), "{path}: {by_body}");
        let elsewhere = admin.send("POST", &format!("{path}?domain=evil.example"), &json!({"originalUrl": HERE}));
        assert_bad_field(&elsewhere, "#/domain");
    }
}

#[test]
fn the_other_way_of_a_visit_knows_its_host_too() {
    let site = Site::start(&of_three());
    let path = twins(&site);
    for (request, location) in [
        (format!("GET {path} HTTP/1.0\r\n\r\n"), Some(HERE)),
        (format!("GET {path} HTTP/1.0\r\nHost: go.example\r\n\r\n"), Some(THERE)),
        (format!("GET {path} HTTP/1.0\r\nHost: evil.example\r\n\r\n"), None),
        (format!("GET http://go.example{path} HTTP/1.1\r\nHost: sho.example\r\n\r\n"), Some(THERE)),
        (format!("GET http://evil.example{path} HTTP/1.1\r\nHost: sho.example\r\n\r\n"), None),
    ] {
        let answer = site.visitor().raw(request.as_bytes());
        let expected = (if location.is_some() { 302 } else { 404 }, location);
        assert_eq!((answer.status, answer.header("location")), expected, "{request}");
    }
}

#[test]
fn our_own_pages_are_there_under_every_host() {
    let site = Site::start(&of_three());
    for host in ["sho.example", "go.example", "evil.example"] {
        for path in ["/", "/healthz", "/robots.txt", "/static/hny.css"] {
            assert_eq!(visit(&site, path, host).status, 200, "{host} {path}");
        }
        assert_problem(&visit(&site, "/api/v1/links/twin", host), 401, "key-needed");
    }
}

#[test]
fn the_api_names_the_domain_in_the_query() {
    let site = Site::start(&of_three());
    let mut admin = site.admin();
    let made = admin.send("POST", "/api/v1/links", &json!({"originalUrl": THERE, "domain": "LINKS.example:8443"}));
    assert_eq!(made.status, 201, "{}", made.text());
    let (link, code) = (made.json(), text(&made.json(), "shortCode"));
    assert_eq!(link["domain"], "links.example:8443");
    assert_eq!(link["shortUrl"], format!("https://links.example:8443/{code}"));
    let place = format!("/api/v1/links/{code}?domain=links.example:8443");
    assert_eq!(made.headers("location"), [format!("https://sho.example{place}")]);
    assert_eq!(admin.ask("GET", &place).json(), link);
    assert_eq!(admin.send("PATCH", &place, &json!({"title": "a"})).json()["title"], "a");
    assert_eq!(admin.ask("GET", &format!("/api/v1/links/{code}/stats?domain=links.example:8443")).status, 200);
    for query in ["", "?domain=sho.example", "?domain=go.example"] {
        for (method, path) in [("GET", ""), ("DELETE", ""), ("GET", "/stats"), ("GET", "/clicks")] {
            let answer = admin.ask(method, &format!("/api/v1/links/{code}{path}{query}"));
            assert_problem(&answer, 404, "link-not-found");
        }
    }
    for domain in ["evil.example", "links.example", "www.go.example", ""] {
        assert_bad_field(&admin.ask("GET", &format!("/api/v1/links/{code}?domain={domain}")), "#/domain");
        assert_bad_field(&admin.shorten(&json!({"originalUrl": HERE, "domain": domain})), "#/domain");
    }
    let short = admin.shorten(&json!({"originalUrl": THERE, "domain": "go.example"})).json();
    assert!(text(&short, "shortUrl").starts_with("https://go.example/"), "{short}");
    assert_eq!(admin.ask("DELETE", &place).status, 204);
    assert_problem(&visit(&site, &format!("/{code}"), "links.example"), 404, "link-not-found");
}

#[test]
fn a_click_counts_on_the_domain_where_it_was_made() {
    let site = Site::start(&of_three());
    let path = twins(&site);
    for _ in 0..3 {
        assert_eq!(visit(&site, &path, "go.example").status, 302);
    }
    let clicks = |query: &str| -> Value {
        let stats = site.admin().ask("GET", &format!("/api/v1/links{path}/stats{query}"));
        stats.json()["total"]["clicks"].clone()
    };
    until_some(|| (clicks("?domain=go.example") == 3).then_some(()));
    assert_eq!(clicks(""), 0);
}

#[test]
fn an_edit_is_of_one_domain_and_seen_there_at_once() {
    let site = Site::start(&of_three());
    let path = twins(&site);
    let mut admin = site.admin();
    assert_eq!(visit(&site, &path, "go.example").header("location"), Some(THERE));
    let place = format!("/api/v1/links{path}?domain=go.example");
    assert_eq!(admin.send("PATCH", &place, &json!({"originalUrl": "https://example.com/new"})).status, 200);
    assert_eq!(visit(&site, &path, "go.example").header("location"), Some("https://example.com/new"));
    assert_eq!(visit(&site, &path, "sho.example").header("location"), Some(HERE));
    assert_eq!(admin.ask("DELETE", &place).status, 204);
    assert_problem(&visit(&site, &path, "go.example"), 404, "link-not-found");
    assert_eq!(visit(&site, &path, "sho.example").header("location"), Some(HERE));
}

#[test]
fn no_link_leads_to_any_of_them() {
    let site = Site::start(&of_three());
    let mut admin = site.admin();
    for host in ["sho.example", "go.example", "GO.Example.", "go.example:81", "links.example", "links.example:8443"] {
        let target = format!("https://{host}/twin");
        assert_bad_field(&admin.shorten(&json!({"originalUrl": target})), "#/originalUrl");
        assert_bad_field(&admin.shorten(&json!({"originalUrl": HERE, "expiredUrl": target})), "#/expiredUrl");
    }
    assert_eq!(admin.shorten(&json!({"originalUrl": "https://www.go.example/twin"})).status, 201);
}

#[test]
fn a_domain_keeps_its_links_whatever_the_order_of_the_list() {
    let program = of_three();
    let mut site = Site::start(&program);
    let path = twins(&site);
    site.stop();
    let site = Site::start(&program.env("HNY_DOMAINS", "new.example,links.example:8443,go.example"));
    assert_eq!(visit(&site, &path, "go.example").header("location"), Some(THERE));
    assert_problem(&visit(&site, &path, "new.example"), 404, "link-not-found");
}

#[test]
fn commands_know_them() {
    let program = of_three();
    let made = program.run(["shorten", "--domain", "go.example", "--code", "mine", THERE]);
    assert_eq!(String::from_utf8_lossy(&made.stdout), "https://go.example/mine\n", "{made:?}");
    let resolved = program.run(["resolve", "https://go.example/mine"]);
    assert_eq!(String::from_utf8_lossy(&resolved.stdout), format!("{THERE}\n"), "{resolved:?}");
    let elsewhere = program.run(["resolve", "mine"]);
    assert_eq!(elsewhere.status.code(), Some(1), "{elsewhere:?}");
}

#[test]
fn a_key_for_one_domain_reaches_its_links_only() {
    let program = of_three();
    let site = Site::start(&program);
    let path = twins(&site);
    let made = program.run(["key", "create", "--name", "go", "--role", "editor", "--domain", "go.example"]);
    assert!(made.status.success(), "{made:?}");
    let mut caller = Caller::new(site.visitor(), String::from_utf8_lossy(&made.stdout).trim_end());
    let place = format!("/api/v1/links{path}?domain=go.example");
    assert_eq!(caller.ask("GET", &place).json()["originalUrl"], THERE);
    assert_eq!(caller.send("PATCH", &place, &json!({"title": "a"})).status, 200);
    for (method, query) in [("GET", ""), ("PATCH", ""), ("DELETE", ""), ("GET", "?domain=sho.example")] {
        let answer = caller.send(method, &format!("/api/v1/links{path}{query}"), &json!({"title": "b"}));
        assert_problem(&answer, 404, "link-not-found");
    }
    let elsewhere = json!({"originalUrl": HERE, "domain": "sho.example"});
    assert_problem(&caller.send("POST", "/api/v1/links", &elsewhere), 403, "not-allowed");
    for own in [json!({"originalUrl": HERE}), json!({"originalUrl": HERE, "domain": "go.example"})] {
        assert_eq!(caller.create(&own)["domain"], "go.example");
    }
}

#[test]
fn a_list_that_says_one_host_twice_stops_the_start() {
    for domains in ["sho.example", "go.example,GO.example:81", "https://go.example", "go.example,"] {
        let Err(stopped) = of_three().env("HNY_DOMAINS", domains).try_start() else { panic!("{domains}") };
        let said = String::from_utf8_lossy(&stopped.stderr);
        assert!(!stopped.status.success() && said.to_lowercase().contains("domains: "), "{said}");
    }
}

#[test]
fn a_list_of_one_domain_has_its_links_and_no_others() {
    let site = Site::start(&of_three());
    twins(&site);
    let mut admin = site.admin();
    for (query, expected) in [
        ("domain=sho.example", &[HERE][..]),
        ("domain=go.example", &[THERE]),
        ("domain=links.example%3A8443", &[]),
        ("domain=go.example&search=com%2Fhere", &[]),
        ("domain=go.example&search=twin&order=-clicks", &[THERE]),
        ("order=created", &[HERE, THERE]),
    ] {
        let page = admin.ask("GET", &format!("/api/v1/links?{query}"));
        assert_eq!(page.status, 200, "{query} {}", page.text());
        let targets: Vec<_> =
            page.json()["items"].as_array().unwrap().iter().map(|link| text(link, "originalUrl")).collect();
        assert_eq!(targets, expected, "{query}");
    }
}

#[test]
fn the_password_of_a_link_is_asked_for_on_its_own_domain() {
    let site = Site::start(&of_three());
    let mut admin = site.admin();
    let path = "/locked";
    for (target, password, domain) in [(HERE, "here", "sho.example"), (THERE, "there", "go.example")] {
        let fields = json!({"originalUrl": target, "password": password, "customCode": "locked", "domain": domain});
        admin.create(&fields);
    }
    let send = |host: &str, password: &str| {
        let headers = [("Host", host), ("Content-Type", "application/x-www-form-urlencoded")];
        site.visitor().request("POST", path, &headers, format!("password={password}").as_bytes())
    };
    for (host, target, right, wrong) in [("sho.example", HERE, "here", "there"), ("go.example", THERE, "there", "here")]
    {
        let page = visit(&site, path, host);
        assert!(page.status == 200 && page.text().contains("asks for a password"), "{host} {}", page.text());
        assert_eq!(send(host, wrong).status, 403, "{host}");
        let opened = send(host, right);
        assert_eq!((opened.status, opened.header("location")), (303, Some(target)), "{host}");
    }
    assert_problem(&send("links.example", "here"), 405, "method-not-allowed");
}
