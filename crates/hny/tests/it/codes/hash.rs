//! Codes that follow from owner and target.

use hny_codes::HashCodes;
use serde_json::json;

use super::{TARGET, assert_leads, making};
use crate::caller::text;
use crate::document::{assert_json, assert_problem};
use crate::site::Site;

#[test]
fn the_same_link_again_is_a_200_with_that_link() {
    let site = Site::start(&making("hash"));
    let mut admin = site.admin();
    for path in ["/api/v1/links", "/api/shorten"] {
        let fields = json!({"originalUrl": format!("{TARGET}&{path}")});
        let (made, again) = (admin.send("POST", path, &fields), admin.send("POST", path, &fields));
        assert_eq!((made.status, again.status), (201, 200), "{}", again.text());
        assert_json(&again);
        assert_eq!(made.json(), again.json());
    }
}

#[test]
fn the_owner_is_part_of_the_code() {
    let site = Site::start(&making("hash"));
    let codes = HashCodes::new(7).unwrap();
    let made = site.admin().shorten(&json!({"originalUrl": TARGET})).json();
    assert_eq!(text(&made, "shortCode"), codes.code("1", TARGET, 0).to_string(), "the key has the id 1");
    let other = site.hny().program().run(["key", "create", "--name", "other", "--role", "admin"]);
    let key = String::from_utf8(other.stdout).unwrap();
    let mut other = crate::caller::Caller::new(site.visitor(), key.trim_end());
    let made = other.shorten(&json!({"originalUrl": TARGET}));
    assert_eq!((made.status, text(&made.json(), "shortCode")), (201, codes.code("2", TARGET, 0).to_string()));
}

#[test]
fn a_link_with_another_field_is_another_link() {
    let site = Site::start(&making("hash"));
    let codes = HashCodes::new(7).unwrap();
    for (salt, fields) in [
        json!({"originalUrl": TARGET}),
        json!({"originalUrl": TARGET, "title": "a title"}),
        json!({"originalUrl": TARGET, "title": "a title"}),
    ]
    .into_iter()
    .enumerate()
    {
        let made = site.admin().shorten(&fields);
        assert_eq!(made.status, 201);
        let code = text(&made.json(), "shortCode");
        assert_eq!(code, codes.code("1", TARGET, salt as u64).to_string());
        assert_leads(&site, &code, TARGET);
    }
}

#[test]
fn strangers_need_a_key_though_anyone_may_create() {
    let site = Site::start(&making("hash"));
    let mut visitor = site.visitor();
    assert_problem(&visitor.post_json("/api/shorten", &json!({"originalUrl": TARGET})), 401, "key-needed");
    let chosen = visitor.post_json("/api/shorten", &json!({"originalUrl": TARGET, "customCode": "mine"}));
    assert_eq!(chosen.status, 201, "a chosen code is no hash");
}
