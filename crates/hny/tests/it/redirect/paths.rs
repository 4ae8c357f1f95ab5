//! Which paths are a code, and where paths lead that are none.

use hny_testkit::Response;
use serde_json::json;

use super::TARGET;
use crate::document::assert_problem;
use crate::site::Site;

fn leads_to(answer: &Response, target: &str) -> bool {
    answer.status == 302 && answer.headers("location") == [target]
}

#[test]
fn other_spellings_of_a_code_lead_to_its_target() {
    let site = Site::shared();
    site.admin().create(&json!({"originalUrl": TARGET, "customCode": "Spell_in-g"}));
    let mut visitor = site.visitor();
    for path in [
        "/Spell_in-g",
        "/Spell_in-g/",
        "/%53pell_in-g",
        "/%53%70%65%6C%6c%5f%69n%2Dg",
        "/Spell_in%2dg/",
        "/Spell_in-g?",
        "/Spell_in-g/?",
    ] {
        let answer = visitor.get(path);
        assert!(leads_to(&answer, TARGET), "{path} {answer:?}");
    }
}

#[test]
fn a_slash_at_the_end_keeps_the_query() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": "https://example.com/p"}));
    let mut visitor = site.visitor();
    assert!(leads_to(&visitor.get(&format!("{path}?x=1")), "https://example.com/p?x=1"));
    assert!(leads_to(&visitor.get(&format!("{path}/?x=1")), "https://example.com/p?x=1"));
}

#[test]
fn what_is_not_the_code_leads_nowhere() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    let mut visitor = site.visitor();
    for tail in
        [".", ")", ",", "]", "+x", "%2F", "%2f%2f", "%00", "%20", "%3F", "%", "%4", "%zz", "%C3%A4", ";a", "&a", "./x"]
    {
        let target = format!("{path}{tail}");
        assert_problem(&visitor.get(&target), 404, "not-found");
    }
    // Nothing may stand behind it either, unless the link says so.
    for tail in ["//", "//x", "/x", "/.", "/..", "/%2F", "/ä", "/x/"] {
        let target = format!("{path}{tail}");
        assert_problem(&visitor.get(&target), 404, "link-not-found");
    }
    // Decoded once and not again: %2561 is the text "%61".
    assert_problem(&visitor.get("/%2561bc"), 404, "not-found");
}

#[test]
fn no_path_leads_off_to_a_host_of_the_visitors_choice() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    for target in [
        "//evil.example/",
        "//evil.example",
        "///evil.example/",
        r"/\evil.example/",
        r"/\/evil.example/",
        "/%2F%2Fevil.example/",
        "/%2fevil.example",
        "/%5Cevil.example/",
        "/.//evil.example/",
        "/https://evil.example/",
        "/@evil.example/",
        &format!("{path}//evil.example/"),
        &format!("//evil.example{path}"),
        &format!("/evil.example{path}/"),
    ] {
        let answer = site.visitor().get(target);
        assert_eq!((answer.status, answer.headers("location").len()), (404, 0), "{target} {answer:?}");
    }
}

#[test]
fn upper_and_lower_case_are_different_codes() {
    let site = Site::shared();
    let mut admin = site.admin();
    admin.create(&json!({"originalUrl": "https://x.example/", "customCode": "Promo"}));
    admin.create(&json!({"originalUrl": "https://y.example/", "customCode": "promo"}));
    let mut visitor = site.visitor();
    for _ in 0..2 {
        assert!(leads_to(&visitor.get("/Promo"), "https://x.example/"));
        assert!(leads_to(&visitor.get("/promo"), "https://y.example/"));
        assert_problem(&visitor.get("/PROMO"), 404, "link-not-found");
    }
    assert_eq!(admin.delete("/Promo").status, 204);
    assert_problem(&visitor.get("/Promo"), 404, "link-not-found");
    assert!(leads_to(&visitor.get("/promo"), "https://y.example/"));
}

#[test]
fn a_code_has_64_characters_at_most() {
    let site = Site::shared();
    let longest = "L".repeat(64);
    site.admin().create(&json!({"originalUrl": TARGET, "customCode": longest}));
    let mut visitor = site.visitor();
    assert!(leads_to(&visitor.get(&format!("/{longest}")), TARGET));
    assert!(leads_to(&visitor.get(&format!("/{}/", "%4c".repeat(64))), TARGET));
    assert_problem(&visitor.get(&format!("/{longest}L")), 404, "not-found");
    assert_problem(&visitor.get(&format!("/{}", "a".repeat(20_000))), 404, "not-found");
}

#[test]
fn the_words_of_other_shorteners_are_no_links() {
    let site = Site::shared();
    let mut visitor = site.visitor();
    for path in
        ["/null", "/undefined", "/admin", "/login", "/docs", "/metrics", "/API", "/HealthZ", "/index.html", "/*"]
    {
        let answer = visitor.get(path);
        assert_eq!((answer.status, answer.headers("location").len()), (404, 0), "{path} {answer:?}");
    }
}
