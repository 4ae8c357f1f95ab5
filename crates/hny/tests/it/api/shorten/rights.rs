//! What callers without a key may do.

use serde_json::{Value, json};

use super::TARGET;
use crate::document::{assert_fields, assert_problem, names};
use crate::site::Site;

#[test]
fn anyone_may_choose_code_expiry_status_and_title() {
    let site = Site::shared();
    let fields = json!({
        "originalUrl": TARGET,
        "customCode": "anyones",
        "expiresAt": "2099-01-01T00:00:00Z",
        "redirectStatus": 307,
        "title": "A title",
    });
    let made = site.visitor().post_json("/api/v1/links", &fields);
    assert_eq!(made.status, 201, "{}", made.text());
    let link = made.json();
    assert_eq!((&link["redirectStatus"], &link["title"]), (&json!(307), &json!("A title")));
    assert_eq!(link["createdBy"], Value::Null);
}

#[test]
fn the_other_fields_need_a_key() {
    let site = Site::shared();
    let domain = site.base().replace("http://", "");
    for (field, value) in [
        ("active", json!(true)),
        ("active", json!(false)),
        ("validFrom", json!("2030-01-01T00:00:00Z")),
        ("forwardQuery", json!(true)),
        ("forwardPath", json!(false)),
        ("maxClicks", json!(1)),
        ("expiredUrl", json!("https://example.com/")),
        ("tags", json!([])),
        ("note", json!("a")),
        ("domain", json!(domain)),
    ] {
        let fields = json!({"originalUrl": TARGET, field: value});
        for path in ["/api/shorten", "/api/v1/links"] {
            let refused = site.visitor().post_json(path, &fields);
            assert_fields(&refused, 401, "key-needed", &[&format!("#/{field}")]);
            assert_eq!(refused.header("www-authenticate"), Some("Bearer realm=\"hny\""));
            assert_eq!(site.admin().send("POST", path, &fields).status, 201, "{field}");
        }
    }
}

#[test]
fn all_fields_that_need_a_key_are_named_at_once() {
    let site = Site::shared();
    let fields = json!({"originalUrl": "bad", "active": true, "forwardQuery": false, "validFrom": "bad", "domain": ""});
    let refused = site.visitor().post_json("/api/shorten", &fields);
    assert_problem(&refused, 401, "key-needed");
    let errors = refused.json()["errors"].clone();
    let mut pointers: Vec<_> = errors.as_array().unwrap().iter().map(|error| error["pointer"].to_string()).collect();
    pointers.sort_unstable();
    assert_eq!(pointers, ["\"#/active\"", "\"#/domain\"", "\"#/forwardQuery\"", "\"#/validFrom\""]);
}

#[test]
fn where_creating_needs_a_key_only_its_holders_create() {
    let site = Site::with("HNY_CREATE", "key");
    let fields = json!({"originalUrl": TARGET, "customCode": "closed"});
    for path in ["/api/shorten", "/shorten", "/api/v1/links"] {
        let refused = site.visitor().post_json(path, &fields);
        assert_problem(&refused, 401, "key-needed");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer realm=\"hny\""));
        assert!(!names(&refused.json()).contains(&"errors"));
    }
    let body = fields.to_string();
    let with_key = format!("/api/shorten?key={}", site.key());
    let refused = site.visitor().request("POST", &with_key, &[("Content-Type", "application/json")], body.as_bytes());
    assert_problem(&refused, 401, "key-needed");
    let bad = site.visitor().post_json("/api/shorten", &json!({"originalUrl": "bad"}));
    assert_problem(&bad, 401, "key-needed");
    assert_eq!(site.visitor().get("/closed").status, 404);
    assert_eq!(site.admin().shorten(&fields).status, 201);
    assert_eq!(site.visitor().get("/closed").header("location"), Some(TARGET));
}
