//! Clients that send slowly, send too much, say nothing, come in thousands or never read.

use std::io::{ErrorKind, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use hny_testkit::{Client, DEADLINE, Running};

use crate::memory::own_kib;
use crate::{program, visit};

/// A head that takes 15 seconds at four bytes a second.
const HEAD: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: example.com\r\nX: 0123456789\r\n\r\n";

/// Between the bytes of a slow client.
const PAUSE: Duration = Duration::from_millis(250);

/// How many bytes a slow client may get rid of where a second is allowed: the rest is for busy machines.
const FEW: usize = 20;

/// How many clients at once never read.
const WHO_NEVER_READ: usize = 16;

/// How many KiB all of them may cost: two megabytes each, as the allocator takes memory in pieces of megabytes.
const MOST_FOR_WHO_NEVER_READ: u64 = 32 * 1024;

fn impatient() -> Running {
    program().env("HNY_READ_TIMEOUT", "1s").start()
}

#[test]
fn the_metrics_are_as_strict_with_slow_clients() {
    let hny = program().env("HNY_METRICS_LISTEN", "127.0.0.1:0").env("HNY_READ_TIMEOUT", "1s").start();
    let mut slow = Client::connect(hny.metrics_address());
    slow.send(b"GET /metr").unwrap();
    assert_eq!(slow.closed(), b"");
    assert_eq!(Client::connect(hny.metrics_address()).get("/metrics").status, 200);
}

#[test]
fn a_head_that_comes_byte_by_byte_is_cut_off() {
    let hny = impatient();
    let mut client = Client::connect(hny.address());
    assert_cut_off(&mut client, HEAD);
}

#[test]
fn so_it_is_after_a_silence_and_after_a_request() {
    let hny = impatient();
    let mut silent = Client::connect(hny.address());
    let mut served = Client::connect(hny.address());
    assert_eq!(served.get("/healthz").status, 200);
    // The clock starts with the first byte of a head, so two silent seconds are no harm.
    assert_silent(&mut silent, 8 * PAUSE);
    assert_cut_off(&mut served, HEAD);
    assert_cut_off(&mut silent, HEAD);
}

#[test]
fn a_body_that_comes_byte_by_byte_is_answered_with_408_or_cut_off() {
    let hny = impatient();
    let mut client = Client::connect(hny.address());
    let body = br#"{"originalUrl": "https://example.com/a/rather/long/target"}"#;
    let head = format!(
        "POST /api/shorten HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    client.send(head.as_bytes()).unwrap();
    let sent = client.send_slowly(body, PAUSE);
    assert!(sent < FEW, "{sent} bytes");
    let answer = client.closed();
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 408 "), "{}", answer.escape_ascii());
}

#[test]
fn silence_is_cut_off() {
    let hny = program().env("HNY_IDLE_TIMEOUT", "1s").start();
    let mut new = Client::connect(hny.address());
    let mut served = Client::connect(hny.address());
    assert_eq!(served.get("/healthz").status, 200);
    assert_eq!(new.closed(), b"");
    assert_eq!(served.closed(), b"");
}

#[test]
fn a_head_that_is_too_long_is_refused() {
    let hny = program().start();
    let long = "x".repeat(33 * 1024);
    for head in [
        format!("GET /{long} HTTP/1.1\r\nHost: a\r\n\r\n"),
        format!("GET /healthz?{long} HTTP/1.1\r\nHost: a\r\n\r\n"),
        format!("GET /healthz HTTP/1.1\r\nHost: a\r\nX: {long}\r\n\r\n"),
        format!("GET /healthz HTTP/1.1\r\nHost: a\r\nX: {}", "x".repeat(1024 * 1024)),
        format!("{long}{long}"),
    ] {
        assert_refused(&hny, &head, &[431, 414, 400]);
    }
    let fitting = format!("GET /healthz HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "x".repeat(30 * 1024));
    assert_eq!(Client::connect(hny.address()).raw(fitting.as_bytes()).status, 200);
}

#[test]
fn more_than_a_hundred_fields_are_refused() {
    let hny = program().start();
    let head = |fields| format!("GET /healthz HTTP/1.1\r\nHost: a\r\n{}\r\n", "X: y\r\n".repeat(fields));
    assert_eq!(Client::connect(hny.address()).raw(head(99).as_bytes()).status, 200);
    assert_refused(&hny, &head(100), &[431]);
    assert_refused(&hny, &head(3000), &[431]);
}

#[test]
fn three_thousand_idle_connections_do_no_harm() {
    const CONNECTIONS: usize = 3000;
    let files = rlimit::increase_nofile_limit(CONNECTIONS as u64 + 200).unwrap();
    assert!(files > CONNECTIONS as u64 + 100, "this test needs more open files than {files} (ulimit -n)");
    let hny = program().env("HNY_METRICS_LISTEN", "127.0.0.1:0").start();
    let mut client = Client::connect(hny.address());
    let code = visit::shorten(&mut client, "https://example.com/");
    assert!(visit::target(&mut client, &code).is_some());
    let before = own_kib(hny.pid());
    let mut idle: Vec<_> = (0..CONNECTIONS).map(|_| Client::connect(hny.address())).collect();
    // Half of them were served before.
    for client in idle.iter_mut().step_by(2) {
        assert_eq!(client.get("/healthz").status, 200);
    }
    wait_for_connections(&hny, CONNECTIONS + 1);
    for _ in 0..1000 {
        assert!(visit::target(&mut client, &code).is_some());
    }
    assert!(visit::target(&mut Client::connect(hny.address()), &code).is_some(), "and who is new gets in");
    let grown = own_kib(hny.pid()).saturating_sub(before);
    println!("resident: {before} KiB, and {grown} KiB more with {CONNECTIONS} idle connections");
    assert!(grown < 100 * 1024, "{grown} KiB more");
    for client in &mut idle {
        client.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    }
    assert!(idle.iter_mut().all(|client| client.receive("GET").status == 200), "each of them is still served");
}

#[test]
fn who_finds_no_place_waits_for_one() {
    let hny = program().env("HNY_MAX_CONNECTIONS", "3").start();
    let mut inside: Vec<_> = (0..3).map(|_| Client::connect(hny.address())).collect();
    for client in &mut inside {
        assert_eq!(client.get("/healthz").status, 200);
    }
    let mut waiting: Vec<_> = (0..3).map(|_| Client::connect(hny.address())).collect();
    for client in &mut waiting {
        client.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
        assert_silent(client, PAUSE);
    }
    for mut client in waiting {
        assert_eq!(inside[0].get("/healthz").status, 200, "who is inside is served all the time");
        drop(inside.pop());
        assert_eq!(client.receive("GET").status, 200);
        inside.insert(0, client);
    }
}

#[test]
fn who_never_reads_is_cut_off_and_fills_no_memory() {
    let hny = program().env("HNY_IDLE_TIMEOUT", "2s").env("HNY_READ_TIMEOUT", "2s").start();
    let code = visit::shorten(&mut Client::connect(hny.address()), "https://example.com/");
    let request = format!("GET /{code} HTTP/1.1\r\nHost: a\r\n\r\n");
    // The first one has every thread take the memory that it keeps, in pieces of megabytes.
    send_until_cut_off(hny.address(), request.as_bytes());
    let before = own_kib(hny.pid());
    let sent: Vec<_> = thread::scope(|scope| {
        let send = || send_until_cut_off(hny.address(), request.as_bytes());
        let clients: Vec<_> = (0..WHO_NEVER_READ).map(|_| scope.spawn(send)).collect();
        clients.into_iter().map(|client| client.join().expect("no client panics")).collect()
    });
    let grown = own_kib(hny.pid()).saturating_sub(before);
    let answered: usize = sent.iter().map(|bytes| bytes / request.len()).sum();
    let unread = (answered * answer_length(&hny, &request)) as u64 / 1024;
    println!("resident: {before} KiB, and {grown} KiB more for clients that never read; their answers: {unread} KiB");
    // Of these the system keeps some megabytes for each connection; a server without a bound would have to keep the rest.
    assert!(unread > 4 * MOST_FOR_WHO_NEVER_READ, "{unread} KiB of answers would show nothing: {sent:?}");
    assert!(grown < MOST_FOR_WHO_NEVER_READ, "{grown} KiB more");
    assert!(visit::target(&mut Client::connect(hny.address()), &code).is_some());
}

/// Sends the same request again and again and reads nothing, until that ends with the connection; how many bytes were taken.
fn send_until_cut_off(address: SocketAddr, request: &[u8]) -> usize {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_write_timeout(Some(DEADLINE)).unwrap();
    let requests = request.repeat(1000);
    let mut sent = 0;
    loop {
        // From where the last write ended: the server must see whole requests.
        match stream.write(&requests[sent % requests.len()..]) {
            Ok(taken) => sent += taken,
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe), "{error}");
                return sent;
            }
        }
    }
}

