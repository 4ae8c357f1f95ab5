//! What the log never says: targets, keys, addresses.

use hny_testkit::{Client, DEADLINE, Program};
use serde_json::json;

use crate::admin::{Admin, new_key};
use crate::{program, visit};

/// In every target of these tests, and in nothing else.
const MARK: &str = "no-log-may-say-this";

#[test]
fn at_info_the_log_names_no_target_no_key_and_no_address() {
    for format in ["text", "json"] {
        let (said, secrets) = log_of_a_busy_day(&program().env("HNY_LOG_FORMAT", format));
        assert_hides(&said, &secrets, format);
        assert!(!said.contains(MARK), "{format}: a target in\n{said}");
        // Where it listens is our own address, and on its own lines.
        let others = said
            .lines()
            .filter(|line| !["listening on http", "metrics on http", "curl"].iter().any(|own| line.contains(own)));
        let addresses: Vec<_> = others.filter(|line| line.contains("127.0.0.1")).collect();
        assert!(addresses.is_empty(), "{format}: {addresses:?}");
        assert!(said.contains("started") && said.contains("stopped"), "{format}: {said}");
    }
}

#[test]
fn at_trace_the_log_names_no_key() {
    let (said, secrets) = log_of_a_busy_day(&program().env("HNY_LOG", "trace"));
    assert_hides(&said, &secrets, "trace");
}

#[test]
fn no_line_is_written_for_a_redirect() {
    let mut hny = program().start();
    let mut client = Client::connect(hny.address());
    let code = visit::shorten(&mut client, "https://example.com/");
    let before = hny.stderr().lines().count();
    for _ in 0..50 {
        assert!(visit::target(&mut client, &code).is_some());
        assert!(visit::target(&mut client, "unknown").is_none());
    }
    hny.terminate();
    assert!(hny.wait(DEADLINE).success());
    let after = hny.stderr();
    assert_eq!(after.lines().count(), before + 2, "that it stops, and that it has stopped:\n{after}");
}

/// Everything that the program said while all went wrong that can, and the words that must not be in it.
fn log_of_a_busy_day(program: &Program) -> (String, Vec<String>) {
    let key = new_key(program);
    let mut hny = program.start();
    let mut client = Client::connect(hny.address());
    let mut admin = Admin::connect(&hny, &key);
    let target = |path: &str| format!("https://example.com/{MARK}/{path}");
    let code = visit::shorten(&mut client, &target("made"));
    assert!(visit::target(&mut client, &code).is_some_and(|found| found.contains(MARK)));
    assert_eq!(admin.create("chosen", &target("chosen")).status, 201);
    assert_eq!(visit::try_shorten_as(&mut client, "chosen", &target("taken")).status, 409);
    assert_eq!(admin.edit("chosen", &json!({"originalUrl": target("edited"), "title": MARK})).status, 200);
    assert_eq!(admin.edit("chosen", &json!({"originalUrl": format!("ftp://{MARK}/")})).status, 400);
    assert_eq!(admin.delete("chosen").status, 204);
    let wrong_keys = send_wrong_keys(&mut client, &key);
    send_nonsense(&hny, &target("nonsense"));
    let peer = client.local_address().port().to_string();
    hny.terminate();
    assert!(hny.wait(DEADLINE).success());
    let said = hny.stderr() + &hny.stdout();
    let secret = key.rsplit('_').next().unwrap_or(&key).to_owned();
    assert!(secret.len() > 20, "{secret} is the secret part");
    (said, [wrong_keys, vec![secret, key, format!("127.0.0.1:{peer}")]].concat())
}

/// Keys that open nothing, in all the places where one may be sent.
fn send_wrong_keys(client: &mut Client, key: &str) -> Vec<String> {
    let last = if key.ends_with('a') { 'b' } else { 'a' };
    let changed = format!("{}{last}", &key[..key.len() - 1]);
    for (name, value) in [("Authorization", format!("Bearer {changed}")), ("X-Api-Key", changed.clone())] {
        let answer = client.request("GET", "/api/v1/links/chosen", &[(name, &value)], b"");
        assert_eq!(answer.status, 401, "{answer:?}");
    }
    vec![changed]
}

/// Requests that are none, or that break off.
fn send_nonsense(hny: &hny_testkit::Running, target: &str) {
    let connect = || Client::connect(hny.address());
    let body = json!({"originalUrl": target, "nonsense": target}).to_string();
    assert_eq!(connect().post_json("/api/shorten", &json!({"originalUrl": target, "nonsense": 1})).status, 400);
    assert_eq!(
        connect().request("POST", "/api/shorten", &[("Content-Type", "text/plain")], body.as_bytes()).status,
        415
    );
    assert_eq!(connect().request("PUT", &format!("/{target}"), &[], body.as_bytes()).status / 100, 4);
    let mut broken = connect();
    broken
        .send(b"POST /api/shorten HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n")
        .unwrap();
    broken.send(body.as_bytes()).unwrap();
    drop(broken);
    let mut noise = connect();
    noise.send(format!("{target}\r\n\r\n").as_bytes()).unwrap();
    noise.closed();
}

fn assert_hides(said: &str, secrets: &[String], when: &str) {
    for secret in secrets {
        assert!(!said.contains(secret.as_str()), "{when}: {secret} in\n{said}");
    }
}
