//! Schemathesis makes requests by the document, good ones and bad ones, and finds no answer that the document does not tell.

use hny_testkit::schemathesis;
use serde_json::json;

use crate::site::{Site, program};

/// Some of the codes that it asks for are those of links, or it would hear of nothing but 404.
const HOOKS: &str = include_str!("hooks.py");

/// What is too large is refused, too.
const SETTINGS: &str = "[checks.negative_data_rejection]\nexpected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, \"5xx\"]\n";

/// The same requests each time, so many for each call.
const ARGUMENTS: [&str; 7] = [
    "--checks=all",
    "--phases=examples,coverage,fuzzing",
    "--seed=7",
    "--generation-deterministic",
    "--max-examples=25",
    "--workers=2",
    "--no-color",
];

#[test]
fn schemathesis_finds_nothing() {
    let site = Site::start(&program());
    let mut admin = site.admin();
    let codes: Vec<_> = (0..4)
        .map(|_| admin.link(&json!({"originalUrl": "https://example.com/", "password": "nectar"}))[1..].to_owned())
        .collect();
    let keys: Vec<_> = (0..4)
        .map(|_| admin.send("POST", "/api/v1/keys", &json!({"name": "x", "role": "reader"})).json()["id"].clone())
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let hooks = HOOKS.replace("CODES = []", &format!("CODES = {}", json!(codes)));
    let hooks = hooks.replace("KEYS = []", &format!("KEYS = {}", json!(keys)));
    std::fs::write(folder.path().join("hooks.py"), hooks).expect("the hooks are written");
    std::fs::write(folder.path().join("schemathesis.toml"), SETTINGS).expect("the settings are written");
    let header = format!("--header=X-Api-Key: {}", site.key());
    let arguments: Vec<_> = ARGUMENTS.into_iter().chain([&*header]).collect();
    let found = schemathesis(&format!("{}/api/v1/openapi.json", site.base()), folder.path(), &arguments);
    let said = format!("{}{}", String::from_utf8_lossy(&found.stdout), String::from_utf8_lossy(&found.stderr));
    assert!(found.status.success(), "{said}");
    let count =
        |word: &str| said.split_once(word).and_then(|(front, _)| front.split_whitespace().next_back()?.parse().ok());
    let (made, kept): (Option<u32>, Option<u32>) = (count(" generated,"), count(" passed, "));
    assert!(made > Some(1000) && made == kept, "{said}");
}
