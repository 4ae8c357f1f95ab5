//! `hny block`.

use serde_json::Value;

use super::{assert_failed, said, talk};
use crate::document::{assert_time, names};
use crate::site::program;

#[test]
fn rules_are_added_listed_and_removed() {
    let program = program();
    let added = program.run(["block", "add", "EVIL.example", "https://shared.example/a", "evil.example", "--json"]);
    assert!(added.status.success(), "{added:?}");
    let document: Value = serde_json::from_str(said(&added)).unwrap();
    let rules: Vec<_> = document["items"].as_array().unwrap().iter().map(|item| item["rule"].as_str()).collect();
    assert_eq!(rules, [Some("evil.example"), Some("shared.example/a"), Some("evil.example")]);
    assert!(talk(&added).contains("evil.example was blocked before"));
    let listed: Value = serde_json::from_str(said(&program.run(["block", "list", "--json"]))).unwrap();
    assert_eq!(names(&listed["items"][0]), ["addedAt", "addedBy", "rule"]);
    assert_time(&listed["items"][0], "addedAt");
    assert_eq!((listed["items"].as_array().unwrap().len(), &listed["items"][0]["addedBy"]), (2, &Value::Null));
    assert!(program.run(["block", "remove", "https://SHARED.example/a"]).status.success());
    let listed = program.run(["block", "list"]);
    assert_eq!(said(&listed).split_whitespace().skip(1).collect::<Vec<_>>(), ["operator", "evil.example"]);
    let log = program.run(["block", "log"]);
    let actions: Vec<_> = said(&log).lines().map(|line| line.split_whitespace().nth(2).unwrap()).collect();
    assert_eq!(actions, ["added", "added", "removed"]);
}

#[test]
fn what_cannot_be_done_says_so() {
    let program = program();
    assert_failed(&program.run(["block", "list"]), 1);
    assert!(program.run(["migrate"]).status.success());
    assert_failed(&program.run(["block", "remove", "evil.example"]), 1);
    for rule in ["com", "github.io", "two words", ""] {
        assert_failed(&program.run(["block", "add", rule]), 2);
    }
    assert_failed(&program.run(["block", "add"]), 2);
    assert_eq!(said(&program.run(["block", "list"])), "");
}
