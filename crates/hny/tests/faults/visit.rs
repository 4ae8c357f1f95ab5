//! What anybody can do: shorten and follow.

use hny_testkit::{Client, Response};
use serde_json::{Value, json};

/// Makes a link; its code.
pub(crate) fn shorten(client: &mut Client, target: &str) -> String {
    code(&created(&client.post_json("/api/shorten", &json!({"originalUrl": target}))))
}

/// Makes a link under a code of our choice.
pub(crate) fn shorten_as(client: &mut Client, code: &str, target: &str) {
    created(&try_shorten_as(client, code, target));
}

/// As [`shorten_as`], for tests in which it may be refused.
pub(crate) fn try_shorten_as(client: &mut Client, code: &str, target: &str) -> Response {
    client.post_json("/api/shorten", &json!({"originalUrl": target, "customCode": code}))
}

/// Where a code leads; `None` when there is no such link.
pub(crate) fn target(client: &mut Client, code: &str) -> Option<String> {
    let visit = client.get(&format!("/{code}"));
    match visit.status {
        302 => visit.header("Location").map(str::to_owned),
        404 => None,
        _ => panic!("/{code}: {visit:?}"),
    }
}

/// The code in the answer to a create.
pub(crate) fn code(document: &Value) -> String {
    document["shortCode"].as_str().unwrap_or_else(|| panic!("no code in {document}")).to_owned()
}

/// The document of an answer that must be a 201.
pub(crate) fn created(answer: &Response) -> Value {
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

/// Asserts that an answer is the 503 that says: later.
pub(crate) fn assert_unavailable(answer: &Response) {
    assert_eq!(answer.status, 503, "{answer:?}");
    assert_eq!(answer.header("Content-Type"), Some("application/problem+json"), "{answer:?}");
    let seconds = answer.header("Retry-After").and_then(|text| text.parse::<u32>().ok());
    assert!(seconds.is_some_and(|seconds| seconds > 0), "{answer:?}");
}
