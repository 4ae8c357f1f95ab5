//! What was acknowledged is what the next visitor gets, whatever was cached.

use serde_json::json;

use super::TARGET;
use crate::document::assert_problem;
use crate::site::Site;

#[test]
fn a_code_known_to_be_absent_goes_as_soon_as_it_is_created() {
    let site = Site::shared();
    let mut visitor = site.visitor();
    for _ in 0..3 {
        assert_problem(&visitor.get("/late-comer"), 404, "link-not-found");
    }
    site.admin().create(&json!({"originalUrl": TARGET, "customCode": "late-comer"}));
    assert_eq!(visitor.get("/late-comer").header("location"), Some(TARGET));
}

#[test]
fn every_edit_is_seen_by_the_next_visit() {
    let site = Site::shared();
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let path = admin.link(&json!({"originalUrl": TARGET}));
    for number in 0..50 {
        assert_eq!(visitor.get(&path).status, 302);
        let target = format!("https://example.com/{number}");
        assert_eq!(admin.edit(&path, &json!({"originalUrl": target})).status, 200);
        assert_eq!(visitor.get(&path).header("location"), Some(&*target));
    }
}

#[test]
fn switching_off_and_on_is_seen_at_once() {
    let site = Site::shared();
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let path = admin.link(&json!({"originalUrl": TARGET}));
    for _ in 0..3 {
        assert_eq!(visitor.get(&path).status, 302);
        assert_eq!(admin.edit(&path, &json!({"active": false})).json()["state"], "disabled");
        assert_problem(&visitor.get(&path), 404, "link-not-found");
        assert_eq!(admin.edit(&path, &json!({"active": true})).json()["state"], "active");
    }
    assert_eq!(visitor.get(&path).header("location"), Some(TARGET));
}

#[test]
fn a_new_status_and_a_new_rule_for_the_query_are_seen_at_once() {
    let site = Site::shared();
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let path = admin.link(&json!({"originalUrl": "https://example.com/p"}));
    let with_query = format!("{path}?b=2");
    assert_eq!(visitor.get(&with_query).header("location"), Some("https://example.com/p?b=2"));
    assert_eq!(admin.edit(&path, &json!({"redirectStatus": 308, "forwardQuery": false})).status, 200);
    let answer = visitor.get(&with_query);
    assert_eq!((answer.status, answer.header("location")), (308, Some("https://example.com/p")));
}

#[test]
fn a_deleted_link_is_absent_at_once_and_its_code_can_lead_elsewhere() {
    let site = Site::shared();
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    for number in 0..3 {
        let target = format!("https://example.com/{number}");
        admin.create(&json!({"originalUrl": target, "customCode": "comes-and-goes"}));
        assert_eq!(visitor.get("/comes-and-goes").header("location"), Some(&*target));
        assert_eq!(admin.delete("/comes-and-goes").status, 204);
        assert_problem(&visitor.get("/comes-and-goes"), 404, "link-not-found");
    }
}

#[test]
fn without_a_cache_everything_is_the_same() {
    let site = Site::with("HNY_CACHE_BYTES", "0");
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    assert_problem(&visitor.get("/uncached"), 404, "link-not-found");
    admin.create(&json!({"originalUrl": TARGET, "customCode": "uncached"}));
    assert_eq!(visitor.get("/uncached").header("location"), Some(TARGET));
    assert_eq!(admin.edit("/uncached", &json!({"active": false})).status, 200);
    assert_problem(&visitor.get("/uncached"), 404, "link-not-found");
}
