//! `PATCH /api/v1/links/{code}`: a merge patch (RFC 7396), so `null` clears and an absent field keeps (B45).

use serde_json::{Value, json};

use super::TARGET;
use super::create::NAMES;
use crate::document::{assert_bad_field, assert_fields, assert_json, assert_problem, assert_time, names};
use crate::site::Site;

fn full() -> Value {
    json!({
        "originalUrl": TARGET,
        "expiresAt": "2099-01-01T00:00:00Z",
        "validFrom": "2020-01-01T00:00:00Z",
        "maxClicks": 3,
        "redirectStatus": 308,
        "forwardQuery": false,
        "forwardPath": true,
        "expiredUrl": "https://example.com/over",
        "title": "A title",
        "tags": ["a", "b"],
        "note": "A note",
        "active": true,
    })
}

#[test]
fn an_edit_is_answered_with_the_link_as_it_is_now() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&full());
    let before = admin.read(&path).json();
    let answer = admin.edit(&path, &json!({"title": "New"}));
    assert_eq!(answer.status, 200);
    assert_json(&answer);
    let after = answer.json();
    assert_eq!(names(&after), NAMES);
    assert_eq!(after, admin.read(&path).json());
    assert_time(&after, "updatedAt");
    assert!(after["updatedAt"].as_str() >= before["updatedAt"].as_str());
    let changed: Vec<_> = NAMES.into_iter().filter(|name| after[name] != before[name]).collect();
    assert!(changed.iter().all(|name| ["title", "updatedAt", "version"].contains(name)), "{changed:?}");
    assert_eq!(after["title"], "New");
}

#[test]
fn absent_keeps_and_an_empty_patch_changes_nothing_at_all() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&full());
    let before = admin.read(&path).json();
    assert_eq!(admin.edit(&path, &json!({})).json(), before);
    assert_eq!(admin.read(&path).json(), before);
}

#[test]
fn null_clears_each_field_that_may_be_unset() {
    let site = Site::shared();
    let mut admin = site.admin();
    let fields =
        ["expiresAt", "validFrom", "maxClicks", "redirectStatus", "forwardQuery", "expiredUrl", "title", "note"];
    for field in fields {
        let path = admin.link(&full());
        let answer = admin.edit(&path, &json!({field: null}));
        assert_eq!((answer.status, &answer.json()[field]), (200, &Value::Null), "{field}");
        assert_eq!(admin.read(&path).json()[field], Value::Null, "{field}");
    }
    let path = admin.link(&full());
    let cleared = admin.edit(&path, &json!({"tags": null, "forwardPath": null})).json();
    assert_eq!((&cleared["tags"], &cleared["forwardPath"]), (&json!([]), &json!(false)));
    let path = admin.link(&json!({"originalUrl": TARGET, "active": false}));
    assert_eq!(admin.edit(&path, &json!({"active": null})).json()["active"], true);
    assert_eq!(site.visitor().get(&path).status, 302);
}

#[test]
fn a_link_cannot_lose_its_target() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&full());
    for value in [json!(null), json!(""), json!(0), json!("example.org"), json!("mailto:a@example.com")] {
        assert_bad_field(&admin.edit(&path, &json!({"originalUrl": value})), "#/originalUrl");
    }
    assert_eq!(site.visitor().get(&path).header("location"), Some(TARGET));
}

