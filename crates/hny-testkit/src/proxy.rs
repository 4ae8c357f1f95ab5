//! A wire that can be cut.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Hands on what clients and a server say to each other, and can lose it. Ends with the process of the test.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    wire: Arc<Wire>,
}

#[derive(Debug, Default)]
struct Wire {
    swallows_answers: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
}

impl Proxy {
    /// A way to `server` by a free port of the loopback address.
    pub fn to(server: SocketAddr) -> Self {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap_or_else(|error| panic!("no free port: {error}"));
        let address = listener.local_addr().unwrap_or_else(|error| panic!("no address: {error}"));
        let wire = Arc::<Wire>::default();
        let shared = Arc::clone(&wire);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if let Ok(server) = TcpStream::connect(server) {
                    shared.connect(&client, &server);
                }
            }
        });
        Self { address, wire }
    }

    /// Where clients find it.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Hands on what clients say and loses what the server answers, until [`cut`](Self::cut).
    pub fn swallow_answers(&self) {
        self.wire.swallows_answers.store(true, Ordering::SeqCst);
    }

    /// Breaks all connections. New ones work.
    pub fn cut(&self) {
        for stream in self.wire.open.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        self.wire.swallows_answers.store(false, Ordering::SeqCst);
    }
}

impl Wire {
    fn connect(self: &Arc<Self>, client: &TcpStream, server: &TcpStream) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        for (from, to, is_answer) in [(client, server, false), (server, client, true)] {
            let (Ok(from), Ok(to), Ok(kept)) = (from.try_clone(), to.try_clone(), from.try_clone()) else { return };
            open.push(kept);
            let wire = Arc::clone(self);
            thread::spawn(move || wire.hand_on(from, to, is_answer));
        }
    }

    fn hand_on(&self, mut from: TcpStream, mut to: TcpStream, is_answer: bool) {
        let mut bytes = [0; 16 * 1024];
        while let Ok(length @ 1..) = from.read(&mut bytes) {
            let is_lost = is_answer && self.swallows_answers.load(Ordering::SeqCst);
            if !is_lost && to.write_all(&bytes[..length]).is_err() {
                break;
            }
        }
        let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
    }
}
