//! `DELETE /api/v1/keys/{id}`.

use serde_json::{Value, json};

use crate::access::callers::make_key;
use crate::document::{assert_problem, assert_time};
use crate::site::{Site, program};

#[test]
fn a_revoked_key_opens_nothing_and_stays_in_the_list() {
    let site = Site::shared();
    let (id, key) = make_key(&site, &json!({"name": "to go", "role": "creator"}));
    let link = site.holder(&key).link(&json!({"originalUrl": "https://example.com/"}));
    let path = format!("/api/v1/keys/{id}");
    let revoked = site.admin().ask("DELETE", &path);
    assert_eq!((revoked.status, revoked.text().len()), (204, 0));
    assert_problem(&site.holder(&key).read(&link), 401, "key-needed");
    let view = site.admin().ask("GET", &path).json();
    assert_time(&view, "revokedAt");
    assert_eq!(site.admin().ask("DELETE", &path).status, 204, "again is fine");
    assert_eq!(site.admin().ask("GET", &path).json()["revokedAt"], view["revokedAt"], "the first time counts");
    assert_eq!(site.visitor().get(&link).status, 302, "its links go on");
    assert_eq!(site.admin().read(&link).json()["createdBy"], json!(id.to_string()));
}

#[test]
fn the_last_admin_cannot_lock_itself_out() {
    let site = Site::start(&program());
    for role in ["editor", "creator", "reader"] {
        make_key(&site, &json!({"name": role, "role": role}));
    }
    let base = site.base().replace("http://", "");
    make_key(&site, &json!({"name": "of a domain", "role": "admin", "domain": base}));
    assert_problem(&site.admin().ask("DELETE", "/api/v1/keys/1"), 409, "last-admin-key");
    assert_eq!(site.admin().ask("GET", "/api/v1/keys/1").json()["revokedAt"], Value::Null);
    let (_, second) = make_key(&site, &json!({"name": "second", "role": "admin"}));
    assert_eq!(site.admin().ask("DELETE", "/api/v1/keys/1").status, 204);
    assert_problem(&site.admin().ask("GET", "/api/v1/keys"), 401, "key-needed");
    assert_eq!(site.holder(&second).ask("GET", "/api/v1/keys").status, 200);
}

#[test]
fn a_key_may_not_revoke_itself_unless_it_manages_keys() {
    let site = Site::shared();
    for role in ["editor", "creator", "reader"] {
        let (id, key) = make_key(&site, &json!({"name": role, "role": role}));
        let path = format!("/api/v1/keys/{id}");
        assert_problem(&site.holder(&key).ask("DELETE", &path), 403, "not-allowed");
        assert_eq!(site.holder(&key).ask("GET", &path).json()["revokedAt"], Value::Null);
    }
}
