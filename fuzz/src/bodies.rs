//! JSON bodies: what is taken is JSON with fields that are known, each once, and what is refused is named.

use std::sync::Arc;

use hny_domain::{BaseUrl, Domains, FieldError, Timestamp};
use hny_wire::read::{ReadError, Shape, read};
use hny_wire::{Bulk, LinkPatch, NewBlock, NewKey, NewLink, NewToken, Problem, ProblemKind};
use serde_json::Value;

use crate::Target;

/// Bytes that may be a body, for every shape there is.
pub const TARGET: Target = Target {
    seeds: &[
        br#"{"originalUrl":"https://example.com/","customCode":"spring","expiresAt":"2099-01-01T00:00:00Z","title":"A \u00e9"}"#,
        br#"{"url":"https://example.com/","redirectStatus":302,"forwardQuery":false,"active":true,"private":true}"#,
        br#"{"title":null,"validFrom":"2030-01-01T00:00:00+01:00","foo":{"x":[1,-2.5e10,"\ud83d\ude00"]}}"#,
        br#"{"originalUrl":"https://a.example","originalUrl":"https://b.example"}"#,
        br#"{"originalUrl":"\ud800"}"#,
        b"[[[[[[[[",
        br#"{"create":[{"url":"https://a.example","tags":["x"]},7,"y"],"delete":["a",null]}"#,
        br#"{"name":"n","role":"editor","ownLinks":true,"domain":"go.example","expiresIn":60,"rule":"evil.example"}"#,
    ],
    words: &[
        "{", "}", "[", "]", ",", ":", "\"", "null", "true", "false", "0", "-1", "1e999", "302", "99999999999999999999", "\\u0000", "\\ud800", "\\\"",
        "\"originalUrl\":", "\"url\":", "\"title\":", "\"expiresAt\":", "\"active\":", "\"a/b~c\":", "\"2099-12-31T23:59:60Z\"", "\u{feff}", " ", "\0",
    ],
    run,
};

fn run(bytes: &[u8]) {
    let base = Arc::new(BaseUrl::parse("https://hny.example/go").expect("a base URL"));
    let domains = Domains::one(base);
    let now = Timestamp::from_millis(1_900_000_000_000);
    if let Some(new) = taken::<NewLink>(bytes) {
        assert_named(new.input().check(&domains, now));
    }
    if let Some(patch) = taken::<LinkPatch>(bytes) {
        assert_named(patch.input().check(domains.base(), now));
    }
    if let Some(token) = taken::<NewToken>(bytes) {
        assert_named(token.input().check(now));
    }
    if let Some(bulk) = taken::<Bulk>(bytes) {
        assert_named(bulk.verb());
    }
    taken::<NewKey>(bytes);
    taken::<NewBlock>(bytes);
}

/// A shape, if the bytes are one.
fn taken<T: Shape>(bytes: &[u8]) -> Option<T> {
    match read::<T>(bytes) {
        Ok(shape) => {
            let value: Value = serde_json::from_slice(bytes).expect("what is taken is JSON");
            let object = value.as_object().expect("and an object");
            // The other name of `originalUrl`.
            let is_known = |name: &String| name == "url" || T::FIELDS.contains(&name.as_str());
            assert!(object.keys().all(is_known), "{value}");
            Some(shape)
        }
        Err(ReadError::Malformed { detail, .. }) => {
            assert!(!detail.is_empty());
            None
        }
        Err(ReadError::Fields(fields)) => {
            assert_named(Err::<(), _>(fields));
            None
        }
    }
}

/// Fields that are wrong are told by pointers, in words.
fn assert_named<T>(checked: Result<T, Vec<FieldError>>) {
    let Err(fields) = checked else { return };
    let problem = Problem::of_fields(ProblemKind::InvalidField, fields).to_json();
    let problem: Value = serde_json::from_slice(&problem).expect("a problem is JSON");
    let errors = problem["errors"].as_array().expect("what is wrong is listed");
    assert!(!errors.is_empty());
    for error in errors {
        let [pointer, detail] = ["pointer", "detail"].map(|name| error[name].as_str().unwrap_or_default());
        assert!(pointer.starts_with("#/") && !detail.is_empty(), "{error}");
    }
}
