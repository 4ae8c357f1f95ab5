//! `hny key`.

use hny_testkit::Program;
use serde_json::Value;

use super::{assert_failed, said, talk};
use crate::document::{assert_time, names};
use crate::site::program;

/// What is shown of a key.
const VIEW: [&str; 9] =
    ["createdAt", "domain", "expiresAt", "id", "lastUsedAt", "name", "ownLinks", "revokedAt", "role"];

fn create(program: &Program, name: &str) -> std::process::Output {
    let made = program.run(["key", "create", "--name", name, "--role", "admin"]);
    assert!(made.status.success(), "{made:?}");
    made
}

fn list(program: &Program) -> Vec<Value> {
    let listed = program.run(["key", "list", "--json"]);
    let document: Value = serde_json::from_str(said(&listed)).unwrap();
    assert_eq!(names(&document), ["items"]);
    document["items"].as_array().unwrap().clone()
}

#[test]
fn the_key_is_the_only_word_that_starts_with_hny() {
    let made = create(&program(), "hny-ci");
    let everything = format!("{} {}", said(&made), talk(&made));
    let keys: Vec<_> = everything.split_whitespace().filter(|word| word.starts_with("hny_")).collect();
    assert_eq!(keys, [said(&made)]);
    assert!(keys[0].starts_with("hny_1_") && keys[0].len() > 40, "{keys:?}");
}

#[test]
fn json_shows_the_key_once_and_its_view() {
    let program = program();
    let made = program.run(["key", "create", "--name", "ci ✓", "--role", "admin", "--json"]);
    let document: Value = serde_json::from_str(said(&made)).unwrap();
    let mut expected = [&["key"], &VIEW[..]].concat();
    expected.sort_unstable();
    assert_eq!(names(&document), expected);
    assert_eq!((&document["id"], &document["name"]), (&"1".into(), &"ci ✓".into()));
    assert_eq!((&document["role"], &document["revokedAt"]), (&"admin".into(), &Value::Null));
    assert_time(&document, "createdAt");
    assert!(document["key"].as_str().unwrap().starts_with("hny_1_"));
}

#[test]
fn a_list_shows_every_key_and_no_secret() {
    let program = program();
    assert!(program.run(["migrate"]).status.success());
    assert_eq!(list(&program), [Value::Null; 0]);
    let keys: Vec<_> = ["first", "second"].map(|name| said(&create(&program, name)).to_owned()).into();
    assert_ne!(keys[0], keys[1]);
    let items = list(&program);
    assert!(items.iter().all(|item| names(item) == VIEW), "{items:?}");
    let shown: Vec<_> =
        items.iter().map(|item| (item["id"].as_str().unwrap(), item["name"].as_str().unwrap())).collect();
    assert_eq!(shown, [("1", "first"), ("2", "second")]);
    let listed = program.run(["key", "list"]);
    let secret = |key: &str| key.rsplit('_').next().unwrap().to_owned();
    assert!(keys.iter().all(|key| !said(&listed).contains(&secret(key))), "{listed:?}");
    assert!(said(&listed).lines().count() == 3 && talk(&listed).is_empty(), "{listed:?}");
}

#[test]
fn a_key_is_given_less_than_its_role() {
    let program = program().env("HNY_BASE_URL", "https://sho.example");
    let line = ["key", "create", "--name", "n", "--role", "reader", "--own-links", "--domain", "SHO.example"];
    let made = program.run([&line[..], &["--expires", "2099-01-01T00:00:00Z", "--json"]].concat());
    assert!(made.status.success(), "{made:?}");
    let document: Value = serde_json::from_str(said(&made)).unwrap();
    assert_eq!((&document["role"], &document["ownLinks"]), (&"reader".into(), &true.into()));
    assert_eq!(
        (&document["domain"], &document["expiresAt"]),
        (&"sho.example".into(), &"2099-01-01T00:00:00.000Z".into())
    );
}

#[test]
fn the_table_says_of_each_key_what_it_reaches_and_whether_it_works() {
    let program = program().env("HNY_BASE_URL", "https://sho.example");
    create(&program, "first");
    let second = ["key", "create", "--name", "second key", "--role", "editor", "--domain", "sho.example"];
    assert!(program.run([&second[..], &["--expires", "2099-01-01T00:00:00Z"]].concat()).status.success());
    assert!(program.run(["key", "create", "--name", "third", "--role", "creator"]).status.success());
    assert!(program.run(["key", "revoke", "3"]).status.success());
    let listed = program.run(["key", "list"]);
    let lines: Vec<Vec<&str>> = said(&listed).lines().map(|line| line.split("  ").map(str::trim).collect()).collect();
    let lines: Vec<Vec<&str>> =
        lines.into_iter().map(|line| line.into_iter().filter(|word| !word.is_empty()).collect()).collect();
    assert_eq!(lines[0], ["id", "role", "links", "made", "used about", "state", "name"]);
    let without_times = |line: &[&str]| -> Vec<String> {
        let words = line.iter().enumerate().filter(|(place, _)| *place != 3);
        words.map(|(_, word)| word.split(" 20").next().unwrap().to_owned()).collect()
    };
    assert_eq!(without_times(&lines[1]), ["1", "admin", "all", "never", "works", "first"]);
    assert_eq!(without_times(&lines[2]), ["2", "editor", "all on sho.example", "never", "until", "second key"]);
    assert_eq!(without_times(&lines[3]), ["3", "creator", "own", "never", "revoked", "third"]);
}

#[test]
fn a_revoked_key_stays_in_the_list_with_its_end() {
    let program = program();
    create(&program, "first");
    let revoked = program.run(["key", "revoke", "1", "--json"]);
    assert_eq!((revoked.status.code(), said(&revoked)), (Some(0), r#"{"id":"1"}"#));
    assert_time(&list(&program)[0], "revokedAt");
    create(&program, "second");
    assert_eq!(list(&program)[1]["id"], "2", "a number is not given twice");
}

#[test]
fn what_cannot_be_done_says_so() {
    let program = program();
    assert_failed(&program.run(["key", "revoke", "7"]), 1);
    assert_failed(&program.run(["key", "revoke", "first"]), 2);
    assert_failed(&program.run(["key", "create", "--name", "x", "--role", "king"]), 2);
    assert_failed(&program.run(["key", "create", "--name", "x"]), 2);
    assert_failed(&program.run(["key", "create", "--role", "admin"]), 2);
    for name in ["", " ", "a\nb", "\u{1b}[31m", &"n".repeat(101)] {
        assert_failed(&program.run(["key", "create", "--name", name, "--role", "admin"]), 2);
    }
    for more in [
        ["--own-links", "--json"],
        ["--domain", "other.example"],
        ["--expires", "2020-01-01T00:00:00Z"],
        ["--expires", "soon"],
    ] {
        assert_failed(&program.run([&["key", "create", "--name", "x", "--role", "admin"][..], &more].concat()), 2);
    }
    assert_eq!(list(&program), [Value::Null; 0]);
}
