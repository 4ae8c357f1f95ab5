//! Two nodes behind nginx, restarted in turn under load: nobody notices.

use std::io;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use hny_testkit::{Client, DEADLINE, Postgres, Program, Response, Running, Strace, read_trace};
use serde_json::json;

use crate::ledger::Ledger;
use crate::load::Attempt;
use crate::proxy::{site, start};
use crate::{program, visit};

/// How many clients make links and follow them.
const CLIENTS: usize = 8;

/// How long each of them waits between two requests.
const PAUSE: Duration = Duration::from_millis(2);

/// How often each node is restarted.
const ROUNDS: usize = 2;

/// As `deploy/nginx/hny.conf` asks for: more than the time for which nginx keeps an idle connection, or leaves a node out.
const DRAIN_DELAY: &str = "4s";

#[test]
fn no_request_is_lost_while_nodes_are_restarted_in_turn() {
    assert_nothing_is_lost(&program());
}

#[test]
fn no_request_is_lost_while_nodes_over_postgresql_are_restarted_in_turn() {
    let server = Postgres::start();
    assert_nothing_is_lost(&program().env("HNY_DATABASE_URL", server.url("postgres")));
}

/// Restarts two nodes of this program in turn under load.
fn assert_nothing_is_lost(program: &Program) {
    let program = program.clone().env("HNY_DRAIN_DELAY", DRAIN_DELAY);
    let mut nodes = [program.start(), program.start()];
    let nginx = start(site([nodes[0].address(), nodes[1].address()]));
    let clients = Clients::start(nginx.address());
    for _ in 0..ROUNDS {
        for node in &mut nodes {
            clients.wait_for(CLIENTS);
            restart(node);
        }
    }
    clients.wait_for(CLIENTS);
    let mut ledger = Ledger::default();
    for work in clients.finish() {
        assert_eq!(work.lost, [""; 0], "lost by one of {CLIENTS} clients");
        ledger.note(work.made);
    }
    for node in &nodes {
        ledger.check(node);
    }
}

/// Whoever connects before a node can answer would have to wait, and would be lost if the start failed; refused, they are
/// passed over to another one.
#[test]
fn a_node_that_starts_takes_no_connection_before_it_has_its_database() {
    let program = program();
    let file = program.folder().join("trace");
    let mut hny = program.clone().under(Strace::of("bind,listen,openat").command(&file)).start();
    hny.terminate();
    assert!(hny.wait(DEADLINE).success());
    let trace = read_trace(&file);
    let first = |call: &str, what: &str| {
        let found = trace.iter().find(|event| event.call == call && event.arguments.contains(what));
        found.unwrap_or_else(|| panic!("no {call} of {what}: {trace:?}"))
    };
    let (bound, opened, listening) = (first("bind", "TCP"), first("openat", "hny.db"), first("listen", "TCP"));
    assert!(bound.before(opened), "an address that is taken is found out first");
    assert!(opened.before(listening));
}

/// Restarts a node on its address; returns when it is ready.
fn restart(node: &mut Running) {
    node.terminate();
    assert!(node.wait(DEADLINE).success(), "{}", node.stderr());
    let said = node.stderr();
    assert!(!said.contains("cut off"), "{said}");
    node.start_again();
    assert_eq!(Client::connect(node.address()).get("/readyz").status, 200);
}

/// Clients that make links and follow them until they are told to stop.
struct Clients {
    stop: Vec<Sender<()>>,
    threads: Vec<JoinHandle<Work>>,
    done: Receiver<()>,
}

/// What a client has done.
#[derive(Debug, Default)]
struct Work {
    made: Vec<Attempt>,
    /// Requests that failed, and how.
    lost: Vec<String>,
}

impl Clients {
    fn start(address: SocketAddr) -> Self {
        let (tell, done) = channel();
        let client = |number| {
            let (tell, (stop, stopped)) = (tell.clone(), channel());
            (stop, thread::spawn(move || Work::until(&stopped, address, number, &tell)))
        };
        let (stop, threads) = (0..CLIENTS).map(client).unzip();
        Self { stop, threads, done }
    }

    /// Waits until so many links more were made and followed.
    fn wait_for(&self, links: usize) {
        let news = self.done.try_iter().count();
        for _ in 0..links {
            self.done.recv_timeout(DEADLINE).unwrap_or_else(|_| panic!("no more links are made, after {news}"));
        }
    }

    /// Stops them; what they have done.
    fn finish(self) -> Vec<Work> {
        drop(self.stop);
        self.threads.into_iter().map(|client| client.join().expect("no client panics")).collect()
    }
}

impl Work {
    fn until(stopped: &Receiver<()>, address: SocketAddr, client: usize, tell: &Sender<()>) -> Self {
        let mut work = Self::default();
        let mut connection = Connection::new(address);
        for number in 0.. {
            work.make_and_follow(&mut connection, &format!("https://example.com/{client}/{number}"));
            // Who counts may have counted enough.
            let _ = tell.send(());
            if stopped.recv_timeout(PAUSE) != Err(RecvTimeoutError::Timeout) {
                break;
            }
        }
        work
    }

    fn make_and_follow(&mut self, connection: &mut Connection, target: &str) {
        let made = connection.send("POST", "/api/shorten", json!({"originalUrl": target}).to_string().as_bytes());
        let Some(made) = self.expect("POST", made, 201) else { return };
        let code = visit::code(&made.json());
        let visit = connection.send("GET", &format!("/{code}"), b"");
        if let Some(visit) = self.expect("GET", visit, 302) {
            assert_eq!(visit.header("Location"), Some(target));
        }
        self.made.push(Attempt { target: target.to_owned(), code: Some(code), is_acknowledged: true });
    }

    fn expect(&mut self, method: &str, answer: io::Result<Response>, status: u16) -> Option<Response> {
        match answer {
            Ok(answer) if answer.status == status => return Some(answer),
            other => self.lost.push(format!("{method}: {other:?}")),
        }
        None
    }
}

/// A connection that is opened anew when the other side has said that it ends.
struct Connection {
    address: SocketAddr,
    client: Option<Client>,
}

impl Connection {
    fn new(address: SocketAddr) -> Self {
        Self { address, client: None }
    }

    fn send(&mut self, method: &str, target: &str, body: &[u8]) -> io::Result<Response> {
        let mut client = match self.client.take() {
            Some(client) => client,
            None => Client::try_connect(self.address)?,
        };
        let answer = client.try_request(method, target, &[("Content-Type", "application/json")], body)?;
        if answer.header("Connection") != Some("close") {
            self.client = Some(client);
        }
        Ok(answer)
    }
}
