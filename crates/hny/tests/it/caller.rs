//! Someone with an API key.

use hny_domain::Timestamp;
use hny_testkit::{Client, Response};
use serde_json::{Value, json};

use crate::instant::{millis_ahead, now, until_some};

/// A connection that sends the same key with every call.
pub(crate) struct Caller {
    client: Client,
    key: Option<String>,
}

impl Caller {
    pub(crate) fn new(client: Client, key: &str) -> Self {
        Self { client, key: Some(key.to_owned()) }
    }

    /// Someone who sends none.
    pub(crate) fn without_key(client: Client) -> Self {
        Self { client, key: None }
    }

    /// A call with a JSON body.
    pub(crate) fn send(&mut self, method: &str, target: &str, body: &Value) -> Response {
        let key = self.key.as_deref().map(|key| ("X-Api-Key", key));
        let headers: Vec<_> = [("Content-Type", "application/json")].into_iter().chain(key).collect();
        self.client.request(method, target, &headers, body.to_string().as_bytes())
    }

    /// A call without a body.
    pub(crate) fn ask(&mut self, method: &str, target: &str) -> Response {
        let headers: Vec<_> = self.key.as_deref().map(|key| ("X-Api-Key", key)).into_iter().collect();
        self.client.request(method, target, &headers, b"")
    }

    /// `POST /api/shorten`.
    pub(crate) fn shorten(&mut self, fields: &Value) -> Response {
        self.send("POST", "/api/shorten", fields)
    }

    /// Makes a link that must be made; the link as the API shows it.
    pub(crate) fn create(&mut self, fields: &Value) -> Value {
        let made = self.send("POST", "/api/v1/links", fields);
        assert_eq!(made.status, 201, "{fields} {}", made.text());
        made.json()
    }

    /// Makes a link that must be made; its path, such as `/aB3x9zQ`.
    pub(crate) fn link(&mut self, fields: &Value) -> String {
        format!("/{}", text(&self.create(fields), "shortCode"))
    }

    /// `GET /api/v1/links/{code}`; a path such as `/aB3x9zQ` stands for its code, here and below.
    pub(crate) fn read(&mut self, path: &str) -> Response {
        self.ask("GET", &format!("/api/v1/links{path}"))
    }

    /// `PATCH /api/v1/links/{code}`.
    pub(crate) fn edit(&mut self, path: &str, fields: &Value) -> Response {
        self.send("PATCH", &format!("/api/v1/links{path}"), fields)
    }

    /// Has a link end a moment from now; when that is. A moment that was over before the program heard of it is refused, and then the
    /// next one is longer: so a link of a test has all the time that it needs before, and none is waited for afterwards.
    pub(crate) fn end_soon(&mut self, path: &str) -> Timestamp {
        let mut ahead = 25;
        until_some(|| {
            ahead *= 2;
            let end = millis_ahead(ahead);
            (self.edit(path, &json!({"expiresAt": end.to_string()})).status == 200).then_some(end)
        })
    }

    /// Has a link end, and returns when it has.
    pub(crate) fn end(&mut self, path: &str) {
        let end = self.end_soon(path);
        until_some(|| (now() >= end).then_some(()));
    }

    /// `DELETE /api/v1/links/{code}`.
    pub(crate) fn delete(&mut self, path: &str) -> Response {
        self.ask("DELETE", &format!("/api/v1/links{path}"))
    }
}

/// A field that must be a text.
pub(crate) fn text(document: &Value, field: &str) -> String {
    document[field].as_str().unwrap_or_else(|| panic!("{field} is a text in {document}")).to_owned()
}
