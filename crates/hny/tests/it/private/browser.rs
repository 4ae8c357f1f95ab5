//! A real browser sends the form: Chromium holds the redirect that answers a form to the page's `form-action`.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use hny_testkit::Chromium;
use serde_json::json;

use super::PASSWORD;
use crate::site::Site;

/// A site elsewhere: it answers every request with a page that shows the head of that request.
fn elsewhere() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    // It ends with the process of the tests.
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || answer(stream.unwrap()));
        }
    });
    // Another host than that of the short links, as a name of this machine.
    format!("http://localhost:{}", address.port())
}

fn answer(mut stream: impl Read + Write) {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !request.ends_with(b"\r\n\r\n") {
        // A browser may open a connection and not use it.
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(read) => request.extend_from_slice(&buffer[..read]),
        }
    }
    let head = String::from_utf8_lossy(&request);
    let body = format!("<!doctype html><title>there</title><pre>{head}</pre>");
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    // The browser may have gone.
    let _ = stream.write_all(answer.as_bytes());
}

#[test]
fn a_browser_comes_to_the_target_by_the_form() {
    let site = Site::shared();
    let target = format!("{}/attic?key=7#door", elsewhere());
    let path = site.admin().link(&json!({"originalUrl": target, "password": PASSWORD}));
    let mut chromium = Chromium::start();
    let page = chromium.open(&site.hny().url(&path));
    assert!(page.text.contains("asks for a password"), "{page:?}");
    let again = chromium.submit("password", "wrong");
    assert!(again.text.contains("not the password") && again.url == site.hny().url(&path), "{again:?}");
    let there = chromium.submit("password", PASSWORD);
    assert_eq!(there.url, target, "{there:?}");
    // By GET, without the password, and without saying from where.
    assert!(there.text.starts_with("GET /attic?key=7 HTTP/1.1"), "{there:?}");
    let lines = there.text.to_ascii_lowercase();
    assert!(!lines.contains("referer:") && !lines.contains("password"), "{lines}");
}

#[test]
fn a_browser_comes_to_the_target_by_a_token() {
    let site = Site::shared();
    let target = format!("{}/attic", elsewhere());
    let path = site.admin().link(&json!({"originalUrl": target, "password": PASSWORD}));
    let made = site.admin().send("POST", &format!("/api/v1/links{path}/tokens"), &json!({"expiresIn": 60})).json();
    let there = Chromium::start().open(made["url"].as_str().unwrap());
    assert_eq!(there.url, target);
    assert!(!there.text.contains("hny_token"), "{there:?}");
}

#[test]
fn a_browser_sends_the_form_of_the_preview() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": "https://example.com/"}));
    let mut chromium = Chromium::start();
    let page = chromium.open(&site.hny().url(&format!("{path}+")));
    assert!(page.text.contains("https://example.com/"), "{page:?}");
    let thanks = chromium.submit("detail", "It looks like my bank.");
    assert!(thanks.text.contains("Thank you"), "{thanks:?}");
    let reports = site.admin().ask("GET", "/api/v1/reports?state=open").json();
    let ours = |report: &&serde_json::Value| report["shortCode"] == path[1..];
    let report = reports["items"].as_array().unwrap().iter().find(ours).unwrap();
    assert_eq!((&report["reason"], &report["detail"]), (&json!("phishing"), &json!("It looks like my bank.")));
}
