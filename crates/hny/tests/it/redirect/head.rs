//! HEAD is GET without the body.

use hny_testkit::Response;
use serde_json::json;

use super::TARGET;
use crate::site::Site;

/// The header fields of an answer that say the same at any time. The length may be left out of an answer to HEAD (RFC 9110,
/// section 9.3.2), so it is looked at by itself.
fn fields(answer: &Response) -> Vec<&(String, Vec<u8>)> {
    let varies = |name: &str| ["date", "content-length"].iter().any(|other| name.eq_ignore_ascii_case(other));
    answer.fields.iter().filter(|(name, _)| !varies(name)).collect()
}

fn assert_same(site: &Site, path: &str, status: u16) {
    let mut visitor = site.visitor();
    for accept in ["*/*", "text/html"] {
        let get = visitor.request("GET", path, &[("Accept", accept)], b"");
        let head = visitor.request("HEAD", path, &[("Accept", accept)], b"");
        assert_eq!((get.status, head.status), (status, status), "{path} {accept}");
        assert_eq!(fields(&head), fields(&get), "{path} {accept}");
        let lengths = (head.header("content-length"), get.header("content-length"));
        assert!(lengths.0.is_none() || lengths.0 == lengths.1, "{path} {accept} {lengths:?}");
        // A body behind the answer to HEAD would be taken for the next answer.
        assert_eq!(visitor.get("/healthz").text(), "alive\n", "{path} {accept}");
    }
}

#[test]
fn head_equals_get_on_every_kind_of_link() {
    let site = Site::shared();
    let mut admin = site.admin();
    for status in [301, 302, 307, 308] {
        let live = admin.link(&json!({"originalUrl": TARGET, "redirectStatus": status}));
        assert_same(&site, &live, status);
        assert_same(&site, &format!("{live}/?b=2"), status);
    }
    let disabled = admin.link(&json!({"originalUrl": TARGET, "active": false}));
    assert_same(&site, &disabled, 404);
    assert_same(&site, "/unknown-to-head", 404);
    assert_same(&site, "/no.code", 404);
}

#[test]
fn head_equals_get_on_an_expired_link() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    site.admin().end(&path);
    assert_same(&site, &path, 410);
}

#[test]
fn head_equals_get_on_every_page() {
    let site = Site::shared();
    for (path, status) in
        [("/", 200), ("/robots.txt", 200), ("/static/hny.css", 200), ("/favicon.ico", 204), ("/readyz", 200)]
    {
        assert_same(&site, path, status);
    }
}
