//! `hny stats`. What is counted is tested in `clicks.rs`.

use super::{assert_failed, said, talk};
use crate::site::program;

#[test]
fn the_count_is_all_that_stdout_has() {
    let program = program().env("HNY_BASE_URL", "https://sho.example/s");
    assert!(program.run(["shorten", "https://example.com/", "--code", "abc"]).status.success());
    for text in ["abc", "https://sho.example/s/abc"] {
        let stats = program.run(["stats", text]);
        assert_eq!((stats.status.code(), said(&stats), talk(&stats)), (Some(0), "0 clicks", ""), "{text}");
        assert_eq!(said(&program.run(["stats", text, "--json"])), r#"{"total":{"clicks":0}}"#);
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
    let later = program().env("HNY_CLICKS_URL", "kafka://me:hunter2@broker/clicks").run(["serve"]);
    assert_failed(&later, 2);
    assert!(talk(&later).contains("HNY_CLICKS_URL: Kafka is not part of this version yet"), "{later:?}");
    assert!(!talk(&later).contains("hunter2"), "{later:?}");
}
