//! Where each route stands: what it does, and so what it asks of its caller. A route that stands nowhere fails a test.

use serde_json::{Value, json};

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// The same for everybody.
    Answer,
    /// Makes a link.
    Make,
    /// Shows something of the link in its path.
    See,
    /// Changes the link in its path.
    Change,
    /// Shows something of all links that the caller sees.
    SeeAll,
    /// Makes an API key.
    MakeKey,
    /// Shows the API keys that the caller sees: at least its own.
    SeeKeys,
    /// Shows the API key in its path.
    SeeKey,
    /// Revokes the API key in its path.
    RevokeKey,
}

/// A call.
pub(crate) struct Place {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) act: Act,
    /// A body with which it succeeds.
    pub(crate) body: fn() -> Value,
}

const fn place(act: Act, method: &'static str, path: &'static str) -> Place {
    Place { method, path, act, body: || Value::Null }
}

impl Place {
    const fn with(self, body: fn() -> Value) -> Self {
        Self { body, ..self }
    }
}

fn new_link() -> Value {
    json!({"originalUrl": "https://example.com/"})
}

/// Every call that there is.
pub(crate) const PLACES: &[Place] = &[
    place(Act::Answer, "GET", "/"),
    place(Act::Answer, "GET", "/robots.txt"),
    place(Act::Answer, "GET", "/favicon.ico"),
    place(Act::Answer, "GET", "/static/hny.css"),
    place(Act::Answer, "GET", "/healthz"),
    place(Act::Answer, "GET", "/readyz"),
    place(Act::Make, "POST", "/shorten").with(new_link),
    place(Act::Make, "POST", "/api/shorten").with(new_link),
    place(Act::Make, "POST", "/api/v1/links").with(new_link),
    place(Act::See, "GET", "/api/v1/links/{code}"),
    place(Act::Change, "PATCH", "/api/v1/links/{code}").with(|| json!({"title": "changed"})),
    place(Act::Change, "DELETE", "/api/v1/links/{code}"),
    place(Act::See, "GET", "/api/v1/links/{code}/stats"),
    place(Act::See, "GET", "/api/v1/links/{code}/clicks"),
    place(Act::SeeAll, "GET", "/api/v1/stats"),
    place(Act::MakeKey, "POST", "/api/v1/keys").with(|| json!({"name": "made", "role": "creator"})),
    place(Act::SeeKeys, "GET", "/api/v1/keys"),
    place(Act::SeeKey, "GET", "/api/v1/keys/{id}"),
    place(Act::RevokeKey, "DELETE", "/api/v1/keys/{id}"),
];
