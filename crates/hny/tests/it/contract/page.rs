//! `GET /api/docs`

use hny_wire::problem::KINDS;

use super::{calls, document};
use crate::pages::assert_page;
use crate::site::Site;

#[test]
fn the_page_shows_every_call_shape_and_problem() {
    let site = Site::shared();
    let document = document(&site);
    let page = site.visitor().get("/api/docs");
    assert_eq!(page.status, 200);
    assert_page(&page);
    let text = page.text();
    let has = |what: &str| assert!(text.contains(what), "the page lacks {what}");
    for call in calls(&document) {
        has(&format!("<section id=\"{}\">", call.operation["operationId"].as_str().unwrap()));
    }
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        has(&format!("<section id=\"shape-{name}\">"));
    }
    for kind in KINDS {
        has(&format!("<section id=\"problem-{}\">", kind.name()));
    }
}

#[test]
fn the_page_loads_nothing_from_elsewhere_and_its_links_lead_somewhere() {
    let site = Site::shared();
    let mut client = site.visitor();
    let page = client.get("/api/docs").text().to_owned();
    assert!(!page.contains("src=") && !page.contains("url("));
    for link in page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        match link.strip_prefix('#') {
            Some(place) => assert!(page.contains(&format!("id=\"{place}\"")), "{link}"),
            None => assert_eq!((link.starts_with('/'), client.get(link).status), (true, 200), "{link}"),
        }
    }
}

#[test]
fn below_a_prefix_it_names_its_own_addresses() {
    let site = Site::with("HNY_BASE_URL", "https://hny.example/go");
    let mut client = site.visitor();
    let page = client.get("/go/api/docs");
    assert_eq!(page.status, 200);
    assert!(page.text().contains("href=\"/go/static/hny.css\"") && page.text().contains("https://hny.example/go"));
    assert_eq!(client.get("/go/api/v1/openapi.json").json()["servers"][0]["url"], "https://hny.example/go");
}
