//! Fields that are wrong: each is named, and what would be right is said.

use serde_json::{Value, json};

use super::TARGET;
use crate::document::{assert_bad_field, assert_fields};
use crate::site::Site;

/// Asserts that these fields beside a good target are refused because of the one that `pointer` names.
fn assert_refused(fields: &Value, pointer: &str) {
    let site = Site::shared();
    let mut all = json!({"originalUrl": TARGET});
    all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    for path in ["/api/shorten", "/api/v1/links"] {
        assert_bad_field(&site.admin().send("POST", path, &all), pointer);
    }
}

#[test]
fn a_target_is_required() {
    let site = Site::shared();
    for fields in [json!({}), json!({"originalUrl": null}), json!({"url": null}), json!({"title": "x"})] {
        assert_bad_field(&site.visitor().post_json("/api/shorten", &fields), "#/originalUrl");
    }
}

#[test]
fn unknown_fields_are_refused_by_name() {
    let site = Site::shared();
    assert_refused(&json!({"original_url": TARGET}), "#/original_url");
    assert_refused(&json!({"OriginalUrl": TARGET}), "#/OriginalUrl");
    assert_refused(&json!({"a/b~c": 1}), "#/a~1b~0c");
    assert_refused(&json!({"": 1}), "#/");
    let both = site.admin().shorten(&json!({"originalUrl": TARGET, "foo": 1, "goo": {"x": [[]]}}));
    assert_fields(&both, 400, "invalid-field", &["#/foo", "#/goo"]);
}

