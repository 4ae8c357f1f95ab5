//! Another code for a link, and the old one as an alias.

use serde_json::json;

use super::TARGET;
use crate::caller::text;
use crate::document::{assert_bad_field, assert_fields};
use crate::instant::until_some;
use crate::keeper::Keeper;
use crate::site::Site;

/// Asks another node until it has heard of a change.
fn wait_until_it_leads(site: &Site, path: &str, target: &str) {
    let mut visitor = site.visitor();
    until_some(|| (visitor.get(path).header("location") == Some(target)).then_some(()));
}

#[test]
fn the_old_code_goes_on_if_that_is_asked() {
    Keeper::on_both(|keeper| {
        let (mut admin, mut visitor) = (keeper.admin(), keeper.site.visitor());
        let other = Site::start(keeper.site.hny().program());
        let old = admin.link(&json!({"originalUrl": TARGET, "customCode": "old"}));
        // Both nodes have it in their caches.
        assert_eq!((visitor.get(&old).status, other.visitor().get(&old).status), (302, 302));
        let renamed = admin.edit(&old, &json!({"customCode": "new", "keepAlias": true}));
        assert_eq!(renamed.status, 200, "{}", renamed.text());
        let link = renamed.json();
        assert_eq!((&link["shortCode"], &link["aliases"]), (&json!("new"), &json!(["old"])));
        assert!(text(&link, "shortUrl").ends_with("/new"));
        for path in ["/old", "/new"] {
            assert_eq!(admin.read(path).json(), link, "{path}");
            assert_eq!(visitor.get(path).header("location"), Some(TARGET), "{path}");
        }
        // An edit by the alias is one of the link, and no cache of this node has the old state.
        let elsewhere = "https://example.com/elsewhere";
        assert_eq!(admin.edit("/old", &json!({"originalUrl": elsewhere})).status, 200);
        for path in ["/old", "/new"] {
            assert_eq!(visitor.get(path).header("location"), Some(elsewhere), "{path}");
            wait_until_it_leads(&other, path, elsewhere);
        }
        assert_eq!(admin.edit("/new", &json!({"active": false})).status, 200);
        assert_eq!((visitor.get("/old").status, visitor.get("/new").status), (404, 404));
    });
}

#[test]
fn without_an_alias_the_old_code_leads_nowhere_at_once() {
    Keeper::on_both(|keeper| {
        let (mut admin, mut visitor) = (keeper.admin(), keeper.site.visitor());
        let old = admin.link(&json!({"originalUrl": TARGET}));
        assert_eq!((visitor.get(&old).status, visitor.get("/fresh").status), (302, 404));
        assert_eq!(admin.edit(&old, &json!({"customCode": "fresh", "title": "T"})).json()["aliases"], json!([]));
        assert_eq!((visitor.get(&old).status, visitor.get("/fresh").status), (404, 302));
        assert_eq!((admin.read(&old).status, admin.delete(&old).status), (404, 404));
    });
}

#[test]
fn deleting_an_alias_leaves_the_link() {
    Keeper::on_both(|keeper| {
        let (mut admin, mut visitor) = (keeper.admin(), keeper.site.visitor());
        let old = admin.link(&json!({"originalUrl": TARGET, "customCode": "a"}));
        admin.edit(&old, &json!({"customCode": "b", "keepAlias": true}));
        assert_eq!((visitor.get("/a").status, admin.delete("/a").status), (302, 204));
        assert_eq!((visitor.get("/a").status, visitor.get("/b").status), (404, 302));
        assert_eq!(admin.read("/b").json()["aliases"], json!([]));
        admin.edit("/b", &json!({"customCode": "c", "keepAlias": true}));
        assert_eq!(admin.delete("/c").status, 204);
        assert_eq!((visitor.get("/b").status, visitor.get("/c").status), (404, 404));
    });
}

#[test]
fn statistics_go_on_under_every_code() {
    Keeper::on_both(|keeper| {
        let mut admin = keeper.admin();
        let (path, clicks) = keeper.link();
        keeper.take(clicks.person("2026-01-01T12:00:00Z", 1));
        admin.edit(&path, &json!({"customCode": "renamed", "keepAlias": true}));
        for path in [&path[..], "/renamed"] {
            let stats = admin.ask("GET", &format!("/api/v1/links{path}/stats?from=2026-01-01&to=2026-01-02")).json();
            assert_eq!(stats["total"]["clicks"], 1, "{path}");
        }
        let list = admin.ask("GET", "/api/v1/links").json();
        assert_eq!(list["items"].as_array().unwrap().len(), 1, "a link is listed once, aliases or not");
    });
}

#[test]
fn what_cannot_be_a_code_for_it_is_named() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    let taken = admin.link(&json!({"originalUrl": TARGET, "customCode": "Taken-by-another"}));
    for (fields, pointer) in [
        (json!({"customCode": null}), "#/customCode"),
        (json!({"customCode": "api"}), "#/customCode"),
        (json!({"customCode": "no code"}), "#/customCode"),
        (json!({"customCode": ""}), "#/customCode"),
        (json!({"keepAlias": true}), "#/keepAlias"),
    ] {
        assert_bad_field(&admin.edit(&path, &fields), pointer);
    }
    let code = &taken[1..];
    assert_fields(&admin.edit(&path, &json!({"customCode": code})), 409, "code-taken", &["#/customCode"]);
    let private = admin.link(&json!({"originalUrl": TARGET, "private": true}));
    assert_bad_field(&admin.edit(&private, &json!({"customCode": "guessable"})), "#/customCode");
}

#[test]
fn a_link_has_twenty_aliases_at_most() {
    let site = Site::shared();
    let mut admin = site.admin();
    let mut path = admin.link(&json!({"originalUrl": TARGET}));
    for number in 0..20 {
        let renamed = admin.edit(&path, &json!({"customCode": format!("alias-{number}"), "keepAlias": true}));
        assert_eq!(renamed.status, 200, "{}", renamed.text());
        path = format!("/{}", text(&renamed.json(), "shortCode"));
    }
    assert_bad_field(&admin.edit(&path, &json!({"customCode": "alias-x", "keepAlias": true})), "#/keepAlias");
    assert_eq!(admin.edit(&path, &json!({"customCode": "alias-x"})).status, 200, "without one more it can");
}
