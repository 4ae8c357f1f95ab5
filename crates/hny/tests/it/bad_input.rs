//! Bad input of every sort, at every call that takes a body: a 4xx that names the field, and the service goes on (B79, B63). The calls
//! and their fields are those of the contract, so a new call fails here until it has a place in the table below.

use hny_testkit::Response;
use serde_json::{Map, Value, json};

use crate::contract::{Call, calls, document};
use crate::document::assert_problem;
use crate::site::Site;

/// More than any call takes.
const TOO_LARGE: usize = 11_000_000;

/// A good body of a call. A path that has a link in it is about the one made for this.
fn good(operation: &str) -> Value {
    const TARGET: &str = "https://example.com/";
    match operation {
        "shorten" | "shortenShortly" | "createLink" => json!({"originalUrl": TARGET, "title": "x"}),
        "changeLink" => json!({"title": "x"}),
        "createKey" => json!({"name": "x", "role": "reader"}),
        "makeOrDeleteLinks" => json!({"create": [{"originalUrl": TARGET}]}),
        "createToken" => json!({"expiresIn": 60}),
        "addBlock" => json!({"rule": "evil.example"}),
        other => {
            panic!("{other} takes a body and is not in the table of crates/hny/tests/it/bad_input.rs: put it there")
        }
    }
}

/// A call, with what a body of it may have.
struct Place {
    call: Call,
    path: String,
    good: Value,
    fields: Map<String, Value>,
}

impl Place {
    /// All there are.
    fn all(site: &Site) -> Vec<Self> {
        let document = document(site);
        let link = site.admin().link(&json!({"originalUrl": "https://example.com/", "password": "nectar"}));
        let with_body = calls(&document).into_iter().filter(|call| call.body().is_some());
        let place = |call: Call| {
            let good = good(call.operation["operationId"].as_str().expect("every call has a name"));
            let schema = &document["components"]["schemas"][call.body().expect("it has a body")];
            let fields = schema["properties"].as_object().expect("it has fields").clone();
            Self { path: call.path_of(&link[1..]), good, fields, call }
        };
        let places: Vec<_> = with_body.map(place).collect();
        assert!(places.len() >= 4);
        places
    }

    fn send(&self, site: &Site, body: &[u8]) -> Response {
        let headers = [("Content-Type", "application/json"), ("X-Api-Key", site.key())];
        site.visitor().request(&self.call.method, &self.path, &headers, body)
    }

    /// A good body, but for a field that has this JSON for its value.
    fn with(&self, field: &str, value: &str) -> String {
        let others = self.good.as_object().expect("a body is an object").iter();
        let others: Vec<_> = others
            .filter(|(name, _)| *name != field)
            .map(|(name, value)| format!("{}:{value},", json!(name)))
            .collect();
        format!("{{{}{}:{value}}}", others.concat(), json!(field))
    }

    /// Whether the field is a list of which each row is done or refused by itself.
    fn has_rows(&self, field: &str) -> bool {
        self.call.operation["operationId"] == "makeOrDeleteLinks" && self.fields.contains_key(field)
    }

    /// Asserts that a body is refused because of this field.
    fn assert_names(&self, site: &Site, field: &str, body: &str) {
        let answer = self.send(site, body.as_bytes());
        let told = format!("{} {} {} {}", self.call.method, self.path, &body[..body.len().min(200)], answer.text());
        assert_eq!(answer.status, 400, "{told}");
        let problem = answer.json();
        let kind = problem["type"].as_str().unwrap_or_default();
        assert!(["urn:hny:problem:invalid-field", "urn:hny:problem:malformed-body"].contains(&kind), "{told}");
        let pointers: Vec<_> =
            problem["errors"].as_array().into_iter().flatten().filter_map(|error| error["pointer"].as_str()).collect();
        let wanted = format!("#/{}", field.replace('~', "~0").replace('/', "~1"));
        let names = |pointer: &&str| {
            pointer.strip_prefix(&*wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        assert!(pointers.iter().any(names), "{told}");
    }
}

/// The types that a field may have, as its schema tells.
fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        other => panic!("{schema} has the type {other}"),
    }
}

/// Asserts that nothing of it was too much.
fn assert_goes_on(site: &Site) {
    for place in Place::all(site) {
        let answer = place.send(site, place.good.to_string().as_bytes());
        assert!((200..300).contains(&answer.status), "{} {} {}", place.call.method, place.path, answer.text());
    }
    assert_eq!(site.visitor().get("/readyz").status, 200);
}

