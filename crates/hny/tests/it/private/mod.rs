//! Links that are secret: with a password, and what opens them without it, or by their code alone.

mod attempts;
mod browser;
mod by_code;
mod passwords;
mod secrecy;
mod tokens;

use hny_testkit::{Client, Response};
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::site::Site;

/// Where the links of these tests lead: nobody may read a word of it who does not know the password.
const TARGET: &str = "https://hideout.example/attic?key=7#door";

/// What no answer may show before.
const HIDDEN: [&str; 3] = ["hideout", "attic", "key=7"];

const PASSWORD: &str = "öffne dich & 100%";

/// As a program without a mind of its own sends it.
const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

/// A link with the password, and these fields beside it; its path.
fn locked_with(admin: &mut Caller, fields: &Value) -> String {
    let mut all = json!({"originalUrl": TARGET, "password": PASSWORD});
    for (name, value) in fields.as_object().unwrap() {
        all[name] = value.clone();
    }
    admin.link(&all)
}

/// A link with the password; its path.
fn locked(site: &Site) -> String {
    locked_with(&mut site.admin(), &json!({}))
}

/// The body of the form with this password.
fn form(password: &str) -> String {
    let escaped: Vec<_> = password.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("password={}", escaped.concat())
}

/// Sends a password, with these headers.
fn send_with(client: &mut Client, path: &str, password: &str, headers: &[(&str, &str)]) -> Response {
    let headers: Vec<_> = headers.iter().copied().chain([FORM]).collect();
    client.request("POST", path, &headers, form(password).as_bytes())
}

/// Sends a password.
fn send(client: &mut Client, path: &str, password: &str) -> Response {
    send_with(client, path, password, &[])
}

/// Asserts that an answer shows nothing of the target.
fn assert_hides(answer: &Response) {
    let all = format!("{:?} {}", answer.fields, String::from_utf8_lossy(&answer.body));
    let fields: Vec<_> = answer.fields.iter().map(|(_, value)| String::from_utf8_lossy(value)).collect();
    for word in HIDDEN {
        assert!(!all.contains(word) && fields.iter().all(|field| !field.contains(word)), "{word} in {fields:?}");
    }
}

/// Asserts that an answer is the page that asks for the password.
fn assert_asks(answer: &Response, status: u16) {
    assert_eq!(answer.status, status, "{:?}", answer.fields);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    assert_eq!(answer.headers("location"), [""; 0]);
    assert_hides(answer);
}

/// Asserts that an answer leads on by the password.
fn assert_opened(answer: &Response, target: &str) {
    assert_eq!((answer.status, answer.header("location")), (303, Some(target)));
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert!(answer.body.is_empty());
}
