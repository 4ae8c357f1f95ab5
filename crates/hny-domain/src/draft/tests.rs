use std::sync::Arc;

use super::*;

const NOW: &str = "2026-11-30T12:00:00Z";

fn check(input: DraftInput<'_>) -> Result<Draft, Vec<String>> {
    let domains = Domains::one(Arc::new(BaseUrl::parse("https://hny.example/go").unwrap()));
    let fields = |errors: Vec<FieldError>| errors.into_iter().map(|error| error.field).collect();
    input.check(&domains, Timestamp::parse(NOW).unwrap()).map_err(fields)
}

#[test]
fn a_url_is_enough() {
    let draft = check(DraftInput { original_url: Some("https://example.com"), ..DraftInput::default() }).unwrap();
    assert_eq!(draft.target.as_str(), "https://example.com/");
    assert!(draft.active && draft.code.is_none() && draft.expires_at.is_none());
}

#[test]
fn every_bad_field_is_named_at_once() {
    let tags = [String::new()];
    let input = DraftInput {
        original_url: Some("https://hny.example/abc"),
        custom_code: Some("no/slash"),
        domain: Some("other.example"),
        expires_at: Some(NOW),
        valid_from: Some("2026-11-30T12:00:00"),
        max_clicks: Some(0),
        redirect_status: Some(303),
        expired_url: Some("https://hny.example/abc"),
        password: Some(""),
        title: Some("a\0b"),
        tags: Some(&tags),
        note: Some("a\0b"),
        ..DraftInput::default()
    };
    let fields = [
        "originalUrl",
        "customCode",
        "domain",
        "expiresAt",
        "validFrom",
        "maxClicks",
        "redirectStatus",
        "expiredUrl",
        "password",
        "title",
        "tags[0]",
        "note",
    ];
    let found = check(input).unwrap_err();
    assert_eq!(found.len(), fields.len());
    assert!(fields.iter().all(|field| found.iter().any(|name| name == field)), "{found:?}");
}

#[test]
fn a_link_must_live_for_some_time() {
    let input = DraftInput {
        original_url: Some("https://example.com"),
        valid_from: Some("2027-01-01T00:00:00Z"),
        expires_at: Some("2027-01-01T00:00:00Z"),
        ..DraftInput::default()
    };
    assert_eq!(check(input).unwrap_err(), ["validFrom"]);
}

#[test]
fn reserved_words_are_refused_in_any_case() {
    for word in ["api", "API", "HealthZ", "login", "go"] {
        let input =
            DraftInput { original_url: Some("https://example.com"), custom_code: Some(word), ..DraftInput::default() };
        assert_eq!(check(input).unwrap_err(), ["customCode"], "{word}");
    }
}

#[test]
fn the_code_of_a_private_link_is_chosen_only_beside_a_password() {
    let chosen = DraftInput {
        original_url: Some("https://example.com"),
        custom_code: Some("abc"),
        private: Some(true),
        ..DraftInput::default()
    };
    assert_eq!(check(chosen).unwrap_err(), ["customCode"]);
    let draft = check(DraftInput { password: Some("honey"), ..chosen }).unwrap();
    assert!(draft.private && draft.password.is_none(), "it is hashed elsewhere");
}