#[test]
fn a_field_of_the_wrong_type_is_named() {
    let site = Site::shared();
    let values = [
        ("boolean", "true"),
        ("integer", "7"),
        ("number", "7.5"),
        ("string", "\"7\""),
        ("array", "[[7]]"),
        ("object", "{\"7\":7}"),
    ];
    for place in Place::all(&site) {
        for (field, schema) in &place.fields {
            let types = types(schema);
            let fits = |name: &str| types.contains(&name) || (name == "integer" && types.contains(&"number"));
            for (_, value) in values.iter().filter(|(name, _)| !fits(name)) {
                place.assert_names(&site, field, &place.with(field, value));
            }
        }
    }
    assert_goes_on(&site);
}

#[test]
fn a_field_given_twice_is_named() {
    let site = Site::shared();
    for place in Place::all(&site) {
        for field in place.fields.keys() {
            let twice = format!("{{{name}:null,{name}:null}}", name = json!(field));
            place.assert_names(&site, field, &twice);
        }
    }
}

#[test]
fn a_text_that_no_text_can_hold_is_named() {
    let site = Site::shared();
    for place in Place::all(&site) {
        let texts = place.fields.iter().filter(|(_, schema)| types(schema).contains(&"string"));
        for (field, _) in texts {
            // Half of a pair, its other half alone, a NUL, and a line's end that is not escaped.
            for text in [r#""\ud800""#, r#""\ude00x""#, r#""a\u0000b""#, "\"a\nb\""] {
                place.assert_names(&site, field, &place.with(field, text));
            }
        }
    }
    assert_goes_on(&site);
}

#[test]
fn what_is_nested_deeply_is_named() {
    let site = Site::shared();
    let deep = ["[".repeat(10_000), "]".repeat(10_000)].concat();
    let deep_objects = format!("{}1{}", "{\"a\":".repeat(5_000), "}".repeat(5_000));
    for place in Place::all(&site) {
        for field in place.fields.keys().map(String::as_str).chain(["nonsense"]) {
            if place.has_rows(field) {
                // Each of many is told by itself.
                let answer = place.send(&site, format!("{{\"{field}\":{deep}}}").as_bytes());
                assert_eq!(
                    (answer.status, &answer.json()["results"][0]["status"]),
                    (200, &json!(400)),
                    "{}",
                    answer.text()
                );
            } else {
                place.assert_names(&site, field, &place.with(field, &deep));
            }
            place.assert_names(&site, field, &place.with(field, &deep_objects));
        }
    }
    assert_goes_on(&site);
}

#[test]
fn a_field_that_is_unknown_is_named_whatever_it_is_called() {
    let site = Site::shared();
    for place in Place::all(&site) {
        for field in ["nonsense", "", "a/b~c", "\0", "__proto__", "originalurl", "$ne", "é"] {
            place.assert_names(&site, field, &place.with(field, "1"));
        }
    }
}

#[test]
fn what_is_no_json_object_is_malformed() {
    let site = Site::shared();
    let deep = "[".repeat(60_000);
    let utf16: Vec<u8> = "{\"originalUrl\":\"https://a.example\"}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bodies: [&[u8]; 14] = [
        b"",
        b"{",
        b"[]",
        b"[{}]",
        b"null",
        b"\"x\"",
        b"7",
        b"{}{}",
        b"{\"a\":}",
        b"\0",
        b"{}\0",
        b"\xef\xbb\xbf{}",
        deep.as_bytes(),
        &utf16,
    ];
    for place in Place::all(&site) {
        for body in bodies {
            assert_problem(&place.send(&site, body), 400, "malformed-body");
        }
    }
    assert_goes_on(&site);
}

#[test]
fn what_is_too_large_or_of_another_kind_is_refused() {
    let site = Site::shared();
    for place in Place::all(&site) {
        let mut body = place.good.to_string();
        let headers = [("Content-Type", "text/plain"), ("X-Api-Key", site.key())];
        let answer = site.visitor().request(&place.call.method, &place.path, &headers, body.as_bytes());
        assert_problem(&answer, 415, "unsupported-media-type");
        body.push_str(&" ".repeat(TOO_LARGE));
        assert_problem(&place.send(&site, body.as_bytes()), 413, "body-too-large");
    }
    assert_goes_on(&site);
}
