//! `hny stats`. What is counted is tested in `clicks.rs`.

use std::process::Output;

use serde_json::{Value, json};

use super::{assert_failed, said, talk};
use crate::keeper::{Keeper, referred};
use crate::site::program;

#[test]
fn the_answer_is_all_that_stdout_has() {
    let program = program().env("HNY_BASE_URL", "https://sho.example/s");
    assert!(program.run(["shorten", "https://example.com/", "--code", "abc"]).status.success());
    for text in ["abc", "https://sho.example/s/abc"] {
        let stats = program.run(["stats", text]);
        assert_eq!((stats.status.code(), talk(&stats)), (Some(0), ""), "{text}");
        assert!(said(&stats).starts_with("0 clicks by 0 visitors, 0 visits by robots\n"), "{stats:?}");
        let json: Value = serde_json::from_str(said(&program.run(["stats", text, "--json"]))).unwrap();
        assert_eq!(json["total"], json!({"clicks": 0, "uniques": 0, "robots": 0}));
    }
}

const DAYS: [&str; 6] = ["--from", "2025-10-25", "--to", "2025-10-28", "--tz", "Europe/Berlin"];

/// Three days of a link, asked for by the command in this locale.
fn three_days(keeper: &Keeper, path: &str, locale: &str, more: &[&str]) -> Output {
    let program = keeper.site.hny().program().clone().env("LC_ALL", locale);
    let words = ["stats", &path[1..]].into_iter().chain(DAYS).chain(more.iter().copied());
    let stats = program.run(words);
    assert!(stats.status.success(), "{stats:?}");
    stats
}

#[test]
fn a_chart_shows_when_and_a_table_from_where() {
    Keeper::on_both(|keeper| {
        let (path, clicks) = keeper.link();
        keeper.take(
            clicks
                .known("2025-10-25T21:59:59.999Z", 1, referred("\u{1b}[2J"))
                .person("2025-10-25T22:00:00Z", 1)
                .person("2025-10-26T22:59:59.999Z", 2),
        );
        let expected = |one: &str, two: &str| {
            format!(
                "3 clicks by 2 visitors, 0 visits by robots\n2025-10-25 00:00 to 2025-10-28 00:00 Europe/Berlin\n\n\
                 2025-10-25  1 {one}\n2025-10-26  2 {two}\n2025-10-27  0\n\n\
                 referrer       clicks    visitors\nunknown             2           1\n\\u{{1b}}[2J           1           1"
            )
        };
        let unicode = three_days(keeper, &path, "C.UTF-8", &["--group-by", "referrer"]);
        assert_eq!(said(&unicode), expected(&"█".repeat(30), &"█".repeat(60)));
        let ascii = three_days(keeper, &path, "C", &["--group-by", "referrer"]);
        assert_eq!(said(&ascii), expected(&"#".repeat(30), &"#".repeat(60)));
        let json: Value =
            serde_json::from_str(said(&three_days(keeper, &path, "C", &["--group-by", "referrer", "--json"]))).unwrap();
        let target =
            format!("/api/v1/links{path}/stats?from=2025-10-25&to=2025-10-28&tz=Europe/Berlin&groupBy=referrer");
        assert_eq!(json, keeper.admin().ask("GET", &target).json());
        let months = three_days(keeper, &path, "C", &["--interval", "month"]);
        assert!(said(&months).contains("\n2025-10  3 ###"), "{months:?}");
    });
}

#[test]
fn what_is_asked_wrongly_is_a_usage_error() {
    let program = program();
    assert!(program.run(["shorten", "https://example.com/", "--code", "abc"]).status.success());
    for (flag, value, why) in [
        ("--from", "yesterday", "from: write a day"),
        ("--to", "2030-02-30", "to: there is no such time"),
        ("--interval", "year", "interval: it is hour, day, week or month"),
        ("--tz", "Berlin", "tz: it is the name of a time zone"),
        ("--group-by", "city", "groupBy: it is one of country"),
    ] {
        let refused = program.run(["stats", "abc", flag, value]);
        assert_failed(&refused, 2);
        assert!(talk(&refused).contains(why), "{refused:?}");
    }
}

#[test]
fn what_is_not_there_is_exit_code_1() {
    let program = program();
    let missing = program.run(["stats", "abc"]);
    assert_failed(&missing, 1);
    assert!(talk(&missing).contains("there is no database at"), "{missing:?}");
    assert!(program.run(["migrate"]).status.success());
    for (text, why) in [("abc", "no link with this code"), ("no.code", "neither a code nor a short URL")] {
        let missing = program.run(["stats", text]);
        assert_failed(&missing, 1);
        assert!(talk(&missing).contains(why), "{missing:?}");
    }
}

#[test]
fn where_clicks_may_go_is_told() {
    // Without a topic: a program with Kafka says so, and one without it that it has none.
    let refused = program().env("HNY_CLICKS_URL", "kafka://me:hunter2@broker").run(["serve"]);
    assert_failed(&refused, 2);
    assert!(talk(&refused).contains("HNY_CLICKS_URL: must be "), "{refused:?}");
    assert!(!talk(&refused).contains("hunter2"), "{refused:?}");
}
