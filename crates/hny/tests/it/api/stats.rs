//! `GET /api/v1/stats`.

use serde_json::{Value, json};

use crate::document::{assert_bad_field, assert_json, assert_problem};
use crate::keeper::Keeper;
use crate::site::Site;

const DAY: &str = "/api/v1/stats?from=2025-10-25&to=2025-10-26&groupBy=country";

fn stats(keeper: &Keeper) -> Value {
    let answer = keeper.admin().ask("GET", DAY);
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_json(&answer);
    answer.json()
}

#[test]
fn an_admin_sees_what_all_links_have_together() {
    Keeper::on_both(|keeper| {
        assert_eq!(stats(keeper)["total"], json!({"clicks": 0, "uniques": 0, "robots": 0}));
        let [(one, first), (_, second)] = [keeper.link(), keeper.link()];
        keeper.take(first.person("2025-10-25T10:00:00Z", 1).person("2025-10-25T11:00:00Z", 2));
        // One of them has followed the other link before.
        keeper.take(second.person("2025-10-25T09:00:00Z", 1).person("2025-10-24T23:59:59.999Z", 3));
        let both = stats(keeper);
        assert_eq!(both["total"], json!({"clicks": 3, "uniques": 2, "robots": 0}));
        assert_eq!(both["series"], json!([{"start": "2025-10-25T00:00:00.000Z", "clicks": 3, "uniques": 2}]));
        assert_eq!(both["groups"], json!([{"value": null, "clicks": 3, "uniques": 2}]));
        assert_eq!(keeper.admin().delete(&one).status, 204);
        assert_eq!(stats(keeper)["total"], json!({"clicks": 1, "uniques": 1, "robots": 0}));
    });
}

#[test]
fn who_has_no_key_sees_nothing() {
    let site = Site::shared();
    assert_problem(&site.visitor().get("/api/v1/stats"), 401, "key-needed");
    assert_problem(&site.visitor().get(DAY), 401, "key-needed");
    assert_problem(&site.admin().ask("DELETE", "/api/v1/stats"), 405, "method-not-allowed");
}

#[test]
fn what_is_asked_wrongly_is_named() {
    let site = Site::shared();
    for (query, pointer) in [("interval=x", "#/interval"), ("code=abc", "#/code"), ("domain=other.example", "#/domain")]
    {
        assert_bad_field(&site.admin().ask("GET", &format!("/api/v1/stats?{query}")), pointer);
    }
}