#[test]
fn an_empty_text_and_a_zero_never_pass_for_null() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&full());
    let before = admin.read(&path).json();
    for (field, value) in [
        ("expiresAt", json!("")),
        ("expiresAt", json!(0)),
        ("validFrom", json!("")),
        ("validFrom", json!(0)),
        ("maxClicks", json!("")),
        ("maxClicks", json!(0)),
        ("maxClicks", json!(-1)),
        ("maxClicks", json!(4_294_967_296_i64)),
        ("redirectStatus", json!("")),
        ("redirectStatus", json!(0)),
        ("forwardPath", json!("")),
        ("forwardPath", json!(0)),
        ("expiredUrl", json!("")),
        ("expiredUrl", json!(0)),
        ("expiredUrl", json!("example.org")),
        ("tags", json!("")),
        ("tags", json!(0)),
        ("tags", json!("a")),
        ("note", json!(0)),
        ("note", json!("a\0")),
        ("password", json!("")),
        ("forwardQuery", json!("")),
        ("forwardQuery", json!(0)),
        ("title", json!(0)),
        ("title", json!("a\0")),
        ("active", json!("")),
        ("active", json!(0)),
        ("expiresAt", json!("2000-01-01T00:00:00Z")),
        ("expiresAt", json!("2099-01-01T00:00:00")),
    ] {
        assert_bad_field(&admin.edit(&path, &json!({field: value})), &format!("#/{field}"));
    }
    assert_eq!(admin.read(&path).json(), before);
    // The texts that may be empty: a title without letters is no title, and a note none.
    for field in ["title", "note"] {
        assert_eq!(admin.edit(&path, &json!({field: ""})).json()[field], Value::Null);
    }
    assert_eq!(admin.edit(&path, &json!({"tags": []})).json()["tags"], json!([]));
    assert_bad_field(&admin.edit(&path, &json!({"tags": ["a", ""]})), "#/tags/1");
    assert_bad_field(&admin.edit(&path, &json!({"tags": ["a", 1]})), "#/tags/1");
}

#[test]
fn one_bad_field_keeps_the_good_ones_from_being_changed() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&full());
    let before = admin.read(&path).json();
    let fields =
        json!({"title": "New", "originalUrl": "https://new.example/", "redirectStatus": 303, "expiresAt": "x"});
    assert_fields(&admin.edit(&path, &fields), 400, "invalid-field", &["#/expiresAt", "#/redirectStatus"]);
    assert_eq!(admin.read(&path).json(), before);
}

#[test]
fn an_edit_after_which_the_link_would_never_live_is_refused() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": "https://example.com/", "expiresAt": "2099-01-01T00:00:00Z"}));
    let before = admin.read(&path).json();
    assert_bad_field(&admin.edit(&path, &json!({"validFrom": "2100-01-01T00:00:00Z"})), "#/validFrom");
    assert_eq!(admin.read(&path).json(), before);
}

#[test]
fn what_cannot_be_changed_is_refused_by_name() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&full());
    for field in ["shortCode", "aliases", "createdAt", "createdBy", "version", "state", "shortUrl", "foo"] {
        assert_bad_field(&admin.edit(&path, &json!({field: "x"})), &format!("#/{field}"));
    }
}

#[test]
fn an_edit_may_not_lead_back_to_us() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&full());
    let port = site.hny().address().port();
    for host in ["127.0.0.1", "localhost", "LOCALHOST.", "[::1]", "0x7f.1", "2130706433"] {
        let fields = json!({"originalUrl": format!("http://{host}:{port}{path}")});
        assert_bad_field(&admin.edit(&path, &fields), "#/originalUrl");
    }
    assert_eq!(site.visitor().get(&path).header("location"), Some(TARGET));
}

#[test]
fn an_edit_of_nothing_is_a_404() {
    let site = Site::shared();
    for patch in [json!({"title": "x"}), json!({})] {
        assert_problem(&site.admin().edit("/not-there-to-edit", &patch), 404, "link-not-found");
    }
}

#[test]
fn url_means_the_same_as_original_url() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&full());
    assert_eq!(admin.edit(&path, &json!({"url": "https://new.example/"})).status, 200);
    assert_eq!(site.visitor().get(&path).header("location"), Some("https://new.example/"));
}

#[test]
fn an_edit_in_the_schedule_is_exact_at_once() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    assert_eq!(admin.edit(&path, &json!({"validFrom": "2098-01-01T00:00:00Z"})).json()["state"], "scheduled");
    assert_eq!(site.visitor().get(&path).status, 404);
    assert_eq!(admin.edit(&path, &json!({"validFrom": null})).json()["state"], "active");
    assert_eq!(site.visitor().get(&path).status, 302);
}
