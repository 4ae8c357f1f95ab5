//! What JSON answers look like.

use hny_testkit::Response;
use serde_json::Value;

/// The names in an object, sorted.
pub(crate) fn names(document: &Value) -> Vec<&str> {
    let mut names: Vec<_> = document.as_object().expect("an object").keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// Asserts that a field is a time such as `2030-01-01T12:00:00.000Z`.
pub(crate) fn assert_time(document: &Value, field: &str) {
    let time = document[field].as_str().unwrap_or_default();
    let shape: String = time.chars().map(|c| if c.is_ascii_digit() { 'd' } else { c }).collect();
    assert_eq!(shape, "dddd-dd-ddTdd:dd:dd.dddZ", "{field} of {document}");
}

/// Asserts that an answer is JSON that nobody keeps and no browser takes for anything else.
pub(crate) fn assert_json(answer: &Response) {
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
}

/// Asserts that an answer is the problem document of this kind, with all that such a document has.
pub(crate) fn assert_problem(answer: &Response, status: u16, kind: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("application/problem+json"));
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.headers("location"), [""; 0]);
    let document = answer.json();
    let without_errors: Vec<_> = names(&document).into_iter().filter(|name| *name != "errors").collect();
    assert_eq!(without_errors, ["detail", "status", "title", "type"]);
    assert_eq!(document["type"], format!("urn:hny:problem:{kind}"), "{document}");
    assert_eq!(document["status"], status);
    assert!(["title", "detail"].iter().all(|text| document[text].as_str().is_some_and(|text| !text.is_empty())));
}

/// Asserts that an answer is a problem of exactly these fields, each with its own words.
pub(crate) fn assert_fields(answer: &Response, status: u16, kind: &str, pointers: &[&str]) {
    assert_problem(answer, status, kind);
    let document = answer.json();
    let errors = document["errors"].as_array().unwrap_or_else(|| panic!("no errors in {document}"));
    assert!(errors.iter().all(|error| names(error) == ["detail", "pointer"]), "{document}");
    assert!(errors.iter().all(|error| error["detail"].as_str().is_some_and(|text| !text.is_empty())), "{document}");
    let found: Vec<_> = errors.iter().filter_map(|error| error["pointer"].as_str()).collect();
    assert_eq!(found, pointers, "{document}");
}

/// Asserts that an answer is 400 and names exactly this field.
pub(crate) fn assert_bad_field(answer: &Response, pointer: &str) {
    assert_fields(answer, 400, "invalid-field", &[pointer]);
}
