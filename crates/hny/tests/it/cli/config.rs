//! `hny config`, and settings that are wrong.

use hny_testkit::Program;
use serde_json::Value;

use super::{assert_failed, said, talk};
use crate::document::names;
use crate::site::program;

fn file(program: &Program, text: &str) {
    std::fs::write(program.folder().join("hny.toml"), text).unwrap();
}

/// What `config show --json` says of one setting.
fn shown(program: &Program, flags: &[&str], key: &str) -> Value {
    let output = program.run([&["config", "show", "--json"], flags].concat());
    let document: Value = serde_json::from_str(said(&output)).unwrap();
    assert_eq!(names(&document), ["settings"]);
    let setting = document["settings"].as_array().unwrap().iter().find(|setting| setting["key"] == key);
    let setting = setting.unwrap_or_else(|| panic!("{key} is not shown")).clone();
    assert_eq!(names(&setting), ["key", "name", "origin", "value"]);
    setting
}

#[test]
fn a_flag_beats_the_environment_and_that_beats_the_file() {
    let program = program();
    let of = |program: &Program, flags: &[&str]| {
        let setting = shown(program, flags, "code_length");
        let text = |field: &str| setting[field].as_str().unwrap_or("-").to_owned();
        (text("value"), text("origin"), text("name"))
    };
    let expected = |value: &str, origin: &str, name: &str| (value.to_owned(), origin.to_owned(), name.to_owned());
    assert_eq!(of(&program, &[]), expected("7", "default", "-"));
    file(&program, "code_length = 8\n");
    assert_eq!(of(&program, &[]), expected("8", "file", "hny.toml:code_length"));
    let program = program.env("HNY_CODE_LENGTH", "9");
    assert_eq!(of(&program, &[]), expected("9", "environment", "HNY_CODE_LENGTH"));
    assert_eq!(of(&program, &["--code-length", "10"]), expected("10", "flag", "--code-length"));
    let made =
        program.run(["shorten", "https://example.com", "--base-url", "https://x.example", "--code-length", "11"]);
    assert_eq!(said(&made).len(), "https://x.example/".len() + 11);
}

#[test]
fn an_unknown_variable_stops_every_command_with_its_name() {
    let program = program().env("HNY_LISTNE", "127.0.0.1:0");
    for words in [vec!["serve"], vec!["shorten", "https://example.com"], vec!["key", "list"], vec!["migrate"]] {
        let stopped = program.run(words);
        assert_failed(&stopped, 2);
        assert!(talk(&stopped).contains("HNY_LISTNE") && talk(&stopped).contains("HNY_LISTEN?"), "{stopped:?}");
    }
    assert!(!program.database().exists());
}

#[test]
fn all_problems_are_said_at_once() {
    let program = program().env("HNY_FORWARD_QUERY", "yes").env("HNY_CREATE", "maybe").env("HNY_FOO", "1");
    file(&program, "redirect_status = 303\nno_such_key = 1\n");
    let stopped = program.clone().arg("--threads").arg("0").try_start().map(|_| ()).unwrap_err();
    assert_failed(&stopped, 2);
    let names = ["HNY_FORWARD_QUERY", "HNY_CREATE", "HNY_FOO", "redirect_status", "no_such_key", "--threads"];
    assert!(names.iter().all(|name| talk(&stopped).contains(name)), "{stopped:?}");
    let checked = program.run(["config", "check", "--json"]);
    let document: Value = serde_json::from_str(said(&checked)).unwrap();
    assert_eq!((checked.status.code(), names_of(&document).len()), (Some(2), 5), "{document}");
    assert_eq!(document["ok"], false);
}

fn names_of(check: &Value) -> Vec<String> {
    check["problems"].as_array().unwrap().iter().map(|problem| problem["name"].to_string()).collect()
}

#[test]
fn good_settings_are_fine() {
    let checked = program().run(["config", "check"]);
    assert!(checked.status.success() && !said(&checked).is_empty(), "{checked:?}");
    let checked = program().run(["config", "check", "--json"]);
    assert_eq!(said(&checked), r#"{"ok":true,"problems":[]}"#);
}

#[test]
fn b80_only_true_and_false_are_booleans_and_empty_is_unset() {
    for (value, code) in [
        ("true", 0),
        ("false", 0),
        ("", 0),
        ("0", 2),
        ("1", 2),
        ("TRUE", 2),
        ("no", 2),
        ("off", 2),
        ("maybe", 2),
        ("null", 2),
        (" true", 2),
        ("true\n", 2),
    ] {
        let checked = program().env("HNY_FORWARD_QUERY", value).run(["config", "check"]);
        assert_eq!(checked.status.code(), Some(code), "{value:?} {checked:?}");
        assert_eq!(talk(&checked).contains("HNY_FORWARD_QUERY"), code == 2, "{checked:?}");
    }
}

#[test]
fn a_secret_is_never_shown() {
    for (name, value) in [("HNY_CODE_KEY", "S3CRET-#$'\"0123"), ("HNY_REDIS_URL", "redis://:S3CRET@cache/no")] {
        for words in [["config", "show"], ["config", "check"], ["key", "list"]] {
            let output = program().env(name, value).run(words);
            let everything = format!("{}{}", said(&output), talk(&output));
            assert!(!everything.contains("S3CRET"), "{everything}");
            assert!(everything.contains("HNY_"), "it is named: {everything}");
        }
    }
}

#[test]
fn a_file_that_was_named_must_be_there() {
    let program = program();
    let stopped = program.run(["--config", "nowhere.toml", "migrate"]);
    assert_failed(&stopped, 2);
    assert!(talk(&stopped).contains("nowhere.toml"), "{stopped:?}");
    let stopped = program.env("HNY_CONFIG", "nowhere.toml").run(["migrate"]);
    assert_failed(&stopped, 2);
    assert!(talk(&stopped).contains("HNY_CONFIG") && talk(&stopped).contains("nowhere.toml"), "{stopped:?}");
}

#[test]
fn a_broken_file_is_named() {
    let program = program();
    file(&program, "listen = \n");
    let stopped = program.run(["migrate"]);
    assert_failed(&stopped, 2);
    assert!(talk(&stopped).contains("hny.toml"), "{stopped:?}");
}

#[test]
fn the_example_is_a_file_that_changes_nothing() {
    let program = program();
    let example = program.run(["config", "example"]);
    assert!(example.status.success() && said(&example).contains("#listen = \"127.0.0.1:8080\""));
    let before = program.run(["config", "show", "--json"]);
    file(&program, said(&example));
    let after = program.run(["config", "show", "--json"]);
    assert_eq!(said(&before), said(&after));
}
