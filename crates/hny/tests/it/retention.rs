//! What is kept no longer than is said.

use serde_json::json;

use crate::instant::until_some;
use crate::keeper::Keeper;
use crate::site::{Site, program};

#[test]
fn clicks_are_kept_as_long_as_is_said() {
    Keeper::on_both(|keeper| {
        let (path, clicks) = keeper.link();
        keeper.take(clicks.person("1995-01-01T00:00:00Z", 1).person("2025-01-01T00:00:00Z", 1));
        let total = || {
            let stats = format!("/api/v1/links{path}/stats?from=1990-01-01&to=2026-01-01&interval=month");
            keeper.admin().ask("GET", &stats).json()["total"].clone()
        };
        assert_eq!(total()["clicks"], 2);
        // A node looks when it starts, and then now and then.
        let _other = keeper.site.hny().program().start();
        until_some(|| (total() == json!({"clicks": 1, "uniques": 1, "robots": 0})).then_some(()));
    });
}

#[test]
fn an_expired_link_is_deleted_when_it_was_kept_long_enough() {
    let program = program();
    let mut site = Site::start(&program);
    let path = site.admin().link(&json!({"originalUrl": "https://example.com/", "customCode": "over"}));
    let other = site.admin().link(&json!({"originalUrl": "https://example.com/"}));
    site.admin().end(&path);
    assert_eq!(site.visitor().get(&path).status, 410);
    site.stop();
    let site = Site::start(&program.env("HNY_KEEP_EXPIRED", "0d"));
    let mut visitor = site.visitor();
    until_some(|| (visitor.get(&path).status == 404).then_some(()));
    assert_eq!(site.visitor().get(&other).status, 302);
    let again = site.admin().link(&json!({"originalUrl": "https://example.com/new", "customCode": "over"}));
    assert_eq!(again, path, "a chosen code is free again");
}
