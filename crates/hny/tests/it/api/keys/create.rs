//! `POST /api/v1/keys`.

use serde_json::{Value, json};

use crate::access::callers::make_key;
use crate::caller::text;
use crate::document::{assert_bad_field, assert_fields, assert_json, assert_problem, assert_time, names};
use crate::site::{Site, program};

const VIEW: [&str; 9] =
    ["createdAt", "domain", "expiresAt", "id", "lastUsedAt", "name", "ownLinks", "revokedAt", "role"];

#[test]
fn a_key_is_shown_once_and_its_view_from_then_on() {
    let site = Site::shared();
    let domain = site.base().replace("http://", "");
    let fields = json!({
        "name": "Zoë's \"key\"", "role": "reader", "ownLinks": true, "domain": domain, "expiresAt": "2099-01-01T01:00:00+01:00"
    });
    let made = site.admin().send("POST", "/api/v1/keys", &fields);
    assert_eq!(made.status, 201, "{}", made.text());
    assert_json(&made);
    let mut view = made.json();
    let key = view.as_object_mut().unwrap().remove("key").unwrap();
    let (key, id) = (key.as_str().unwrap(), text(&view, "id"));
    assert!(key.starts_with(&format!("hny_{id}_")) && key.len() == format!("hny_{id}_").len() + 36, "{key}");
    assert_eq!(names(&view), VIEW);
    for name in ["name", "role", "ownLinks", "domain"] {
        assert_eq!(view[name], fields[name]);
    }
    assert_eq!(view["expiresAt"], "2099-01-01T00:00:00.000Z");
    assert_time(&view, "createdAt");
    assert_eq!((&view["revokedAt"], &view["lastUsedAt"]), (&Value::Null, &Value::Null));
    let location = made.header("location").unwrap().replace(&site.base(), "");
    assert_eq!(location, format!("/api/v1/keys/{id}"));
    let shown = site.admin().ask("GET", &location);
    assert_json(&shown);
    assert_eq!(shown.json(), view);
    let listed = site.admin().ask("GET", "/api/v1/keys");
    assert!(listed.json()["items"].as_array().unwrap().contains(&view), "{}", listed.text());
    assert!(!format!("{}{}", shown.text(), listed.text()).contains("hny_"), "no secret is shown again");
}

#[test]
fn each_role_is_made_as_it_is_named() {
    let site = Site::shared();
    for (role, own_links) in [("admin", false), ("editor", false), ("creator", true), ("reader", false)] {
        let (id, key) = make_key(&site, &json!({"name": role, "role": role}));
        let view = site.holder(&key).ask("GET", &format!("/api/v1/keys/{id}")).json();
        assert_eq!((&view["role"], &view["ownLinks"]), (&json!(role), &json!(own_links)));
        assert_eq!((&view["domain"], &view["expiresAt"]), (&Value::Null, &Value::Null));
    }
}

#[test]
fn what_is_wrong_is_named() {
    let site = Site::shared();
    let mut admin = site.admin();
    let good = json!({"name": "n", "role": "reader"});
    for (field, value) in [
        ("name", json!("")),
        ("name", json!(7)),
        ("name", json!("n".repeat(101))),
        ("role", json!("king")),
        ("role", json!("Admin")),
        ("role", json!(null)),
        ("ownLinks", json!("yes")),
        ("domain", json!("other.example")),
        ("expiresAt", json!("2020-01-01T00:00:00Z")),
        ("expiresAt", json!("2099-01-01T00:00:00")),
        ("expiresAt", json!(4_000_000_000_i64)),
        ("secret", json!("of my own")),
        ("id", json!("1")),
        ("key", json!("hny_1_x")),
    ] {
        let mut fields = good.clone();
        fields[field] = value;
        assert_bad_field(&admin.send("POST", "/api/v1/keys", &fields), &format!("#/{field}"));
    }
    let own = json!({"name": "n", "role": "admin", "ownLinks": true});
    assert_bad_field(&admin.send("POST", "/api/v1/keys", &own), "#/ownLinks");
    let nothing = admin.send("POST", "/api/v1/keys", &json!({}));
    assert_fields(&nothing, 400, "invalid-field", &["#/name", "#/role"]);
}

#[test]
fn a_key_that_ends_makes_none_that_outlives_it() {
    let site = Site::shared();
    let end = "2099-01-01T00:00:00.000Z";
    let (_, key) = make_key(&site, &json!({"name": "for a while", "role": "admin", "expiresAt": end}));
    let make = |fields: &Value| site.holder(&key).send("POST", "/api/v1/keys", fields);
    let endless = make(&json!({"name": "no end", "role": "reader"}));
    assert_eq!((endless.status, &endless.json()["expiresAt"]), (201, &json!(end)));
    assert_eq!(make(&json!({"name": "same", "role": "admin", "expiresAt": end})).status, 201);
    let longer = json!({"name": "longer", "role": "reader", "expiresAt": "2099-01-01T00:00:00.001Z"});
    assert_bad_field(&make(&longer), "#/expiresAt");
}

/// A key in a body is a field that nobody knows, whatever it is (B63).
#[test]
fn a_key_in_a_body_opens_nothing() {
    let site = Site::shared();
    for name in ["key", "apiKey", "signature"] {
        for value in [json!(site.key()), json!(0), json!(true), json!([]), json!({})] {
            let body = json!({"name": "n", "role": "admin", name: value});
            assert_problem(&site.visitor().post_json("/api/v1/keys", &body), 401, "key-needed");
            let link = json!({"originalUrl": "https://example.com/", name: value});
            assert_bad_field(&site.visitor().post_json("/api/v1/links", &link), &format!("#/{name}"));
        }
    }
}

/// Nothing is set up by the first who comes: only who has the database makes the first key, and it changes no other (B63).
#[test]
fn another_first_key_leaves_the_first_as_it_was() {
    let site = Site::start(&program());
    let before = site.admin().ask("GET", "/api/v1/keys/1").json();
    let again = site.hny().program().run(["key", "create", "--name", "admin", "--role", "admin"]);
    assert!(again.status.success(), "{again:?}");
    let after = site.admin().ask("GET", "/api/v1/keys/1").json();
    for name in VIEW.into_iter().filter(|name| *name != "lastUsedAt") {
        assert_eq!(after[name], before[name], "{name}");
    }
    for path in ["/setup", "/install", "/setup/finish", "/admin", "/login", "/api/v1/setup"] {
        assert_eq!(site.visitor().get(path).status, 404, "{path}");
    }
}
