//! `HNY_ROLES`: nodes that answer a part.

use hny_testkit::{Client, Program, Response};
use serde_json::json;

use crate::caller::text;
use crate::document::{assert_fields, assert_problem};
use crate::site::{Site, program};

const TARGET: &str = "https://example.com/";

/// Paths of each role, with a method that they have.
const PAGES: [(&str, &str); 5] = [
    ("GET", "/"),
    ("GET", "/robots.txt"),
    ("GET", "/.well-known/security.txt"),
    ("GET", "/favicon.ico"),
    ("GET", "/static/hny.css"),
];
const API: [(&str, &str); 16] = [
    ("GET", "/api/v1/links"),
    ("POST", "/api/v1/links/bulk"),
    ("POST", "/api/v1/links/abc/tokens"),
    ("GET", "/api/v1/keys"),
    ("GET", "/api/v1/blocks"),
    ("GET", "/api/v1/reports"),
    ("GET", "/api/v1/openapi.json"),
    ("POST", "/shorten"),
    ("POST", "/api/shorten"),
    ("POST", "/api/v1/links"),
    ("GET", "/api/v1/links/abc"),
    ("GET", "/api/v1/links/abc/stats"),
    ("GET", "/api/v1/links/abc/clicks"),
    ("GET", "/api/v1/stats"),
    ("GET", "/api/v1/openapi.json"),
    ("GET", "/api/docs"),
];

/// A node with these roles on the database of `site`.
fn node(site: &Site, roles: &str) -> Program {
    program().beside(site.hny().program()).env("HNY_ROLES", roles)
}

fn assert_misdirected(answer: &Response) {
    assert_problem(answer, 421, "misdirected");
    assert_eq!(answer.header("vary"), Some("accept"));
}

fn assert_healthy(client: &mut Client) {
    for path in ["/healthz", "/readyz"] {
        assert_eq!(client.get(path).status, 200, "{path}");
    }
}

#[test]
fn a_redirect_node_answers_links_and_nothing_else() {
    let site = Site::start(&program());
    let link = site.admin().link(&json!({"originalUrl": TARGET}));
    let node = node(&site, "redirect").start();
    let mut client = Client::connect(node.address());
    for path in [link.clone(), format!("{link}/"), format!("{link}?a=b")] {
        assert_eq!(client.get(&path).status, 302, "{path}");
    }
    assert_eq!(client.get("/unknown").status, 404);
    assert_eq!(client.request("DELETE", &link, &[], b"").status, 405);
    for (method, path) in PAGES.into_iter().chain(API) {
        assert_misdirected(&client.request(method, path, &[], b""));
    }
    assert_problem(&client.get("/no/such/path"), 404, "link-not-found");
    assert_problem(&client.get("/no.such/path"), 404, "not-found");
    assert_healthy(&mut client);
    assert!(node.stderr().contains("makes no links"), "{}", node.stderr());
}

#[test]
fn an_api_node_makes_links_and_does_not_say_whether_there_are_any() {
    let site = Site::start(&program());
    let link = site.admin().link(&json!({"originalUrl": TARGET}));
    let node = node(&site, "api").start();
    let mut client = Client::connect(node.address());
    for path in [&*link, &format!("{link}/"), "/unknown", "/%61bc"] {
        for method in ["GET", "POST", "DELETE"] {
            assert_misdirected(&client.request(method, path, &[], b""));
        }
        let head = client.head(path);
        assert_eq!((head.status, head.headers("location").len()), (421, 0), "{path}");
    }
    for (method, path) in PAGES {
        assert_misdirected(&client.request(method, path, &[], b""));
    }
    let made = client.post_json("/api/shorten", &json!({"originalUrl": TARGET}));
    assert_eq!(made.status, 201, "{made:?}");
    let code = text(&made.json(), "shortCode");
    assert_eq!(site.visitor().get(&format!("/{code}")).header("location"), Some(TARGET));
    assert_healthy(&mut client);
}

#[test]
fn a_pages_node_shows_the_home_page_only() {
    let site = Site::start(&program());
    let node = node(&site, "pages").env("HNY_SECURITY_CONTACT", "mailto:security@example.com").start();
    let mut client = Client::connect(node.address());
    for (method, path) in PAGES {
        assert!(client.request(method, path, &[], b"").status < 300, "{path}");
    }
    for (method, path) in API.into_iter().chain([("GET", "/abc")]) {
        assert_misdirected(&client.request(method, path, &[], b""));
    }
    assert_healthy(&mut client);
}

#[test]
fn people_are_told_on_a_page() {
    let node = program().env("HNY_ROLES", "api").env("HNY_BASE_URL", "https://sho.example/s").start();
    let mut client = Client::connect(node.address());
    for path in ["/abc", "/s/abc", "/", "/s/"] {
        let page = client.request("GET", path, &[("Accept", "text/html")], b"");
        assert_eq!((page.status, page.header("content-type")), (421, Some("text/html; charset=utf-8")), "{path}");
        assert!(page.text().contains("another one does"), "{}", page.text());
    }
}

#[test]
fn codes_are_reserved_alike_on_all_nodes() {
    let node = Site::start(&program().env("HNY_ROLES", "api"));
    for code in ["static", "shorten", "api", "healthz"] {
        let refused = node.admin().shorten(&json!({"originalUrl": TARGET, "customCode": code}));
        assert_fields(&refused, 400, "invalid-field", &["#/customCode"]);
    }
}

/// A node that makes no links needs no number for their ids and no secret for their codes, and cannot take either away.
#[test]
fn a_node_without_the_api_starts_without_what_links_are_made_of() {
    let fixed = |program: Program| program.env("HNY_DATACENTER_ID", "3").env("HNY_WORKER_ID", "7");
    let with_secret = |program: Program| {
        program.env("HNY_CODES", "permuted").env("HNY_CODE_KEY", "a secret of at least 32 characters")
    };
    let site = Site::start(&fixed(with_secret(program())));
    let link = site.admin().link(&json!({"originalUrl": TARGET}));
    let node = fixed(node(&site, "redirect,pages")).env("HNY_CODES", "permuted").start();
    assert_eq!(Client::connect(node.address()).get(&link).status, 302);
    site.admin().link(&json!({"originalUrl": TARGET}));
    let command = node.program().run(["shorten", TARGET]);
    let said = String::from_utf8_lossy(&command.stderr);
    assert!(!command.status.success() && said.contains("HNY_CODE_KEY"), "{said}");
}

#[test]
fn an_unknown_role_stops_the_start_by_name() {
    for roles in ["web", "redirect,,api", "redirect,Api"] {
        let Err(stopped) = program().env("HNY_ROLES", roles).try_start() else { panic!("it starts with {roles}") };
        let said = String::from_utf8_lossy(&stopped.stderr);
        assert_eq!(stopped.status.code(), Some(2), "{said}");
        assert!(
            said.contains("HNY_ROLES") && said.contains(roles) && said.contains("redirect, api and pages"),
            "{said}"
        );
    }
}
