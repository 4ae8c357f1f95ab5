//! `GET /api/v1/keys` and `GET /api/v1/keys/{id}`.

use serde_json::{Value, json};

use crate::access::callers::make_key;
use crate::caller::text;
use crate::document::{assert_bad_field, assert_problem, assert_time};
use crate::instant::until_some;
use crate::site::{Site, program};

fn ids(list: &Value) -> Vec<String> {
    list["items"].as_array().unwrap().iter().map(|key| text(key, "id")).collect()
}

#[test]
fn an_admin_sees_all_keys_and_every_other_key_itself() {
    let site = Site::start(&program());
    let keys =
        ["editor", "creator", "reader", "admin"].map(|role| make_key(&site, &json!({"name": role, "role": role})));
    let list = |key: &str| ids(&site.holder(key).ask("GET", "/api/v1/keys").json());
    assert_eq!(list(site.key()), ["1", "2", "3", "4", "5"]);
    assert_eq!(list(&keys[3].1), list(site.key()));
    for (id, key) in &keys[..3] {
        assert_eq!(list(key), [id.to_string()]);
        assert_eq!(site.holder(key).ask("GET", &format!("/api/v1/keys/{id}")).status, 200);
    }
}

#[test]
fn what_is_no_number_of_a_key_is_not_there() {
    let site = Site::shared();
    let mut admin = site.admin();
    for id in ["0", "-1", "01", "+1", "1.0", "first", "9223372036854775807", "9223372036854775808", "%31%00", "1%2F2"] {
        for method in ["GET", "DELETE"] {
            let answer = admin.ask(method, &format!("/api/v1/keys/{id}"));
            assert_problem(&answer, 404, "key-not-found");
        }
    }
    assert_bad_field(&admin.ask("GET", "/api/v1/keys?limit=1"), "#/limit");
    assert_bad_field(&admin.ask("GET", "/api/v1/keys/1?key=x"), "#/key");
    assert_problem(&admin.ask("PUT", "/api/v1/keys/1"), 405, "method-not-allowed");
}

#[test]
fn the_last_use_is_known_about() {
    const GRAIN_MINUTES: u64 = 5;
    let site = Site::shared();
    let (id, key) = make_key(&site, &json!({"name": "used", "role": "reader"}));
    let view = || site.admin().ask("GET", &format!("/api/v1/keys/{id}")).json();
    assert_eq!(view()["lastUsedAt"], Value::Null, "to be looked at by others is no use");
    assert_eq!(site.holder(&key).ask("GET", "/api/v1/stats").status, 200);
    let used = until_some(|| Some(view()).filter(|view| view["lastUsedAt"] != Value::Null));
    assert_time(&used, "lastUsedAt");
    let at = text(&used, "lastUsedAt");
    let minute: u64 = at[14..16].parse().unwrap();
    assert!(minute.is_multiple_of(GRAIN_MINUTES) && at.ends_with(":00.000Z"), "{at} is coarse");
}
