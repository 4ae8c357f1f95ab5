//! `hny resolve`.

use serde_json::{Value, json};

use super::{assert_failed, said, talk};
use crate::site::{Site, program};

#[test]
fn the_target_is_all_that_stdout_has() {
    let program = program().env("HNY_BASE_URL", "https://sho.example/s");
    let target = r"https://example.com/a%2Fb?c+d=\e#f";
    assert!(program.run(["shorten", target, "--code", "abc"]).status.success());
    for text in ["abc", "https://sho.example/s/abc", "https://sho.example/s/abc/?x=1#y"] {
        let resolved = program.run(["resolve", text]);
        assert_eq!((resolved.status.code(), said(&resolved), talk(&resolved)), (Some(0), target, ""), "{text}");
    }
}

#[test]
fn json_is_the_link_as_the_api_shows_it() {
    let site = Site::start(&program().env("HNY_BASE_URL", "https://sho.example"));
    let fields =
        json!({"originalUrl": "https://example.com/", "customCode": "abc", "title": "x", "redirectStatus": 308});
    let link = site.admin().create(&fields);
    let resolved = site.hny().program().run(["resolve", "abc", "--json"]);
    assert!(resolved.status.success(), "{resolved:?}");
    assert_eq!(serde_json::from_str::<Value>(said(&resolved)).unwrap(), link);
}

#[test]
fn what_is_not_there_is_exit_code_1() {
    let program = program().env("HNY_BASE_URL", "https://sho.example");
    assert!(program.run(["shorten", "https://example.com", "--code", "abc"]).status.success());
    for text in ["ABC", "abcd", "no.code", "", "https://other.example/abc", "https://sho.example/", "🍞"] {
        let resolved = program.run(["resolve", text]);
        assert_failed(&resolved, 1);
    }
}

#[test]
fn a_link_that_does_not_go_is_shown_with_a_warning() {
    let site = Site::start(&program());
    let path = site.admin().link(&json!({"originalUrl": "https://example.com/", "active": false}));
    let resolved = site.hny().program().run(["resolve", &path[1..]]);
    assert_eq!((resolved.status.code(), said(&resolved)), (Some(1), "https://example.com/"));
    assert!(talk(&resolved).contains("disabled"), "{resolved:?}");
}

#[test]
fn what_only_looks_makes_no_database() {
    let program = program();
    for words in [vec!["resolve", "abc"], vec!["key", "list"], vec!["key", "revoke", "1"]] {
        let missing = program.run(&words);
        assert_failed(&missing, 1);
        assert!(talk(&missing).contains("there is no database at"), "{missing:?}");
        assert_eq!(std::fs::read_dir(program.folder()).unwrap().count(), 0, "{words:?}");
    }
}

#[test]
fn what_is_no_code_of_ours_says_so() {
    let program = program().env("HNY_BASE_URL", "https://sho.example");
    assert!(program.run(["shorten", "https://example.com/", "--code", "abc"]).status.success());
    for text in ["https://other.example/abc", "a.b", ""] {
        let foreign = program.run(["resolve", text]);
        assert_failed(&foreign, 1);
        assert!(talk(&foreign).contains("neither a code nor a short URL"), "{foreign:?}");
    }
}