/// How many bytes the answer to a request has.
fn answer_length(hny: &Running, request: &str) -> usize {
    let mut client = Client::connect(hny.address());
    client.send(request.as_bytes()).unwrap();
    client.finish_sending();
    client.closed().len()
}

/// Sends a head byte by byte; the connection must be closed long before its end, and without an answer of 200.
fn assert_cut_off(client: &mut Client, head: &[u8]) {
    let sent = client.send_slowly(head, PAUSE);
    assert!(sent < FEW, "{sent} bytes");
    let answer = client.closed();
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 408 "), "{}", answer.escape_ascii());
}

/// Asserts that nothing comes and that the connection stays open, for this time.
fn assert_silent(client: &mut Client, time: Duration) {
    client.set_deadline(time);
    let nothing = client.try_receive("GET").map_err(|error| error.kind());
    assert_eq!(nothing.unwrap_err(), ErrorKind::TimedOut);
    client.set_deadline(DEADLINE);
}

/// Asserts that a head gets one of these answers, and that the connection is closed after it.
fn assert_refused(hny: &Running, head: &str, statuses: &[u16]) {
    let mut client = Client::connect(hny.address());
    // The rest of a head that is refused early need not be taken.
    let _ = client.send(head.as_bytes());
    let start = &head[..head.len().min(40)];
    let answer = client.try_receive("GET").unwrap_or_else(|error| panic!("{start}…: {error}"));
    assert!(statuses.contains(&answer.status), "{start}…: {answer:?}");
    assert_eq!(client.closed(), b"", "{start}…");
}

/// Asks until the program has let in so many.
fn wait_for_connections(hny: &Running, expected: usize) {
    let mut metrics = Client::connect(hny.metrics_address());
    let line = format!("hny_connections {expected}\n");
    let end = std::time::Instant::now() + DEADLINE;
    loop {
        let text = metrics.get("/metrics").text().to_owned();
        if text.contains(&line) {
            return;
        }
        assert!(std::time::Instant::now() < end, "no '{line}' in:\n{text}");
    }
}
