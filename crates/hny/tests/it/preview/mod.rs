//! `/{code}+`: where a link leads, and reports of abuse.

mod page;
mod reports;

use hny_testkit::{Client, Response};

/// The preview of a link, as a browser asks for it.
fn preview(client: &mut Client, path: &str) -> Response {
    client.request("GET", &format!("{path}+"), &[("Accept", "text/html")], b"")
}
