//! How the program ends when it is told to: nobody is lost, nothing hangs.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use hny_testkit::{Client, DEADLINE, Running, Strace};

use crate::ledger::Ledger;
use crate::load::Load;
use crate::{program, visit};

/// How soon the end must come where the program has nothing to wait for.
const SOON: Duration = Duration::from_secs(10);

#[test]
fn in_the_delay_readyz_says_503_and_every_answer_says_close() {
    let mut hny = program().env("HNY_DRAIN_DELAY", "3s").start();
    let code = visit::shorten(&mut Client::connect(hny.address()), "https://example.com/");
    let mut idle = Client::connect(hny.address());
    assert_eq!(idle.get("/readyz").status, 200);
    hny.terminate();
    wait_until_it_drains(&hny);
    assert_last_answer(&mut idle, "/readyz", 503);
    for (path, status) in [("/readyz", 503), ("/healthz", 200), (&*format!("/{code}"), 302), ("/unknown", 404)] {
        assert_last_answer(&mut Client::connect(hny.address()), path, status);
    }
    assert_stops_cleanly(&mut hny);
}

#[test]
fn an_idle_connection_is_kept_in_the_delay_and_closed_after_it() {
    let mut hny = program().env("HNY_DRAIN_DELAY", "1s").start();
    let mut used = Client::connect(hny.address());
    let mut silent = Client::connect(hny.address());
    assert_eq!((used.get("/readyz").status, silent.get("/readyz").status), (200, 200));
    hny.terminate();
    wait_until_it_drains(&hny);
    assert_last_answer(&mut used, "/healthz", 200);
    assert_eq!(silent.closed(), b"", "closed without a word");
    assert_stops_cleanly(&mut hny);
}

#[test]
fn who_has_just_connected_or_sent_half_a_head_is_answered() {
    let mut hny = program().env("HNY_DRAIN_DELAY", "1s").start();
    let mut half = Client::connect(hny.address());
    half.send(b"GET /healthz HTT").unwrap();
    let mut new = Client::connect(hny.address());
    // Who comes last is served, so the others have been let in.
    let mut idle = Client::connect(hny.address());
    assert_eq!(idle.get("/readyz").status, 200);
    hny.terminate();
    wait_until_it_drains(&hny);
    assert_last_answer(&mut idle, "/readyz", 503);
    assert_last_answer(&mut new, "/healthz", 200);
    let mut later = Client::connect(hny.address());
    assert_last_answer(&mut Client::connect(hny.address()), "/readyz", 503);
    assert_last_answer(&mut later, "/healthz", 200);
    half.send(b"P/1.1\r\nHost: a\r\n\r\n").unwrap();
    let answer = half.receive("GET");
    assert_eq!((answer.status, answer.header("Connection")), (200, Some("close")), "{answer:?}");
    assert_stops_cleanly(&mut hny);
}

#[test]
fn a_connection_that_was_opened_just_in_case_does_not_hold_it_up() {
    let mut hny = program().env("HNY_DRAIN_TIMEOUT", "1h").start();
    let mut silent = Client::connect(hny.address());
    visit::shorten(&mut Client::connect(hny.address()), "https://example.com/");
    hny.terminate();
    assert_eq!(silent.closed(), b"");
    assert_stops_cleanly(&mut hny);
}

#[test]
fn a_request_whose_body_still_arrives_is_finished_durably() {
    let mut hny = program().start();
    let mut idle = Client::connect(hny.address());
    let mut running = Upload::begin(hny.address(), "https://example.com/late");
    assert_eq!(idle.get("/healthz").status, 200);
    hny.terminate();
    assert_eq!(idle.closed(), b"");
    assert_refuses_soon(hny.address());
    let answer = running.finish();
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    assert!(answer.to_ascii_lowercase().contains("\r\nconnection: close\r\n"), "{answer}");
    assert_stops_cleanly(&mut hny);
    let hny = hny.program().start();
    let made = visit::target(&mut Client::connect(hny.address()), "late");
    assert_eq!(made.as_deref(), Some("https://example.com/late"));
}

#[test]
fn who_had_connected_before_the_listener_closed_is_served() {
    for places in ["10000", "8"] {
        let mut hny = program().env("HNY_MAX_CONNECTIONS", places).start();
        // What a stopped process has not accepted yet waits in the system's queue, and so does the signal.
        hny.pause();
        let mut waiting: Vec<_> = (0..300).map(|_| Client::connect(hny.address())).collect();
        for client in &mut waiting {
            client.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
        }
        hny.terminate();
        hny.resume();
        for client in &mut waiting {
            // Some are let in and answered before the signal is looked at.
            assert_eq!(client.receive("GET").status, 200, "{places} places");
            assert_eq!(client.closed(), b"");
        }
        assert_stops_cleanly(&mut hny);
    }
}

/// The time between the last look into the queue and the end of the listener is stretched, so that clients connect in it.
#[test]
fn who_connects_while_the_listener_closes_is_answered_or_refused() {
    let program = program();
    let strace = Strace::of("accept4").inject("accept4:delay_exit=20000");
    let mut hny = program.clone().under(strace.command(&program.folder().join("trace"))).start();
    let address = hny.address();
    let (tell, answered) = channel();
    let visit_until_refused = |tell: Sender<()>| {
        while let Ok(mut client) = Client::try_connect(address) {
            let answer = client.try_request("GET", "/healthz", &[], b"").expect("who is let in is answered");
            assert_eq!(answer.status, 200);
            // Who listens may have heard enough.
            let _ = tell.send(());
        }
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            let tell = tell.clone();
            scope.spawn(|| visit_until_refused(tell));
        }
        for _ in 0..4 {
            answered.recv_timeout(DEADLINE).expect("a running node answers");
        }
        hny.terminate();
    });
    assert_stops_cleanly(&mut hny);
}

