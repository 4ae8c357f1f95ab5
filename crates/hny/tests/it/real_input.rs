//! The web platform's own test data for URLs, as the `url` crate ships it.

use std::path::PathBuf;
use std::process::Command;

use hny_testkit::Client;
use serde_json::{Value, json};

use crate::caller::{Caller, text};
use crate::document::assert_bad_field;
use crate::site::Site;

/// The folder of the `url` crate that this program is built with.
fn package_folder() -> PathBuf {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    // Only what this machine builds has been downloaded.
    let words = ["metadata", "--offline", "--locked", "--format-version", "1", "--filter-platform", "host-tuple"];
    let output = Command::new(env!("CARGO")).args(words).args(["--manifest-path", manifest]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let url = packages.iter().find(|package| package["name"] == "url").expect("we depend on url");
    PathBuf::from(text(url, "manifest_path")).parent().unwrap().to_owned()
}

/// Every case of http or https without a base: its input, and its serialisation or `None` where it is no target.
fn cases() -> Vec<(String, Option<String>)> {
    let file = std::fs::read_to_string(package_folder().join("tests/urltestdata.json")).unwrap();
    // A lone surrogate, which no JSON text in UTF-8 can hold, would make this fail: there is none in the file.
    let cases: Vec<Value> = serde_json::from_str(&file).unwrap();
    // Comments are strings.
    let cases = cases.into_iter().filter(|case| case.is_object() && case["base"].is_null());
    cases.filter(is_http).map(|case| (text(&case, "input"), target(&case))).collect()
}

fn is_http(case: &Value) -> bool {
    if case["failure"] != true {
        return matches!(case["protocol"].as_str(), Some("http:" | "https:"));
    }
    let input = text(case, "input").trim_matches(|c: char| c <= ' ').to_ascii_lowercase();
    input.starts_with("http:") || input.starts_with("https:")
}

/// What Location must be; `None` for what is no URL, or has a user name or password.
fn target(case: &Value) -> Option<String> {
    let is_target = case["failure"] != true && case["username"] == "" && case["password"] == "";
    is_target.then(|| text(case, "href"))
}

fn assert_goes_in_and_comes_out(admin: &mut Caller, visitor: &mut Client, input: &str, href: &str) {
    let made = admin.shorten(&json!({"originalUrl": input}));
    assert_eq!(made.status, 201, "{input:?} {}", made.text());
    assert_eq!(made.json()["originalUrl"], href, "{input:?}");
    let visit = visitor.get(&format!("/{}", text(&made.json(), "shortCode")));
    assert_eq!((visit.status, visit.headers("location")), (302, vec![href]), "{input:?}");
}

#[test]
fn every_url_of_the_web_platform_comes_out_as_its_serialisation_or_is_refused() {
    let site = Site::shared();
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let (mut accepted, mut refused) = (0, 0);
    for (input, href) in cases() {
        if let Some(href) = href {
            assert_goes_in_and_comes_out(&mut admin, &mut visitor, &input, &href);
            accepted += 1;
        } else {
            assert_bad_field(&admin.shorten(&json!({"originalUrl": input})), "#/originalUrl");
            refused += 1;
        }
    }
    assert_eq!(accepted, 102);
    // A newer version of the crate may have more of them.
    assert!(refused >= 166, "{refused}");
}
