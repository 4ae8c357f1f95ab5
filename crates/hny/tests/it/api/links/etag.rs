//! `ETag` and `If-Match`: nobody overwrites what they have not seen.

use hny_testkit::Response;
use serde_json::json;

use super::TARGET;
use crate::document::{assert_bad_field, assert_problem};
use crate::keeper::Keeper;
use crate::site::Site;

fn send(site: &Site, (method, path): (&str, &str), tag: &str, body: &str) -> Response {
    let headers = [("Content-Type", "application/json"), ("X-Api-Key", site.key()), ("If-Match", tag)];
    site.visitor().request(method, &format!("/api/v1/links{path}"), &headers, body.as_bytes())
}

fn tag(answer: &Response) -> String {
    answer.header("etag").expect("an ETag").to_owned()
}

#[test]
fn a_change_is_made_only_to_what_was_seen() {
    Keeper::on_both(|keeper| {
        let (site, mut admin) = (&keeper.site, keeper.admin());
        let made = admin.send("POST", "/api/v1/links", &json!({"originalUrl": TARGET}));
        let path = format!("/{}", made.json()["shortCode"].as_str().unwrap());
        let first = tag(&made);
        assert_eq!(first, format!("\"{}\"", made.json()["version"]));
        assert_eq!(tag(&admin.read(&path)), first);

        let edited = send(site, ("PATCH", &path), &first, r#"{"title":"mine"}"#);
        assert_eq!(edited.status, 200);
        let second = tag(&edited);
        assert_ne!(second, first);
        for (method, body) in [("PATCH", r#"{"title":"theirs"}"#), ("PATCH", "{}"), ("DELETE", "")] {
            for old in [&first, &format!("W/{second}"), "\"x\"", "\"0\""] {
                assert_problem(&send(site, (method, &path), old, body), 412, "outdated");
            }
        }
        assert_eq!(
            (tag(&admin.read(&path)), admin.read(&path).json()["title"].clone()),
            (second.clone(), json!("mine"))
        );

        assert_eq!(send(site, ("PATCH", &path), "*", r#"{"title":"any"}"#).status, 200);
        let third = tag(&admin.read(&path));
        assert_eq!(send(site, ("DELETE", &path), &format!("{first}, {third}"), "").status, 204);
        assert_problem(&send(site, ("DELETE", &path), &third, ""), 404, "link-not-found");
    });
}

#[test]
fn what_is_no_tag_is_named() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    for text in ["7", "\"7", "", "\"7\";"] {
        assert_bad_field(&send(&site, ("PATCH", &path), text, "{}"), "#/If-Match");
        assert_bad_field(&send(&site, ("DELETE", &path), text, ""), "#/If-Match");
    }
    assert_eq!(site.admin().read(&path).status, 200);
}
