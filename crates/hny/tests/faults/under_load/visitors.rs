//! Many visitors who check what they are told.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use bench_visitors::{Draw, Plan, Traffic, visit};
use hny_testkit::DEADLINE;
use rustix::net::{AddressFamily, SocketType, bind, connect, socket};

/// How many ask at a time.
const CONNECTIONS: usize = 32;

/// After how long they look whether they are to stop.
const WHILE: Duration = Duration::from_millis(100);

/// Visitors who ask for the first links of the benches, again and again, on a thread of their own.
pub(super) struct Visitors {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<usize>,
}

impl Visitors {
    /// Has them ask for the first `links`.
    pub(super) fn start(address: SocketAddr, links: u64) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let mut traffic = Traffic::new(Draw::Any(links), 0);
            let mut answers = 0;
            while !stopped.load(Ordering::Relaxed) {
                answers += ask(address, &mut traffic, WHILE);
            }
            answers
        });
        Self { stop, thread }
    }

    /// Stops them; how many right answers they got. A wrong one is a panic.
    pub(super) fn stop(self) -> usize {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("every answer was right")
    }
}

/// Asks until `time` is over or `traffic` has no more; how many right answers came.
pub(super) fn ask(address: SocketAddr, traffic: &mut Traffic, time: Duration) -> usize {
    let plan = Plan { address, connections: CONNECTIONS, fresh: false, key: "", watches: false };
    visit(&plan, traffic, time).unwrap_or_else(|error| panic!("{error}")).latencies.len()
}

/// Comes from each of the addresses and asks for something.
pub(super) fn come_from(addresses: impl Iterator<Item = Ipv4Addr>, to: SocketAddr) {
    for address in addresses {
        let mut stream = connected(address, to).unwrap_or_else(|error| panic!("from {address}: {error}"));
        stream.write_all(b"GET /nobody HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").expect("the program reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the program answers");
        assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    }
}

fn connected(from: Ipv4Addr, to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    bind(&socket, &SocketAddr::from((from, 0)))?;
    connect(&socket, &to)?;
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(DEADLINE))?;
    Ok(stream)
}
