//! Where SQL is written: in the store, and for ClickHouse in one room of the click road, with its bench.

use crate::rooms::within;
use crate::rust_source::Source;
use crate::tree::{File, files};

const ROOMS: &[&str] = &["crates/hny-store/", "crates/hny-clicks/src/clickhouse/", "crates/hny-clicks/benches/"];

fn faults(files: &[File]) -> Vec<String> {
    let outside = files.iter().filter(|file| !within(&file.path, ROOMS));
    outside.flat_map(faults_of).collect()
}

fn faults_of(file: &File) -> Vec<String> {
    let fault = |line: usize| format!("{}:{line}: SQL belongs into {ROOMS:?}", file.path);
    if file.path.to_lowercase().ends_with(".sql") {
        return vec![fault(1)];
    }
    if !file.is_rust() || file.is_test() {
        return Vec::new();
    }
    let strings = Source::read(&file.text).strings;
    let statements = strings.iter().filter(|(_, text)| is_statement(text));
    statements.map(|(line, _)| fault(*line)).collect()
}

/// Whether a text is a statement of SQL, not a sentence that begins with such a word.
fn is_statement(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["insert" | "replace", "into", ..]
        | ["delete", "from", ..]
        | ["pragma", _, ..]
        | ["begin", "immediate" | "transaction", ..]
        | ["create" | "alter" | "drop", "table" | "index" | "view" | "trigger", ..]
        | ["create", "unique", "index", ..] => true,
        ["select", what, rest @ ..] => rest.contains(&"from") || is_number(what),
        ["update", rest @ ..] => rest.contains(&"set"),
        ["with", rest @ ..] => rest.contains(&"as") && rest.iter().any(|word| word.ends_with("select")),
        _ => false,
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

#[test]
fn sql_stays_in_the_store() {
    crate::assert_none("SQL outside of its rooms", &faults(&files()));
}

#[test]
fn sql_outside_of_its_rooms_is_found() {
    let find = |path: &str, text: &str| faults(&[File::example(path, text)]).len();
    let text = r#"let sql = "SELECT target FROM link";"#;
    assert_eq!(find("crates/hny-resolve/src/read.rs", text), 1);
    assert_eq!(find("crates/hny-store/src/sqlite/link.rs", text), 0);
    assert_eq!(find("crates/hny/tests/it/create.rs", text), 0);
    assert_eq!(find("docs/schema.sql", ""), 1);
    assert_eq!(find("crates/hny-store/migrations/V1__links.sql", ""), 0);
}

#[test]
fn statements_are_told_from_sentences() {
    for sql in [
        "SELECT a FROM b",
        "select 1",
        "insert into link (a) values (?)",
        "PRAGMA data_version",
        "\n  UPDATE link SET a = 1",
        "DELETE FROM a",
        "CREATE UNIQUE INDEX a ON b (c)",
        "WITH a AS (SELECT 1) SELECT * FROM a",
    ] {
        assert!(is_statement(sql), "{sql}");
    }
    for prose in [
        "Select a domain",
        "Select domain",
        "update the link",
        "delete",
        "insert the code",
        "create a link",
        "Create unique codes",
        "with a password as given",
    ] {
        assert!(!is_statement(prose), "{prose}");
    }
}
