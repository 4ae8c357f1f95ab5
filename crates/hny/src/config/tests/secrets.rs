//! No secret is ever shown.

use super::*;

#[test]
fn a_secret_may_be_in_a_file() {
    let database = |given: &Given| given.config().store.database;
    for text in ["sqlite:a.db", "sqlite:a.db\n", "sqlite:a.db\r\n"] {
        let given = Given::nothing().file("url", text).env_path("HNY_DATABASE_URL_FILE", "url");
        assert_eq!(database(&given), Database::Sqlite("a.db".into()), "{text:?}");
    }
    let given = Given::nothing().file("url", "sqlite:a.db\n\n").env_path("HNY_DATABASE_URL_FILE", "url");
    assert_eq!(database(&given), Database::Sqlite("a.db\n".into()), "only one line end is ours to take");
    let given = given.file("hny.toml", "database_url = \"sqlite:c.db\"").file("url", "sqlite:a.db");
    assert_eq!(database(&given), Database::Sqlite("a.db".into()), "environment beats file");
    assert_eq!(database(&given.flag("database_url", "sqlite:b.db")), Database::Sqlite("b.db".into()));
}

#[test]
fn a_secret_is_given_once() {
    let given = Given::nothing().file("url", "sqlite:a.db").env_path("HNY_DATABASE_URL_FILE", "url");
    let problems = given.env("HNY_DATABASE_URL", "sqlite:b.db").problems();
    assert_eq!(problems, ["HNY_DATABASE_URL_FILE: is set and so is HNY_DATABASE_URL; keep one of them"]);
}

#[test]
fn a_secret_file_that_is_missing_or_empty_is_a_problem() {
    let missing = Given::nothing().env_path("HNY_DATABASE_URL_FILE", "none").problems();
    assert!(missing.len() == 1, "{missing:?}");
    assert!(missing[0].starts_with("HNY_DATABASE_URL_FILE: names a file that cannot be read: "), "{missing:?}");
    let empty = Given::nothing().file("url", "\n").env_path("HNY_DATABASE_URL_FILE", "url").problems();
    assert_eq!(empty, ["HNY_DATABASE_URL_FILE: names a file that is empty"]);
}

#[test]
fn no_secret_is_ever_shown() {
    let secrets = || settings::all().filter(|setting| setting.secrecy != Secrecy::Open);
    assert_eq!(secrets().count(), 7);
    for setting in secrets() {
        let key = setting.names.key;
        for value in [
            "hunter2",
            "postgres://hny:hunter2@db:x/h",
            "postgres://hny:hunter2@db/hny",
            "sqlite://hny:hunter2",
            "12345hunter2",
        ] {
            let twin = setting.twin().unwrap();
            for given in [
                Given::nothing().flag(key, value),
                Given::nothing().env(setting.names.env, value),
                Given::nothing().env(twin.env, value),
                Given::nothing().file("secret", value).env_path(twin.env, "secret"),
                Given::nothing().file("hny.toml", &format!("{key} = \"{value}\"")),
                Given::nothing().file("hny.toml", &format!("{key} = {value}")),
                Given::nothing().file("hny.toml", &format!("{key} = \"{value}")),
                Given::nothing().file("hny.toml", &format!("{key} = [\"{value}\", 1]")),
            ] {
                let problems = given.problems().join("\n");
                let is_good = key == "database_url" && value == "postgres://hny:hunter2@db/hny";
                assert!(!problems.is_empty() || is_good, "{key} {value}");
                let said = format!("{problems}{}", given.shown());
                assert!(!said.contains("hunter2"), "{said}");
            }
        }
    }
}

#[test]
fn a_secret_is_text_and_never_a_number() {
    let problems = Given::nothing().file("hny.toml", "code_key = 1234").problems();
    assert_eq!(problems, ["hny.toml:code_key: must be one text in quotes"]);
}

#[test]
fn a_password_in_the_base_url_is_not_repeated() {
    let problems = Given::nothing().env("HNY_BASE_URL", "https://user:S3CRET@hny.example").problems();
    assert!(problems.len() == 1 && problems[0].starts_with("HNY_BASE_URL: may not have a user"), "{problems:?}");
    assert!(!problems[0].contains("S3CRET"), "{problems:?}");
}
