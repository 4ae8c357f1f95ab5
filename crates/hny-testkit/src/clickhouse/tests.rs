//! The front hands on, and its faults are faults.

use super::*;

const INSERT: &str = "/?query=INSERT%20INTO%20t%20FORMAT%20RowBinary&insert_deduplication_token=a%27b";

fn insert(engine: &ClickHouse, number: u8) -> std::io::Result<Response> {
    Client::connect(engine.address()).try_request("POST", INSERT, &[], &[number])
}

fn with_table() -> ClickHouse {
    let engine = ClickHouse::start();
    let settings = "ORDER BY n SETTINGS non_replicated_deduplication_window = 10";
    engine.query(&format!("CREATE TABLE t (n UInt8) ENGINE = MergeTree {settings}"));
    engine
}

#[test]
fn statements_bodies_settings_and_errors_are_handed_on() {
    let engine = with_table();
    assert_eq!(insert(&engine, 7).unwrap().status, 200);
    assert_eq!(insert(&engine, 8).unwrap().status, 200);
    assert_eq!(engine.query("SELECT n FROM t"), "7", "the second has the token of the first");
    let asked = "/?query=SELECT%20n%2C%20getSetting('max_threads')%20AS%20m%20FROM%20t&max_threads=3";
    let asked = format!("{asked}&default_format=CSV").replace('\'', "%27");
    assert_eq!(Client::connect(engine.address()).get(&asked).text(), "7,3\n");
    assert_eq!(engine.query("SELECT getSetting('max_threads') = 3"), "0", "a setting is of one statement");
    let wrong = Client::connect(engine.address()).request("POST", "/", &[], b"SELECT x FROM nowhere");
    assert_eq!((wrong.status, wrong.header("X-ClickHouse-Exception-Code")), (404, Some("60")));
}

#[test]
fn inserts_are_refused_and_answers_are_lost_as_often_as_asked() {
    let engine = with_table();
    engine.refuse_inserts(1);
    assert_eq!(insert(&engine, 1).unwrap().status, 503);
    assert_eq!(engine.query("SELECT count() FROM t"), "0");
    engine.lose_answers(1);
    assert!(insert(&engine, 2).is_err());
    assert_eq!(engine.query("SELECT n FROM t"), "2");
    assert_eq!(insert(&engine, 3).unwrap().status, 200);
}

#[test]
fn what_was_taken_outlives_a_kill() {
    let mut engine = with_table();
    assert_eq!(insert(&engine, 1).unwrap().status, 200);
    engine.kill();
    assert!(Client::try_connect(engine.address()).is_err());
    engine.start_again();
    assert_eq!(insert(&engine, 2).unwrap().status, 200);
    assert_eq!(engine.query("SELECT n FROM t"), "1", "the token outlives it, too");
}
