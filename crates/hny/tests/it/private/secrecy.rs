//! No door but the password leads to the target of a locked link (B62, B64).

use serde_json::json;

use super::{PASSWORD, assert_hides, locked_with};
use crate::caller::Caller;
use crate::document::assert_problem;
use crate::site::{Site, program};

#[test]
fn nobody_else_is_told_by_any_door() {
    let program = program().env("HNY_METRICS_LISTEN", "127.0.0.1:0");
    let site = Site::start(&program);
    let over = "https://hideout.example/over";
    let fields =
        json!({"title": "hideout", "note": "attic", "tags": ["hideout"], "expiredUrl": over, "customCode": "mine"});
    let path = locked_with(&mut site.admin(), &fields);
    let mut visitor = site.visitor();
    for (method, target) in [
        ("GET", path.clone()),
        ("HEAD", path.clone()),
        ("GET", format!("{path}+")),
        ("HEAD", format!("{path}+")),
        ("GET", format!("{path}?hny_token=0")),
        ("GET", format!("{path}/attic")),
        ("GET", format!("{path}.qr")),
        ("OPTIONS", path.clone()),
        ("GET", format!("/api/v1/links{path}")),
        ("GET", format!("/api/v1/links{path}/stats")),
        ("GET", format!("/api/v1/links{path}/clicks")),
        ("GET", "/api/v1/links".to_owned()),
        ("GET", "/api/v1/stats".to_owned()),
        ("GET", "/api/v1/reports".to_owned()),
        ("DELETE", format!("/api/v1/links{path}")),
    ] {
        for agent in ["Mozilla/5.0", "facebookexternalhit/1.1", "Googlebot/2.1"] {
            for accept in ["text/html", "*/*"] {
                let headers = [("User-Agent", agent), ("Accept", accept)];
                assert_hides(&visitor.request(method, &target, &headers, b""));
            }
        }
    }
    let made = program.run(["key", "create", "--name", "other", "--role", "creator"]);
    let mut other = Caller::new(site.visitor(), String::from_utf8(made.stdout).unwrap().trim_end());
    for (method, end) in [("GET", ""), ("GET", "/stats"), ("GET", "/clicks"), ("DELETE", "")] {
        let answer = other.ask(method, &format!("/api/v1/links{path}{end}"));
        assert_problem(&answer, 404, "link-not-found");
        assert_hides(&answer);
    }
    for refused in [
        other.edit(&path, &json!({"password": null})),
        other.edit(&path, &json!({"password": "mine now"})),
        other.shorten(&json!({"originalUrl": "https://example.com/", "customCode": "mine"})),
    ] {
        assert!([404, 409].contains(&refused.status), "{}", refused.text());
        assert_hides(&refused);
    }
    let metrics = hny_testkit::Client::connect(site.hny().metrics_address()).get("/metrics");
    assert_hides(&metrics);
}

#[test]
fn the_password_is_never_shown_not_even_to_its_owner() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = locked_with(&mut admin, &json!({}));
    for answer in [
        admin.read(&path),
        admin.edit(&path, &json!({"password": PASSWORD})),
        admin.edit(&path, &json!({"password": PASSWORD, "maxClicks": "x"})),
        admin.shorten(&json!({"originalUrl": 7, "password": PASSWORD})),
    ] {
        let text = answer.text();
        assert!(!text.contains("ffne dich") && !text.contains("argon2"), "{text}");
    }
    assert_eq!(admin.read(&path).json()["hasPassword"], true);
    assert_eq!(admin.read(&path).json()["password"], json!(null));
}