#[test]
fn a_field_that_is_given_twice_is_refused_by_name() {
    let site = Site::shared();
    for (body, pointer) in [
        (r#"{"originalUrl":"https://a.example","originalUrl":"https://a.example"}"#, "#/originalUrl"),
        (r#"{"url":"https://a.example","originalUrl":"https://b.example"}"#, "#/originalUrl"),
        (r#"{"originalUrl":"https://a.example","title":"a","title":"b"}"#, "#/title"),
        (r#"{"originalUrl":"https://a.example","title":"a","\u0074itle":"b"}"#, "#/title"),
    ] {
        let headers = [("Content-Type", "application/json")];
        let answer = site.visitor().request("POST", "/api/shorten", &headers, body.as_bytes());
        assert_bad_field(&answer, pointer);
    }
}

#[test]
fn values_of_the_wrong_type_are_refused_by_name() {
    for wrong in [json!(0), json!(1.5), json!(true), json!([]), json!({}), json!([TARGET])] {
        for field in ["customCode", "expiresAt", "title", "validFrom", "domain", "expiredUrl", "note", "password"] {
            assert_refused(&json!({field: wrong}), &format!("#/{field}"));
        }
        assert_bad_field(&Site::shared().visitor().post_json("/api/shorten", &json!({"url": wrong})), "#/url");
        let answer = Site::shared().visitor().post_json("/api/shorten", &json!({"originalUrl": wrong}));
        assert_bad_field(&answer, "#/originalUrl");
    }
    for wrong in [json!(0), json!("a"), json!({}), json!([[]]), json!(true)] {
        let pointer = if wrong.is_array() { "#/tags/0" } else { "#/tags" };
        assert_refused(&json!({"tags": wrong}), pointer);
    }
    for wrong in [json!("5"), json!(1.5), json!(true), json!([5]), json!(1e99)] {
        assert_refused(&json!({"maxClicks": wrong}), "#/maxClicks");
    }
    for wrong in [json!("302"), json!(302.5), json!(true), json!([302]), json!(1e99)] {
        assert_refused(&json!({"redirectStatus": wrong}), "#/redirectStatus");
    }
    for wrong in [json!("true"), json!(0), json!(1), json!("")] {
        assert_refused(&json!({"active": wrong}), "#/active");
        assert_refused(&json!({"forwardQuery": wrong}), "#/forwardQuery");
        assert_refused(&json!({"forwardPath": wrong}), "#/forwardPath");
    }
}

#[test]
fn a_status_is_one_of_four() {
    for status in [0, -1, 200, 300, 303, 304, 305, 306, 309, 3020, i64::MAX, i64::MIN] {
        assert_refused(&json!({"redirectStatus": status}), "#/redirectStatus");
    }
    assert_refused(&json!({"redirectStatus": u64::MAX}), "#/redirectStatus");
}

#[test]
fn a_title_is_text_without_nul_of_512_characters_at_most() {
    assert_refused(&json!({"title": "a\0b"}), "#/title");
    assert_refused(&json!({"title": "t".repeat(513)}), "#/title");
    let site = Site::shared();
    for title in ["", "ä👋\u{301}", "a\nb\t\u{1b}[31m", &"👋".repeat(512)] {
        let link = site.admin().create(&json!({"originalUrl": TARGET, "title": title}));
        let expected = if title.is_empty() { Value::Null } else { json!(title) };
        assert_eq!(link["title"], expected);
    }
}

#[test]
fn a_limit_is_at_least_one() {
    for count in [0, -1, 4_294_967_296, i64::MIN, i64::MAX] {
        assert_refused(&json!({"maxClicks": count}), "#/maxClicks");
    }
}

#[test]
fn tags_are_twenty_words_of_64_characters_at_most_and_each_is_there_once() {
    let site = Site::shared();
    let words = |count: usize| (0..count).map(|number| number.to_string()).collect::<Vec<_>>();
    assert_refused(&json!({"tags": words(21)}), "#/tags");
    assert_refused(&json!({"tags": ["a", "t".repeat(65)]}), "#/tags/1");
    assert_refused(&json!({"tags": [" "]}), "#/tags/0");
    assert_refused(&json!({"tags": ["a", "b", "c\nd"]}), "#/tags/2");
    for (tags, expected) in [
        (json!(words(20)), json!(words(20))),
        (json!([" b ", "a", "b", "B"]), json!(["b", "a", "B"])),
        (json!([]), json!([])),
        (json!(null), json!([])),
        (json!(["👋".repeat(64)]), json!(["👋".repeat(64)])),
    ] {
        assert_eq!(site.admin().create(&json!({"originalUrl": TARGET, "tags": tags}))["tags"], expected);
    }
}

#[test]
fn a_note_is_text_without_nul_of_4_000_characters_at_most() {
    assert_refused(&json!({"note": "a\0b"}), "#/note");
    assert_refused(&json!({"note": "n".repeat(4_001)}), "#/note");
    let site = Site::shared();
    let note = "👋".repeat(4_000);
    assert_eq!(site.admin().create(&json!({"originalUrl": TARGET, "note": note}))["note"], note);
    assert_eq!(site.admin().create(&json!({"originalUrl": TARGET, "note": ""}))["note"], Value::Null);
}

#[test]
fn a_place_for_the_late_is_a_target_that_is_not_here() {
    let site = Site::shared();
    for url in ["", "example.org", "mailto:a@example.com", "https://u:p@example.com/", &format!("{}/a", site.base())] {
        assert_refused(&json!({"expiredUrl": url}), "#/expiredUrl");
    }
}

#[test]
fn a_nul_is_fine_in_a_url_and_nowhere_else() {
    let site = Site::shared();
    let made = site.admin().shorten(&json!({"originalUrl": "https://example.com/\0?\0#\0x"}));
    assert_eq!((made.status, &made.json()["originalUrl"]), (201, &json!("https://example.com/%00?%00#%00x")));
    for field in ["title", "customCode", "expiresAt", "domain", "note"] {
        assert_refused(&json!({field: "\0"}), &format!("#/{field}"));
    }
}

#[test]
fn everything_that_is_wrong_is_named_at_once() {
    let site = Site::shared();
    let fields = json!({
        "originalUrl": "example.org",
        "customCode": "no/slash",
        "domain": "other.example",
        "expiresAt": "2000-01-01T00:00:00Z",
        "validFrom": "tomorrow",
        "redirectStatus": 303,
        "title": "\0",
    });
    let pointers =
        ["#/originalUrl", "#/customCode", "#/domain", "#/expiresAt", "#/validFrom", "#/redirectStatus", "#/title"];
    assert_fields(&site.admin().shorten(&fields), 400, "invalid-field", &pointers);
}

#[test]
fn a_link_must_begin_before_it_ends() {
    let (start, end) = ("2099-01-02T00:00:00Z", "2099-01-01T00:00:00Z");
    assert_refused(&json!({"validFrom": start, "expiresAt": end}), "#/validFrom");
    assert_refused(&json!({"validFrom": end, "expiresAt": end}), "#/validFrom");
}

#[test]
fn there_is_one_domain() {
    let site = Site::shared();
    let own = site.base().replace("http://", "");
    let link = site.admin().create(&json!({"originalUrl": TARGET, "domain": own}));
    assert_eq!(link["domain"], own);
    for domain in ["", "evil.example", "127.0.0.1", &format!("{own}/"), &format!("http://{own}")] {
        assert_refused(&json!({"domain": domain}), "#/domain");
    }
}
