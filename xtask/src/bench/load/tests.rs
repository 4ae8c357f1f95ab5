use super::{BenchError, Callers};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Answers every request with `status`, and counts those that came with the key.
fn server(status: u16, connections: usize) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback address has a free port");
    let address = listener.local_addr().expect("it is bound");
    let counted = Arc::new(AtomicUsize::new(0));
    let total = Arc::clone(&counted);
    std::thread::spawn(move || {
        for stream in listener.incoming().take(connections) {
            let total = Arc::clone(&total);
            std::thread::spawn(move || {
                answer(&stream.expect("the caller connects"), status, &total);
            });
        }
    });
    (address, counted)
}

fn answer(mut stream: &TcpStream, status: u16, total: &AtomicUsize) {
    let mut requests = BufReader::new(stream);
    let mut head = String::new();
    while requests.read_line(&mut head).expect("requests are text") > 0 {
        if !head.ends_with("\r\n\r\n") {
            continue;
        }
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
        let length = length.and_then(|length| length.parse().ok()).expect("a create has a length");
        requests.read_exact(&mut vec![0; length]).expect("the body comes");
        total.fetch_add(usize::from(head.contains("Authorization: Bearer secret")), Ordering::SeqCst);
        head.clear();
        let answer = format!("HTTP/1.1 {status} X\r\nContent-Length: 2\r\n\r\nno");
        stream.write_all(answer.as_bytes()).expect("the caller reads");
    }
}

#[test]
fn every_create_is_counted_once() {
    let (address, counted) = server(201, 3);
    let sample = Callers::new(address, "secret".to_owned()).measure(3, Duration::from_millis(50)).expect("all are 201");
    assert!(sample.latencies.len() >= 3, "each caller creates one at least");
    assert_eq!(sample.latencies.len(), counted.load(Ordering::SeqCst));
    assert!(sample.elapsed >= Duration::from_millis(50));
}

#[test]
fn an_answer_other_than_201_is_no_figure() {
    let (address, _counted) = server(429, 2);
    let error =
        Callers::new(address, "secret".to_owned()).measure(2, Duration::from_millis(50)).expect_err("it is 429");
    assert!(matches!(&error, BenchError::Answer { status: 429, body } if body == "no"), "{error}");
}

#[test]
fn callers_who_cannot_connect_do_not_wait_for_each_other() {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let callers = Callers::new(free.expect("the loopback address has a free port"), String::new());
    let error = callers.measure(2, Duration::from_millis(50)).expect_err("nobody listens");
    assert!(matches!(error, BenchError::Connection { .. }), "{error}");
}
