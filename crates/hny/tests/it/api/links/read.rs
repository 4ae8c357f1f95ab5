//! `GET /api/v1/links/{code}`.

use serde_json::json;

use super::TARGET;
use super::create::NAMES;
use crate::document::{assert_bad_field, assert_json, assert_problem, names};
use crate::site::Site;

#[test]
fn a_link_is_answered_with_all_there_is_to_say_of_it() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET, "title": "x"}));
    let answer = admin.read(&path);
    assert_eq!(answer.status, 200);
    assert_json(&answer);
    assert_eq!(names(&answer.json()), NAMES);
}

#[test]
fn an_admin_sees_the_links_that_nobody_made() {
    let site = Site::shared();
    let made = site.visitor().post_json("/api/v1/links", &json!({"originalUrl": TARGET})).json();
    let path = format!("/{}", made["shortCode"].as_str().unwrap());
    assert_eq!(site.admin().read(&path).json(), made);
}

#[test]
fn what_is_no_link_is_a_404() {
    let site = Site::shared();
    let mut admin = site.admin();
    for code in ["no-such-link", "no.code", "%F0%9F%8D%9E", "%2F", "%00", "healthz", &"x".repeat(65), "%ff"] {
        assert_problem(&admin.read(&format!("/{code}")), 404, "link-not-found");
        assert_problem(&admin.edit(&format!("/{code}"), &json!({"title": "x"})), 404, "link-not-found");
        assert_problem(&admin.delete(&format!("/{code}")), 404, "link-not-found");
    }
    for path in ["/", "/a/b", "//", "/a/"] {
        assert_problem(&admin.read(path), 404, "not-found");
    }
}

#[test]
fn looking_does_not_touch_the_link() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    let first = admin.read(&path).json();
    site.visitor().get(&path);
    assert_eq!(admin.read(&path).json(), first);
}

#[test]
fn the_only_parameter_is_the_domain() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    let own = site.base().replace("http://", "");
    assert_eq!(admin.read(&format!("{path}?domain={own}")).status, 200);
    assert_eq!(admin.read(&format!("{path}?")).status, 200);
    assert_bad_field(&admin.read(&format!("{path}?domain=other.example")), "#/domain");
    assert_bad_field(&admin.read(&format!("{path}?domain=")), "#/domain");
    assert_bad_field(&admin.read(&format!("{path}?domian={own}")), "#/domian");
    assert_bad_field(&admin.delete(&format!("{path}?force=true")), "#/force");
    assert_eq!(admin.read(&path).status, 200, "it is still there");
}
