//! The first minute: start, shorten, follow, stop.

use hny_testkit::{Client, DEADLINE, Program};
use serde_json::json;

#[test]
fn a_link_is_made_followed_and_the_service_stops() {
    let mut hny = Program::new(env!("CARGO_BIN_EXE_hny")).start();
    let mut client = Client::connect(hny.address());
    let made = client.post_json("/api/shorten", &json!({"originalUrl": "https://example.com/a?b=%2B#c"}));
    assert_eq!(made.status, 201, "{made:?}");
    let code = made.json()["shortCode"].as_str().unwrap().to_owned();
    let visit = client.get(&format!("/{code}"));
    assert_eq!((visit.status, visit.header("location")), (302, Some("https://example.com/a?b=%2B#c")));
    hny.terminate();
    assert!(hny.wait(DEADLINE).success());
}