#[test]
fn what_does_not_finish_in_the_drain_timeout_is_cut_off() {
    let program = program().env("HNY_DRAIN_TIMEOUT", "1s").env("HNY_READ_TIMEOUT", "60s");
    let mut hny = program.start();
    let mut running = Upload::begin(hny.address(), "https://example.com/late");
    hny.terminate();
    assert_eq!(running.closed(), "", "no answer to half a request");
    assert_cuts_off(&mut hny);
    let hny = program.start();
    assert_eq!(visit::target(&mut Client::connect(hny.address()), "late"), None);
}

#[test]
fn the_drain_timeout_also_holds_while_somebody_waits_for_a_place() {
    let program =
        program().env("HNY_DRAIN_TIMEOUT", "1s").env("HNY_READ_TIMEOUT", "60s").env("HNY_IDLE_TIMEOUT", "60s");
    let mut hny = program.env("HNY_MAX_CONNECTIONS", "1").start();
    let running = Upload::begin(hny.address(), "https://example.com/late");
    let mut waiting = Client::connect(hny.address());
    waiting.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    hny.terminate();
    assert_cuts_off(&mut hny);
    drop(running);
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let mut hny = program().env("HNY_DRAIN_DELAY", "1h").start();
    hny.terminate();
    // Two signals that arrive together are one, so the first must have done its work.
    wait_until_it_drains(&hny);
    hny.interrupt();
    assert_eq!(hny.wait(SOON).code(), Some(1));
}

#[test]
fn who_has_sent_all_and_says_so_is_answered() {
    let hny = program().start();
    for number in 0..50 {
        let mut client = Client::connect(hny.address());
        let body = serde_json::json!({"originalUrl": format!("https://example.com/{number}")}).to_string();
        let head = "POST /api/shorten HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length:";
        client.send(format!("{head} {}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
        client.finish_sending();
        assert_eq!(client.receive("POST").status, 201);
        let mut client = Client::connect(hny.address());
        client.send(b"GET /unknown HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
        client.finish_sending();
        assert_eq!(client.receive("GET").status, 404);
    }
}

#[test]
fn an_interrupt_stops_it_as_sigterm_does() {
    let mut hny = program().start();
    let mut idle = Client::connect(hny.address());
    visit::shorten(&mut idle, "https://example.com/");
    hny.interrupt();
    assert_eq!(idle.closed(), b"");
    assert_stops_cleanly(&mut hny);
}

#[test]
fn creates_under_way_are_durable_when_it_stops() {
    let mut hny = program().start();
    let load = Load::start(hny.address(), "stop");
    load.wait_for(300);
    hny.terminate();
    assert_stops_cleanly(&mut hny);
    let mut ledger = Ledger::default();
    ledger.note(load.finish());
    ledger.check(&hny.program().start());
}

/// The signal has been heard and everyone knows.
fn wait_until_it_drains(hny: &Running) {
    hny.wait_for_line(|line| line.contains("draining").then_some(()));
}

/// Asserts that this is the answer to a GET, and that it is the last one on this connection.
fn assert_last_answer(client: &mut Client, path: &str, status: u16) {
    let answer = client.get(path);
    assert_eq!((answer.status, answer.header("Connection")), (status, Some("close")), "{path}: {answer:?}");
    assert_eq!(client.closed(), b"");
}

/// Connects until that is refused: without a delay the listener closes when it has let in who had come before.
fn assert_refuses_soon(address: SocketAddr) {
    let end = Instant::now() + SOON;
    while let Ok(late) = Client::try_connect(address) {
        assert!(Instant::now() < end, "it still lets connections in");
        drop(late);
    }
}

/// It ends with 0, has said so, and has written the log of the database back into its file.
fn assert_stops_cleanly(hny: &mut Running) {
    assert_eq!(hny.wait(DEADLINE).code(), Some(0), "{}", hny.stderr());
    let last = hny.stderr().lines().last().map(str::to_owned).unwrap_or_default();
    assert!(last.ends_with(": stopped"), "{last}");
    let log = hny.program().database().with_extension("db-wal");
    assert!(!log.exists(), "{} is left", log.display());
}

fn assert_cuts_off(hny: &mut Running) {
    assert_eq!(hny.wait(SOON).code(), Some(0), "{}", hny.stderr());
    let said = hny.stderr();
    assert!(said.contains("WARN") && said.contains("cut off requests"), "{said}");
}

/// A create whose head was read and whose body has arrived by half.
struct Upload {
    stream: TcpStream,
    rest: String,
}

impl Upload {
    fn begin(address: SocketAddr, target: &str) -> Self {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let body = serde_json::json!({"originalUrl": target, "customCode": "late"}).to_string();
        let head = format!(
            "POST /api/shorten HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {}\r\nExpect: \
             100-continue\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        // This answer shows that the request runs.
        let mut interim = [0; b"HTTP/1.1 100 Continue\r\n\r\n".len()];
        stream.read_exact(&mut interim).unwrap();
        assert!(interim.starts_with(b"HTTP/1.1 100 "), "{}", interim.escape_ascii());
        let (first, rest) = body.split_at(body.len() / 2);
        stream.write_all(first.as_bytes()).unwrap();
        Self { stream, rest: rest.to_owned() }
    }

    /// Sends the rest; what comes back until the connection is closed.
    fn finish(&mut self) -> String {
        self.stream.write_all(self.rest.as_bytes()).unwrap();
        self.closed()
    }

    fn closed(&mut self) -> String {
        let mut answer = Vec::new();
        match self.stream.read_to_end(&mut answer) {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
            Err(error) => panic!("the connection is kept: {error}"),
        }
        String::from_utf8_lossy(&answer).into_owned()
    }
}
