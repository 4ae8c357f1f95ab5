//! What the holder of a key can do.

use hny_testkit::{Client, Program, Response, Running};
use serde_json::{Value, json};

/// A connection with an admin's key.
pub(crate) struct Admin {
    client: Client,
    authorization: String,
}

impl Admin {
    /// Connects with `key`.
    pub(crate) fn connect(hny: &Running, key: &str) -> Self {
        Self { client: Client::connect(hny.address()), authorization: format!("Bearer {key}") }
    }

    /// Makes a link.
    pub(crate) fn create(&mut self, code: &str, target: &str) -> Response {
        self.send("POST", "/api/v1/links", &json!({"originalUrl": target, "customCode": code}))
    }

    /// Changes a link.
    pub(crate) fn edit(&mut self, code: &str, patch: &Value) -> Response {
        self.send("PATCH", &format!("/api/v1/links/{code}"), patch)
    }

    /// Deletes a link.
    pub(crate) fn delete(&mut self, code: &str) -> Response {
        self.client.request("DELETE", &path(code), &[("Authorization", &self.authorization)], b"")
    }

    /// Reads a link.
    pub(crate) fn read(&mut self, code: &str) -> Response {
        self.client.request("GET", &path(code), &[("Authorization", &self.authorization)], b"")
    }

    /// Sends a document.
    pub(crate) fn send(&mut self, method: &str, path: &str, document: &Value) -> Response {
        let headers = [("Authorization", self.authorization.as_str()), ("Content-Type", "application/json")];
        self.client.request(method, path, &headers, document.to_string().as_bytes())
    }
}

fn path(code: &str) -> String {
    format!("/api/v1/links/{code}")
}

/// A new admin's key, made by the command line.
pub(crate) fn new_key(program: &Program) -> String {
    let made = program.run(["key", "create", "--name", "test", "--role", "admin"]);
    assert!(made.status.success(), "{made:?}");
    let key = String::from_utf8(made.stdout).expect("a key is text").trim().to_owned();
    assert!(key.starts_with("hny_"), "{key}");
    key
}
