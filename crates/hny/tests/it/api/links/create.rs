//! `POST /api/v1/links`.

use std::collections::BTreeSet;
use std::sync::Barrier;
use std::thread;

use serde_json::{Value, json};

use super::TARGET;
use crate::caller::{Caller, text};
use crate::document::{assert_json, assert_time, names};
use crate::site::Site;

/// All there is to say of a link, sorted.
pub(super) const NAMES: [&str; 24] = [
    "active",
    "aliases",
    "clicksUsed",
    "createdAt",
    "createdBy",
    "domain",
    "expiredUrl",
    "expiresAt",
    "forwardPath",
    "forwardQuery",
    "hasPassword",
    "maxClicks",
    "note",
    "originalUrl",
    "private",
    "redirectStatus",
    "shortCode",
    "shortUrl",
    "state",
    "tags",
    "title",
    "updatedAt",
    "validFrom",
    "version",
];

#[test]
fn a_new_link_is_a_201_with_the_link_and_its_place_in_the_api() {
    let site = Site::shared();
    let mut admin = site.admin();
    let made = admin.send("POST", "/api/v1/links", &json!({"originalUrl": TARGET}));
    assert_eq!(made.status, 201);
    assert_json(&made);
    let link = made.json();
    let place = format!("/api/v1/links/{}", text(&link, "shortCode"));
    assert_eq!(made.headers("location"), [format!("{}{place}", site.base())]);
    assert_eq!(admin.ask("GET", &place).json(), link);
}

#[test]
fn what_nobody_set_is_null() {
    let site = Site::shared();
    let link = site.admin().create(&json!({"originalUrl": TARGET}));
    assert_eq!(names(&link), NAMES);
    let unset =
        ["expiresAt", "expiredUrl", "validFrom", "maxClicks", "redirectStatus", "forwardQuery", "title", "note"];
    for field in unset {
        assert_eq!(link[field], Value::Null, "{field}");
    }
    assert_eq!(link["forwardPath"], false);
    assert_eq!((&link["active"], &link["state"]), (&json!(true), &json!("active")));
    assert_eq!((&link["private"], &link["hasPassword"]), (&json!(false), &json!(false)));
    assert_eq!((&link["tags"], &link["clicksUsed"]), (&json!([]), &json!(0)));
    assert_eq!(link["domain"], site.base().replace("http://", ""));
    assert_eq!(link["shortUrl"], format!("{}/{}", site.base(), text(&link, "shortCode")));
    assert_time(&link, "createdAt");
    assert_eq!(link["createdAt"], link["updatedAt"]);
}

#[test]
fn what_was_set_comes_back() {
    let site = Site::shared();
    let fields = json!({
        "originalUrl": TARGET,
        "customCode": "all-fields",
        "expiresAt": "2099-01-01T00:00:00Z",
        "validFrom": "2098-01-01T00:00:00+01:00",
        "maxClicks": 4_294_967_295_u32,
        "redirectStatus": 308,
        "forwardQuery": false,
        "forwardPath": true,
        "expiredUrl": "https://example.com/over?a=%2F#b",
        "title": "Ein Titel 👋",
        "tags": ["b", "a \"word\"", "🍯"],
        "note": "two\nlines </script><script>alert(1)</script>",
        "active": false,
    });
    let link = site.admin().create(&fields);
    for field in [
        "originalUrl",
        "maxClicks",
        "redirectStatus",
        "forwardQuery",
        "forwardPath",
        "expiredUrl",
        "title",
        "tags",
        "note",
        "active",
    ] {
        assert_eq!(link[field], fields[field], "{field}");
    }
    assert_eq!(link["shortCode"], "all-fields");
    assert_eq!(link["expiresAt"], "2099-01-01T00:00:00.000Z");
    assert_eq!(link["validFrom"], "2097-12-31T23:00:00.000Z");
    assert_eq!(link["state"], "disabled");
}

#[test]
fn the_state_says_what_the_link_is_now() {
    let site = Site::shared();
    let state = |fields: Value| site.admin().create(&fields)["state"].clone();
    assert_eq!(state(json!({"originalUrl": TARGET})), "active");
    assert_eq!(state(json!({"originalUrl": TARGET, "active": false})), "disabled");
    assert_eq!(state(json!({"originalUrl": TARGET, "validFrom": "2098-01-01T00:00:00Z"})), "scheduled");
}

#[test]
fn a_link_belongs_to_the_key_that_made_it() {
    let site = Site::shared();
    let link = site.admin().create(&json!({"originalUrl": TARGET}));
    assert_eq!(link["createdBy"], "1");
    let made = site.visitor().post_json("/api/v1/links", &json!({"originalUrl": TARGET}));
    assert_eq!(made.json()["createdBy"], Value::Null);
}

#[test]
fn every_change_takes_a_later_version() {
    let site = Site::shared();
    let mut admin = site.admin();
    let version = |link: &Value| link["version"].as_u64().unwrap();
    let first = admin.create(&json!({"originalUrl": TARGET}));
    let second = admin.create(&json!({"originalUrl": TARGET}));
    let path = format!("/{}", text(&first, "shortCode"));
    let edited = admin.edit(&path, &json!({"title": "x"})).json();
    assert!(version(&first) < version(&second) && version(&second) < version(&edited));
}

/// B59.
#[test]
fn many_who_use_a_new_tag_at_once_all_get_their_link() {
    const CALLERS: usize = 50;
    let site = Site::shared();
    let start = Barrier::new(CALLERS);
    let create = |mut caller: Caller| {
        start.wait();
        caller.create(&json!({"originalUrl": TARGET, "tags": ["brand-new", "other", "brand-new"]}))
    };
    let links: Vec<Value> = thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLERS).map(|_| site.admin()).collect();
        let making: Vec<_> = callers.into_iter().map(|caller| scope.spawn(|| create(caller))).collect();
        making.into_iter().map(|making| making.join().expect("a link")).collect()
    });
    assert!(links.iter().all(|link| link["tags"] == json!(["brand-new", "other"])));
    let codes: BTreeSet<_> = links.iter().map(|link| text(link, "shortCode")).collect();
    assert_eq!(codes.len(), CALLERS);
}
