//! Schemathesis makes requests by the document, good ones and bad ones, and finds no answer that the document does not tell. It does so
//! as everyone who may call: what may be answered is another thing for each.

use hny_testkit::schemathesis;
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::site::{Site, program};

/// What the document cannot say: which things there are, and how fields hang together.
const HOOKS: &str = include_str!("hooks.py");

/// A bad request is refused by one of these. (That no answer at all is a 5xx is another of its checks.)
const SETTINGS: &str = "[checks.negative_data_rejection]\nexpected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429]\n";

/// The same requests each time.
const ARGUMENTS: [&str; 5] = ["--checks=all", "--seed=7", "--generation-deterministic", "--workers=2", "--no-color"];

/// All there is to find, so many requests for each call beside those that try the limits of every field.
const THOROUGH: [&str; 2] = ["--phases=examples,coverage,fuzzing", "--max-examples=25"];

/// What is found by chance.
const SHORT: [&str; 2] = ["--phases=examples,fuzzing", "--max-examples=10"];

#[test]
fn schemathesis_finds_nothing_as_an_admin() {
    let site = Site::start(&program());
    assert_nothing_is_found(&site, Some(site.key()), THOROUGH, 1_000);
}

#[test]
fn schemathesis_finds_nothing_as_somebody_with_links_of_their_own() {
    let site = Site::start(&program());
    let made = site.admin().send("POST", "/api/v1/keys", &json!({"name": "creator", "role": "creator"})).json();
    assert_nothing_is_found(&site, made["key"].as_str(), SHORT, 150);
}

#[test]
fn schemathesis_finds_nothing_without_a_key() {
    let site = Site::start(&program());
    assert_nothing_is_found(&site, None, SHORT, 150);
}

/// Runs it as the holder of a key, who must get this many requests answered and each of them well.
fn assert_nothing_is_found(site: &Site, key: Option<&str>, how: [&str; 2], least: u32) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("hooks.py"), hooks(site, key)).expect("the hooks are written");
    std::fs::write(folder.path().join("schemathesis.toml"), SETTINGS).expect("the settings are written");
    let header = key.map(|key| format!("--header=X-Api-Key: {key}"));
    let arguments: Vec<_> = ARGUMENTS.into_iter().chain(how).chain(header.as_deref()).collect();
    let found = schemathesis(&format!("{}/api/v1/openapi.json", site.base()), folder.path(), &arguments);
    let said = format!("{}{}", String::from_utf8_lossy(&found.stdout), String::from_utf8_lossy(&found.stderr));
    assert!(found.status.success(), "{said}");
    let (_, cases) = said.split_once("Test cases:").unwrap_or_else(|| panic!("{said}"));
    let count =
        |word: &str| cases.split_once(word).and_then(|(front, _)| front.split_whitespace().next_back()?.parse().ok());
    let (made, kept): (Option<u32>, Option<u32>) = (count(" generated,"), count(" passed"));
    assert!(made > Some(least) && made == kept, "{said}");
}

/// The hooks, told what there is for the holder of a key.
fn hooks(site: &Site, key: Option<&str>) -> String {
    let mut admin = site.admin();
    let mut owner = key.map_or_else(|| site.admin(), |key| Caller::new(site.visitor(), key));
    let link = json!({"originalUrl": "https://example.com/", "password": "nectar"});
    let codes: Vec<_> = (0..4).map(|_| owner.link(&link)[1..].to_owned()).collect();
    let new = json!({"name": "x", "role": "reader"});
    let keys: Vec<_> = (0..4).map(|_| admin.send("POST", "/api/v1/keys", &new).json()["id"].clone()).collect();
    let cursor = owner.ask("GET", "/api/v1/links?limit=1").json()["next"].clone();
    let told: [(&str, Value); 5] = [
        ("CODES = []", json!(codes)),
        ("KEYS = []", json!(keys)),
        ("CURSOR = \"\"", cursor),
        ("BASE = \"\"", json!(site.base())),
        ("IS_ADMIN = 1", json!(i32::from(key == Some(site.key())))),
    ];
    told.into_iter().fold(HOOKS.to_owned(), |hooks, (line, value)| {
        let (name, _) = line.split_once(" = ").expect("a name and a value");
        assert!(hooks.contains(line), "{line}");
        hooks.replace(line, &format!("{name} = {value}"))
    })
}
