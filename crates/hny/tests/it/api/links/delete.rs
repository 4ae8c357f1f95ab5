//! `DELETE /api/v1/links/{code}`, and who may have the code afterwards.

use serde_json::json;

use super::TARGET;
use crate::document::{assert_fields, assert_problem};
use crate::site::Site;

#[test]
fn a_deleted_link_is_a_204_and_then_a_404_everywhere() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    assert_eq!(site.visitor().get(&path).status, 302);
    let answer = admin.delete(&path);
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    assert_problem(&site.visitor().get(&path), 404, "link-not-found");
    for answer in [admin.read(&path), admin.edit(&path, &json!({"title": "x"})), admin.delete(&path)] {
        assert_problem(&answer, 404, "link-not-found");
        assert!(!answer.text().contains(TARGET));
    }
}

#[test]
fn a_chosen_code_is_free_again_for_the_admin_alone() {
    let site = Site::shared();
    let mut admin = site.admin();
    admin.create(&json!({"originalUrl": TARGET, "customCode": "free-again"}));
    assert_eq!(admin.delete("/free-again").status, 204);
    let fields = json!({"originalUrl": "https://new.example/", "customCode": "free-again"});
    let refused = site.visitor().post_json("/api/shorten", &fields);
    assert_fields(&refused, 409, "code-taken", &["#/customCode"]);
    assert_eq!(site.visitor().get("/free-again").status, 404);
    let link = admin.create(&fields);
    assert_eq!((&link["title"], &link["originalUrl"]), (&json!(null), &json!("https://new.example/")));
    assert_eq!(site.visitor().get("/free-again").header("location"), Some("https://new.example/"));
}

#[test]
fn nothing_of_the_old_link_is_left_in_the_new_one() {
    let site = Site::shared();
    let mut admin = site.admin();
    let old = json!({
        "originalUrl": TARGET, "customCode": "second-life", "title": "Old", "redirectStatus": 308,
        "forwardQuery": false, "active": false, "expiresAt": "2099-01-01T00:00:00Z",
    });
    let old = admin.create(&old);
    assert_eq!(admin.delete("/second-life").status, 204);
    let new = admin.create(&json!({"originalUrl": TARGET, "customCode": "second-life"}));
    for field in ["title", "redirectStatus", "forwardQuery", "expiresAt", "validFrom"] {
        assert_eq!(new[field], json!(null), "{field}");
    }
    assert_eq!((&new["active"], &new["state"]), (&json!(true), &json!("active")));
    assert!(new["version"].as_u64() > old["version"].as_u64());
}

#[test]
fn a_generated_code_is_never_given_out_again() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    assert_eq!(admin.delete(&path).status, 204);
    let fields = json!({"originalUrl": TARGET, "customCode": &path[1..]});
    assert_fields(&admin.shorten(&fields), 409, "code-taken", &["#/customCode"]);
    assert_fields(&site.visitor().post_json("/api/shorten", &fields), 409, "code-taken", &["#/customCode"]);
    assert_problem(&site.visitor().get(&path), 404, "link-not-found");
}

#[test]
fn of_two_who_delete_one_link_one_did_it() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..4).map(|_| scope.spawn(|| site.admin().delete(&path).status)).collect();
        tries.into_iter().map(|attempt| attempt.join().unwrap()).collect()
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 404, 404, 404]);
}
