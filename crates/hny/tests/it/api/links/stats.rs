//! `GET /api/v1/links/{code}/stats`.

use std::sync::Arc;

use hny_domain::{Traits, VisitKind};
use serde_json::{Value, json};

use super::TARGET;
use crate::document::{assert_bad_field, assert_fields, assert_json, assert_problem, assert_time, names};
use crate::keeper::{Keeper, referred};
use crate::site::Site;

/// The statistics of a link, which must be answered.
fn stats(keeper: &Keeper, path: &str, query: &str) -> Value {
    let answer = keeper.admin().ask("GET", &format!("/api/v1/links{path}/stats?{query}"));
    assert_eq!(answer.status, 200, "{query} {}", answer.text());
    assert_json(&answer);
    let stats = answer.json();
    let sum =
        |name: &str| stats["series"].as_array().unwrap().iter().map(|part| part[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!(
        [sum("clicks"), sum("uniques")],
        ["clicks", "uniques"].map(|name| stats["total"][name].as_u64().unwrap())
    );
    stats
}

/// The series in short: `10-25T22:00 3/1` are three clicks with one unique from then on.
fn series(stats: &Value) -> Vec<String> {
    let short =
        |part: &Value| format!("{} {}/{}", &part["start"].as_str().unwrap()[5..16], part["clicks"], part["uniques"]);
    stats["series"].as_array().unwrap().iter().map(short).collect()
}

#[test]
fn nothing_said_is_the_last_thirty_days() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    let answer = admin.ask("GET", &format!("/api/v1/links{path}/stats"));
    assert_eq!(answer.status, 200);
    assert_json(&answer);
    let stats = answer.json();
    assert_eq!(names(&stats), ["groups", "series", "total"]);
    assert_eq!(stats["total"], json!({"clicks": 0, "uniques": 0, "robots": 0}));
    assert_eq!(stats["groups"], json!([]));
    let series = stats["series"].as_array().unwrap();
    // Thirty days, and today (or tomorrow, if it begins between two steps of this test).
    assert!((30..=31).contains(&series.len()), "{stats}");
    for part in series {
        assert_eq!(names(part), ["clicks", "start", "uniques"]);
        assert_time(part, "start");
        assert!(part["start"].as_str().unwrap().ends_with("T00:00:00.000Z"), "{part}");
    }
}

#[test]
fn days_are_cut_where_the_time_zone_cuts_them() {
    Keeper::on_both(|keeper| {
        let (path, clicks) = keeper.link();
        // 2025-10-26 has 25 hours in Berlin: from 22:00 to 23:00 of the next day in UTC.
        keeper.take(
            clicks
                .person("2025-10-25T21:59:59.999Z", 1)
                .person("2025-10-25T22:00:00Z", 1)
                .person("2025-10-26T22:59:59.999Z", 2)
                .person("2025-10-26T23:00:00Z", 2)
                .person("2025-10-26T23:10:00Z", 3)
                .other("2025-10-26T12:00:00Z", VisitKind::Robot)
                .other("2025-10-26T12:00:00Z", VisitKind::Prefetch),
        );
        let days = "from=2025-10-25&to=2025-10-28&tz=Europe/Berlin";
        let berlin = stats(keeper, &path, days);
        assert_eq!(series(&berlin), ["10-24T22:00 1/1", "10-25T22:00 2/1", "10-26T23:00 2/1"]);
        assert_eq!(berlin["total"], json!({"clicks": 5, "uniques": 3, "robots": 1}));
        let utc = stats(keeper, &path, "from=2025-10-25&to=2025-10-28");
        assert_eq!(series(&utc), ["10-25T00:00 2/1", "10-26T00:00 3/2", "10-27T00:00 0/0"]);
        let hours = stats(keeper, &path, "from=2025-10-26&to=2025-10-27&tz=Europe/Berlin&interval=hour");
        assert_eq!(hours["series"].as_array().unwrap().len(), 25);
        let kathmandu = stats(keeper, &path, "from=2025-10-26&to=2025-10-27&tz=Asia/Kathmandu&interval=month");
        assert_eq!(series(&kathmandu), ["10-25T18:15 2/1"]);
        let weeks = stats(keeper, &path, "from=2025-10-20&to=2025-11-03&interval=week&tz=Europe/Berlin");
        assert_eq!(series(&weeks), ["10-19T22:00 3/2", "10-26T23:00 2/1"]);
        // To the quarters around it.
        let quarter = stats(keeper, &path, "from=2025-10-25T22:14:00Z&to=2025-10-25T22:14:59%2B00:00");
        assert_eq!(series(&quarter), ["10-25T22:00 1/0"]);
    });
}

#[test]
fn clicks_are_grouped_by_what_they_say() {
    Keeper::on_both(|keeper| {
        let (path, clicks) = keeper.link();
        let text = |text: &str| Some(Arc::from(text));
        let known = Traits {
            country: text("KR"),
            referrer: text("=news.example"),
            browser: text("Firefox"),
            os: text("Linux"),
            device: text("desktop"),
            language: text("ko"),
        };
        keeper.take(
            clicks
                .known("2025-10-25T10:00:00Z", 1, known.clone())
                .known("2025-10-25T11:00:00Z", 1, known)
                .known("2025-10-25T12:00:00Z", 2, referred("a.example"))
                .person("2025-10-25T13:00:00Z", 3)
                .person("2025-10-25T14:00:00Z", 3)
                .person("2025-10-25T15:00:00Z", 3)
                .other("2025-10-25T12:00:00Z", VisitKind::Robot)
                .other("2025-10-25T12:00:00Z", VisitKind::Probe),
        );
        let groups =
            |by: &str| stats(keeper, &path, &format!("from=2025-10-25&to=2025-10-26&groupBy={by}"))["groups"].clone();
        let group =
            |value: Option<&str>, clicks, uniques| json!({"value": value, "clicks": clicks, "uniques": uniques});
        for (by, value) in
            [("country", "KR"), ("browser", "Firefox"), ("os", "Linux"), ("device", "desktop"), ("language", "ko")]
        {
            assert_eq!(groups(by), json!([group(None, 4, 2), group(Some(value), 2, 1)]), "{by}");
        }
        let referrers = [group(None, 3, 1), group(Some("=news.example"), 2, 1), group(Some("a.example"), 1, 1)];
        assert_eq!(groups("referrer"), json!(referrers));
        let kinds = [group(Some("person"), 6, 3), group(Some("probe"), 1, 0), group(Some("robot"), 1, 0)];
        assert_eq!(groups("kind"), json!(kinds));
    });
}

#[test]
fn what_is_asked_wrongly_is_named() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    let mut ask = |query: &str| admin.ask("GET", &format!("/api/v1/links{path}/stats?{query}"));
    for (query, pointer) in [
        ("from=yesterday", "#/from"),
        ("from=2025-10-26T12:00:00", "#/from"),
        ("from=", "#/from"),
        ("from=2025-02-30", "#/from"),
        ("from=2025-10-26&to=2025-10-26", "#/from"),
        ("to=2025-10-26T12:00:00%2B99:00", "#/to"),
        ("to=9999-12-31", "#/to"),
        ("interval=year", "#/interval"),
        ("interval=hour&from=2020-01-01&to=2025-01-01", "#/interval"),
        ("tz=Berlin", "#/tz"),
        ("tz=%2B02:00", "#/tz"),
        ("tz=..%2F..%2Fetc%2Fpasswd", "#/tz"),
        ("groupBy=city", "#/groupBy"),
        ("group_by=os", "#/group_by"),
        ("limit=5", "#/limit"),
        ("tz=UTC&tz=UTC", "#/tz"),
        ("domain=other.example", "#/domain"),
    ] {
        assert_bad_field(&ask(query), pointer);
    }
    assert_fields(&ask("tz=x&interval=y&from=z"), 400, "invalid-field", &["#/interval", "#/tz", "#/from"]);
    assert_fields(&ask("a=1&tz=UTC&b=2&tz=UTC"), 400, "invalid-field", &["#/a", "#/b", "#/tz"]);
    let own = site.base().replace("http://", "");
    assert_eq!(ask(&format!("domain={own}")).status, 200);
}

#[test]
fn only_who_may_see_a_link_sees_how_often_it_was_followed() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    let target = format!("/api/v1/links{path}/stats");
    assert_problem(&site.visitor().get(&target), 401, "key-needed");
    assert_problem(&site.visitor().request("GET", &target, &[("X-Api-Key", "hny_x")], b""), 401, "key-needed");
    assert_eq!(admin.ask("GET", &target).status, 200);
    assert_problem(&admin.ask("POST", &target), 405, "method-not-allowed");
    assert_eq!(admin.delete(&path).status, 204);
    assert_problem(&admin.ask("GET", &target), 404, "link-not-found");
    for code in ["no-such-link", "no.code", "%2F", &"x".repeat(65)] {
        assert_problem(&admin.ask("GET", &format!("/api/v1/links/{code}/stats")), 404, "link-not-found");
    }
}
