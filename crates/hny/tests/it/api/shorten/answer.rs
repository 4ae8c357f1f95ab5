//! What comes back when a link is made.

use serde_json::{Value, json};

use super::TARGET;
use crate::caller::text;
use crate::document::{assert_json, assert_time, names};
use crate::site::Site;

#[test]
fn a_new_link_is_a_201_with_its_place_and_these_five_fields() {
    let site = Site::shared();
    for path in ["/api/shorten", "/shorten"] {
        let made = site.visitor().post_json(path, &json!({"originalUrl": TARGET}));
        assert_eq!(made.status, 201, "{path} {}", made.text());
        assert_json(&made);
        let document = made.json();
        assert_eq!(names(&document), ["createdAt", "expiresAt", "originalUrl", "shortCode", "shortUrl"]);
        let code = text(&document, "shortCode");
        assert_eq!(text(&document, "shortUrl"), format!("{}/{code}", site.base()));
        assert_eq!(made.headers("location"), [text(&document, "shortUrl")]);
        assert_eq!(document["originalUrl"], TARGET);
        assert_eq!(document["expiresAt"], Value::Null);
        assert_time(&document, "createdAt");
        assert_eq!(site.visitor().get(&format!("/{code}")).header("location"), Some(TARGET));
    }
}

#[test]
fn a_generated_code_has_seven_letters_and_digits() {
    let site = Site::shared();
    let document = site.admin().shorten(&json!({"originalUrl": TARGET})).json();
    let code = text(&document, "shortCode");
    assert!(code.len() == 7 && code.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{code}");
}

#[test]
fn the_target_is_answered_as_it_is_stored() {
    let site = Site::shared();
    let document = site.admin().shorten(&json!({"originalUrl": "HTTPS://Example.COM:443/a b"})).json();
    assert_eq!(document["originalUrl"], "https://example.com/a%20b");
}

#[test]
fn url_means_the_same_as_original_url() {
    let site = Site::shared();
    let made = site.visitor().post_json("/api/shorten", &json!({"url": TARGET}));
    assert_eq!((made.status, &made.json()["originalUrl"]), (201, &json!(TARGET)));
}

#[test]
fn the_same_target_twice_makes_two_links() {
    let site = Site::shared();
    let make = || text(&site.admin().shorten(&json!({"originalUrl": TARGET})).json(), "shortCode");
    assert_ne!(make(), make());
}

#[test]
fn a_chosen_code_and_an_expiry_come_back() {
    let site = Site::shared();
    let fields = json!({"originalUrl": TARGET, "customCode": "Chosen_1-x", "expiresAt": "2099-01-01T02:00:00.5+02:00"});
    let made = site.visitor().post_json("/api/shorten", &fields);
    let document = made.json();
    assert_eq!((made.status, &document["shortCode"]), (201, &json!("Chosen_1-x")));
    assert_eq!(document["shortUrl"], format!("{}/Chosen_1-x", site.base()));
    assert_eq!(document["expiresAt"], "2099-01-01T00:00:00.500Z");
}

#[test]
fn null_is_the_same_as_absent() {
    let site = Site::shared();
    let fields =
        json!({"originalUrl": TARGET, "customCode": null, "expiresAt": null, "title": null, "redirectStatus": null});
    assert_eq!(site.visitor().post_json("/api/shorten", &fields).status, 201);
}
