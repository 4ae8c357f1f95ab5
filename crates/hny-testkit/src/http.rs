//! A blocking HTTP/1.1 client that sends exactly what it is given and shows exactly what came back.

mod body;
mod response;

pub use response::Response;

use crate::DEADLINE;
use std::io::{ErrorKind, Read, Result, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// One connection, kept alive. It follows no redirect, cleans up no target, decodes no content.
pub struct Client {
    stream: TcpStream,
    address: SocketAddr,
    deadline: Duration,
    /// Bytes that came behind the last answer.
    pending: Vec<u8>,
}

impl Client {
    /// Connects; panics when nobody listens there.
    pub fn connect(address: SocketAddr) -> Self {
        Self::try_connect(address).unwrap_or_else(|error| panic!("cannot connect to {address}: {error}"))
    }

    /// Connects, for tests in which the program may be gone.
    pub fn try_connect(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect_timeout(&address, DEADLINE)?;
        // A request leaves at once, also when a test writes it in pieces.
        stream.set_nodelay(true)?;
        Ok(Self { stream, address, deadline: DEADLINE, pending: Vec::new() })
    }

    /// Waits at most this long for each answer (a number of seconds that a promise states, or [`DEADLINE`]).
    pub fn set_deadline(&mut self, deadline: Duration) {
        self.deadline = deadline;
    }

    /// The address on our side of the connection.
    pub fn local_address(&self) -> SocketAddr {
        self.stream.local_addr().unwrap_or_else(|error| panic!("the connection has no address: {error}"))
    }

    /// Sends a request and returns its answer. `target` is sent as it is (`//evil.example/`, `/%2F`, `*`). `Host` and
    /// `Content-Length` are added when `headers` lack them and the request needs them.
    pub fn request(&mut self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let answer = self.try_request(method, target, headers, body);
        answer.unwrap_or_else(|error| panic!("{method} {target} to {}: {error}", self.address))
    }

    /// As [`request`](Self::request), for tests in which the program may die or close the connection.
    pub fn try_request(
        &mut self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Response> {
        let bytes = request_bytes(self.address, method, target, headers, body);
        let sent = self.stream.write_all(&bytes);
        // A server may answer and close before it has read a body that it refuses.
        self.try_receive(method).map_err(|silence| sent.err().unwrap_or(silence))
    }

    /// GET without further headers.
    pub fn get(&mut self, target: &str) -> Response {
        self.request("GET", target, &[], b"")
    }

    /// HEAD without further headers; the answer has no body, whatever its `Content-Length` says.
    pub fn head(&mut self, target: &str) -> Response {
        self.request("HEAD", target, &[], b"")
    }

    /// POST of a JSON document.
    pub fn post_json(&mut self, target: &str, document: &serde_json::Value) -> Response {
        self.request("POST", target, &[("Content-Type", "application/json")], document.to_string().as_bytes())
    }

    /// Sends `bytes` as they are and returns the answer to them, read as the answer to a GET.
    pub fn raw(&mut self, bytes: &[u8]) -> Response {
        self.send(bytes).and_then(|()| self.try_receive("GET")).unwrap_or_else(|error| {
            panic!("`{}` to {}: {error}", bytes.escape_ascii(), self.address);
        })
    }

    /// Sends `bytes` as they are, and waits for nothing: for pieces of requests and for pipelines.
    pub fn send(&mut self, bytes: &[u8]) -> Result<()> {
        self.stream.write_all(bytes)
    }

    /// Sends `bytes` one at a time with a pause after each, and returns how many the other side took before it closed
    /// the connection or answered.
    pub fn send_slowly(&mut self, bytes: &[u8], pause: Duration) -> usize {
        for (sent, byte) in bytes.chunks(1).enumerate() {
            if self.stream.write_all(byte).is_err() || self.hears_within(pause) {
                return sent + 1;
            }
        }
        bytes.len()
    }

    /// Whether an answer or the end of the connection comes within `pause`.
    fn hears_within(&mut self, pause: Duration) -> bool {
        let peeked = self.stream.set_read_timeout(Some(pause)).and_then(|()| self.stream.peek(&mut [0]));
        let nothing = [ErrorKind::WouldBlock, ErrorKind::TimedOut, ErrorKind::Interrupted];
        !peeked.is_err_and(|error| nothing.contains(&error.kind()))
    }

    /// The next answer on the connection, to a request with this method.
    pub fn receive(&mut self, method: &str) -> Response {
        self.try_receive(method).unwrap_or_else(|error| panic!("no answer from {}: {error}", self.address))
    }

    /// The next answer, or why there is none: [`ErrorKind::UnexpectedEof`] when the connection was closed,
    /// [`ErrorKind::TimedOut`] after the deadline.
    pub fn try_receive(&mut self, method: &str) -> Result<Response> {
        let end = Instant::now() + self.deadline;
        loop {
            let response = response::read(self, method, end)?;
            // Interim answers (100 Continue) announce the one that counts.
            if response.status >= 200 || response.status == 101 {
                return Ok(response);
            }
        }
    }

    /// Waits for the other side to close the connection, and returns what it sent before that.
    pub fn closed(&mut self) -> Vec<u8> {
        let end = Instant::now() + self.deadline;
        loop {
            match self.fill(end) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::TimedOut => {
                    panic!("{} keeps the connection: {error}", self.address)
                }
                // Closed, or reset because it did not want what we sent.
                Err(_) => return std::mem::take(&mut self.pending),
            }
        }
    }

    /// Says that no more will be sent, and keeps reading.
    pub fn finish_sending(&mut self) {
        // A connection that the other side has reset has nothing left to finish.
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Reads at least one more byte into `pending`.
    fn fill(&mut self, end: Instant) -> Result<()> {
        let mut bytes = [0; 16 * 1024];
        let read = loop {
            let left = end.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            self.stream.set_read_timeout(Some(left))?;
            match self.stream.read(&mut bytes) {
                // A read with a time limit is not taken up again by the system after a signal.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        match read {
            Ok(0) => Err(response::closed_after(&self.pending)),
            Ok(read) => {
                self.pending.extend_from_slice(&bytes[..read]);
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                Err(response::late_after(self.deadline, &self.pending))
            }
            Err(error) => Err(error),
        }
    }
}

/// The bytes of a request.
fn request_bytes(address: SocketAddr, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let given = |name: &str| headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
    let carries = !body.is_empty() || matches!(method, "POST" | "PUT" | "PATCH");
    let host = format!("Host: {address}\r\n");
    let length = format!("Content-Length: {}\r\n", body.len());
    let mut bytes = format!("{method} {target} HTTP/1.1\r\n").into_bytes();
    if !given("Host") {
        bytes.extend_from_slice(host.as_bytes());
    }
    for (name, value) in headers {
        bytes.extend_from_slice(&[name.as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    if carries && !given("Content-Length") && !given("Transfer-Encoding") {
        bytes.extend_from_slice(length.as_bytes());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    bytes
}

#[cfg(test)]
mod tests;
