//! Where each route stands: what it does, and so what it asks of its caller. A route that stands nowhere fails a test.

use serde_json::{Value, json};

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// The same for everybody.
    Answer,
    /// Makes a link.
    Make,
    /// Makes links, which needs a key.
    MakeMany,
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
    /// Is for those who may do everything, as it is about all links.
    Govern,
}

/// A call.
pub(crate) struct Place {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) act: Act,
    /// A query with which it succeeds.
    pub(crate) query: &'static str,
    /// A body with which it succeeds.
    pub(crate) body: fn() -> Value,
}

const fn place(act: Act, method: &'static str, path: &'static str) -> Place {
    Place { method, path, act, query: "", body: || Value::Null }
}

impl Place {
    const fn with(self, body: fn() -> Value) -> Self {
        Self { body, ..self }
    }

    const fn asking(self, query: &'static str) -> Self {
        Self { query, ..self }
    }
}

fn new_link() -> Value {
    json!({"originalUrl": "https://example.com/"})
}

/// Every call that there is.
pub(crate) const PLACES: &[Place] = &[
    place(Act::Answer, "GET", "/"),
    place(Act::Answer, "GET", "/robots.txt"),
    place(Act::Answer, "GET", "/.well-known/security.txt"),
    place(Act::Answer, "GET", "/favicon.ico"),
    place(Act::Answer, "GET", "/static/hny.css"),
    place(Act::Answer, "GET", "/healthz"),
    place(Act::Answer, "GET", "/readyz"),
    place(Act::Answer, "GET", "/api/v1/openapi.json"),
    place(Act::Answer, "GET", "/api/docs"),
    place(Act::Make, "POST", "/shorten").with(new_link),
    place(Act::Make, "POST", "/api/shorten").with(new_link),
    place(Act::Make, "POST", "/api/v1/links").with(new_link),
    place(Act::SeeAll, "GET", "/api/v1/links"),
    place(Act::MakeMany, "POST", "/api/v1/links/bulk").with(|| json!({"create": [new_link()]})),
    place(Act::See, "GET", "/api/v1/links/{code}"),
    place(Act::Change, "PATCH", "/api/v1/links/{code}").with(|| json!({"title": "changed"})),
    place(Act::Change, "DELETE", "/api/v1/links/{code}"),
    place(Act::See, "GET", "/api/v1/links/{code}/stats"),
    place(Act::See, "GET", "/api/v1/links/{code}/clicks"),
    place(Act::Change, "POST", "/api/v1/links/{code}/tokens").with(|| json!({"expiresIn": 60})),
    place(Act::SeeAll, "GET", "/api/v1/stats"),
    place(Act::Govern, "GET", "/api/v1/reports"),
    place(Act::Govern, "POST", "/api/v1/reports/{id}/resolve"),
    place(Act::Govern, "GET", "/api/v1/blocks"),
    place(Act::Govern, "POST", "/api/v1/blocks").with(|| json!({"rule": "blocked.example"})),
    place(Act::Govern, "DELETE", "/api/v1/blocks").asking("?rule=blocked.example"),
    place(Act::Govern, "GET", "/api/v1/blocks/changes"),
    place(Act::MakeKey, "POST", "/api/v1/keys").with(|| json!({"name": "made", "role": "creator"})),
    place(Act::SeeKeys, "GET", "/api/v1/keys"),
    place(Act::SeeKey, "GET", "/api/v1/keys/{id}"),
    place(Act::RevokeKey, "DELETE", "/api/v1/keys/{id}"),
];
