//! How much a client may do, and who is a client.

mod creates;
mod proxies;
mod shared;
mod unknown;

use hny_testkit::{Client, Response};
use serde_json::json;

use crate::site::{Site, program};

/// A program with these settings, and otherwise the defaults, limits among them.
fn site(settings: &[(&str, &str)]) -> Site {
    let program = program().without_env("HNY_CREATE_LIMIT").without_env("HNY_UNKNOWN_LIMIT");
    Site::start(&settings.iter().fold(program, |program, (name, value)| program.env(name, value)))
}

/// A create without a key, with these headers.
fn shorten(client: &mut Client, headers: &[(&str, &str)]) -> Response {
    let headers: Vec<_> = headers.iter().copied().chain([("Content-Type", "application/json")]).collect();
    let body = json!({"originalUrl": "https://example.com/"}).to_string();
    client.request("POST", "/api/shorten", &headers, body.as_bytes())
}

/// A create by whom a proxy says this of.
fn shorten_for(client: &mut Client, forwarded_for: &str) -> u16 {
    shorten(client, &[("X-Forwarded-For", forwarded_for)]).status
}

/// The number behind a parameter of a field, as in `"creates";r=0;t=60`.
fn parameter(answer: &Response, field: &str, name: &str) -> u64 {
    let value = answer.header(field).unwrap_or_else(|| panic!("no {field} in {answer:?}"));
    let number =
        value.strip_prefix("\"creates\"").and_then(|rest| rest.split(';').find_map(|part| part.strip_prefix(name)));
    number.and_then(|rest| rest.strip_prefix('=')?.parse().ok()).unwrap_or_else(|| panic!("no {name} in {value}"))
}

/// Asserts that an answer says nothing about limits.
fn assert_untold(answer: &Response) {
    for field in ["ratelimit", "ratelimit-policy", "retry-after"] {
        assert_eq!(answer.headers(field), [""; 0], "{answer:?}");
    }
}
