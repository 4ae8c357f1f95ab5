//! `"private": true`.

use serde_json::json;

use super::{SCHEMES, TARGET, assert_leads, making};
use crate::caller::text;
use crate::document::{assert_bad_field, assert_fields};
use crate::site::Site;

#[test]
fn a_private_link_has_22_characters_under_every_scheme() {
    for (scheme, _) in SCHEMES {
        let site = Site::start(&making(scheme));
        let link = site.admin().create(&json!({"originalUrl": TARGET, "private": true}));
        let code = text(&link, "shortCode");
        assert!(code.len() == 22 && code.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{scheme} {code}");
        assert_eq!(link["private"], true);
        assert_leads(&site, &code, TARGET);
        let shown = site.admin().read(&format!("/{code}")).json();
        assert_eq!(shown["private"], true);
    }
}

#[test]
fn two_private_links_to_one_target_are_two() {
    for scheme in ["random", "hash"] {
        let site = Site::start(&making(scheme));
        let fields = json!({"originalUrl": TARGET, "private": true});
        let made = || text(&site.admin().create(&fields), "shortCode");
        assert_ne!(made(), made());
    }
}

#[test]
fn a_private_link_needs_a_key_and_lets_nobody_choose() {
    let site = Site::shared();
    for value in [true, false] {
        let refused = site.visitor().post_json("/api/shorten", &json!({"originalUrl": TARGET, "private": value}));
        assert_fields(&refused, 401, "key-needed", &["#/private"]);
    }
    let fields = json!({"originalUrl": TARGET, "private": true, "customCode": "guess-me"});
    assert_bad_field(&site.admin().shorten(&fields), "#/customCode");
    assert_bad_field(&site.admin().shorten(&json!({"originalUrl": TARGET, "private": "yes"})), "#/private");
}

#[test]
fn a_link_that_is_not_private_says_so() {
    let site = Site::shared();
    for fields in [json!({"originalUrl": TARGET}), json!({"originalUrl": TARGET, "private": false})] {
        let link = site.admin().create(&fields);
        assert_eq!((&link["private"], text(&link, "shortCode").len()), (&json!(false), 7));
    }
}
