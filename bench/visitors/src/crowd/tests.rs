use super::{Plan, Sample, visit};
use crate::{Draw, Traffic, VisitError, links};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

/// Answers every request with what `answer` makes of its path.
fn server(answer: fn(&str) -> String) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback address has a free port");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || serve(&stream.expect("a visitor connects"), answer));
        }
    });
    address
}

fn serve(mut stream: &TcpStream, answer: fn(&str) -> String) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    while let Some(first) = lines.next() {
        let closes = lines.by_ref().take_while(|line| !line.is_empty()).any(|line| line == "Connection: close");
        let path = first.split(' ').nth(1).expect("a request has a path");
        // The visitors may have gone.
        if stream.write_all(answer(path).as_bytes()).is_err() || closes {
            return;
        }
    }
}

fn redirect(path: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nLocation: {}{}\r\nContent-Length: 0\r\n\r\n", links::TARGET, &path[1..])
}

fn visited(address: SocketAddr, fresh: bool, draw: Draw) -> Result<Sample, VisitError> {
    let plan = Plan { address, connections: 3, fresh, key: "", watches: fresh };
    visit(&plan, &mut Traffic::new(draw, 0), Duration::MAX)
}

#[test]
fn every_link_is_visited_once() {
    for fresh in [false, true] {
        let sample = visited(server(redirect), fresh, Draw::Each(0..100)).expect("every answer is right");
        assert_eq!(sample.latencies.len(), 100);
        assert_eq!(sample.bytes, redirect("/0000000").len());
        assert!(sample.elapsed > Duration::ZERO);
    }
}

#[test]
fn visits_end_in_time() {
    for fresh in [false, true] {
        let plan = Plan { address: server(redirect), connections: 2, fresh, key: "", watches: fresh };
        let sample = visit(&plan, &mut Traffic::new(Draw::Any(1000), 0), Duration::from_millis(20));
        let sample = sample.expect("every answer is right");
        assert!(sample.latencies.len() >= 2 && sample.elapsed >= Duration::from_millis(20), "{sample:?}");
    }
}

#[test]
fn a_wrong_answer_is_no_figure() {
    let wrong: [fn(&str) -> String; 4] = [
        |_| redirect("/another"),
        |path| redirect(path).replace("302", "301"),
        |path| redirect(path).replace("\r\n\r\n", "\r\n\r\nmore"),
        |_| "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
    ];
    for answer in wrong {
        let error = visited(server(answer), false, Draw::Each(0..9)).expect_err("the answer is wrong");
        assert!(matches!(&error, VisitError::Wrong { asked, .. } if asked.starts_with("GET /")), "{error}");
    }
    let error = visited(server(redirect), false, Draw::EachUnknown(0..9)).expect_err("there should be no link");
    assert!(matches!(error, VisitError::Wrong { .. }), "{error}");
}
