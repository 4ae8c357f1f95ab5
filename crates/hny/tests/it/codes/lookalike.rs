//! `"allowLookalike"`.

use serde_json::json;

use super::{TARGET, assert_leads};
use crate::document::{assert_bad_field, assert_fields};
use crate::site::{Site, program};

#[test]
fn a_code_that_looks_like_another_is_a_409_unless_it_is_allowed() {
    let site = Site::start(&program());
    let mut admin = site.admin();
    admin.create(&json!({"originalUrl": TARGET, "customCode": "PromO-1"}));
    for code in ["Prom0-1", "PromO-l", "Prom0-I"] {
        let other = "https://example.org/";
        let refused = admin.shorten(&json!({"originalUrl": other, "customCode": code}));
        assert_fields(&refused, 409, "code-taken", &["#/customCode"]);
        assert!(refused.text().contains("allowLookalike"), "{}", refused.text());
        assert_eq!(site.visitor().get(&format!("/{code}")).status, 404);
        admin.create(&json!({"originalUrl": other, "customCode": code, "allowLookalike": true}));
        assert_leads(&site, code, other);
        assert_leads(&site, "PromO-1", TARGET);
    }
}

#[test]
fn a_code_that_is_taken_is_not_to_be_had_by_allowing_lookalikes() {
    let site = Site::start(&program());
    let fields = json!({"originalUrl": TARGET, "customCode": "O0", "allowLookalike": true});
    site.admin().create(&fields);
    let refused = site.admin().shorten(&fields);
    assert_fields(&refused, 409, "code-taken", &["#/customCode"]);
    assert!(!refused.text().contains("allowLookalike"), "{}", refused.text());
}

#[test]
fn strangers_may_not_allow_themselves_a_lookalike() {
    let site = Site::shared();
    let fields = json!({"originalUrl": TARGET, "customCode": "look-alike", "allowLookalike": true});
    assert_fields(&site.visitor().post_json("/api/shorten", &fields), 401, "key-needed", &["#/allowLookalike"]);
    let fields = json!({"originalUrl": TARGET, "customCode": "look-alike", "allowLookalike": 1});
    assert_bad_field(&site.admin().shorten(&fields), "#/allowLookalike");
}

#[test]
fn the_command_line_says_what_a_code_looks_like() {
    let program = program();
    assert!(program.run(["shorten", TARGET, "--code", "IO"]).status.success());
    let refused = program.run(["shorten", TARGET, "--code", "l0"]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("looks like"), "{refused:?}");
}
