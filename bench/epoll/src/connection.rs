//! One connection: what came in, and whether that is a request.

use crate::answer::Answer;
use memchr::memmem;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;

/// A connection, and the beginning of a request whose end has not come.
pub(crate) struct Connection {
    stream: TcpStream,
    begun: Vec<u8>,
}

/// Whether a connection goes on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Then {
    Keep,
    Close,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, begun: Vec::new() }
    }

    /// Reads what has come and answers it. What has come fits into `buffer`, or the client is none of ours.
    pub(crate) fn serve(&mut self, buffer: &mut [u8], answer: &Answer) -> Then {
        let read = match (&self.stream).read(buffer) {
            Ok(read) if read > 0 && read < buffer.len() => &buffer[..read],
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Then::Keep,
            Ok(_) | Err(_) => return Then::Close,
        };
        if self.begun.is_empty() && read.ends_with(b"\r\n\r\n") {
            return respond(&self.stream, read, answer);
        }
        self.begun.extend_from_slice(read);
        if !self.begun.ends_with(b"\r\n\r\n") {
            return Then::Keep;
        }
        let request = std::mem::take(&mut self.begun);
        respond(&self.stream, &request, answer)
    }
}

fn respond(mut stream: &TcpStream, request: &[u8], answer: &Answer) -> Then {
    if !request.starts_with(b"GET /") {
        return Then::Close;
    }
    let closes = memmem::find(request, b"\r\nConnection: close\r\n").is_some();
    let answer = answer.to(closes);
    // An answer is small and the socket's buffer empty: it goes out whole, or not at all.
    let sent = stream.write(answer).is_ok_and(|sent| sent == answer.len());
    if sent && !closes { Then::Keep } else { Then::Close }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn pair() -> (TcpStream, Connection) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let client = TcpStream::connect(listener.local_addr().expect("it is bound")).expect("it listens");
        let (server, _) = listener.accept().expect("a client has come");
        (client, Connection::new(server))
    }

    /// Sends the pieces, each of which the server sees before the next is sent, and returns the answer and what then.
    fn answered(pieces: &[&str]) -> (String, Then) {
        let (mut client, mut connection) = pair();
        let mut then = Then::Keep;
        for piece in pieces {
            client.write_all(piece.as_bytes()).expect("the connection is open");
            then = connection.serve(&mut [0; 4096], &Answer::new("https://example.com/"));
        }
        drop(connection);
        let mut answer = String::new();
        client.read_to_string(&mut answer).expect("the answer is text");
        (answer, then)
    }

    #[test]
    fn a_request_is_answered_also_in_pieces() {
        for pieces in [&["GET /a HTTP/1.1\r\nHost: a\r\n\r\n"][..], &["GET /a HT", "TP/1.1\r\nHost: a\r\n\r", "\n"]] {
            let (answer, then) = answered(pieces);
            assert!(answer.starts_with("HTTP/1.1 302 Found\r\nlocation: https://example.com/\r\n"), "{answer}");
            assert_eq!(then, Then::Keep);
        }
    }

    #[test]
    fn a_connection_ends_when_its_client_says_so() {
        let (answer, then) = answered(&["GET /a HTTP/1.1\r\nConnection: close\r\n\r\n"]);
        assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
        assert_eq!(then, Then::Close);
        assert_eq!(answered(&["POST /a HTTP/1.1\r\n\r\n"]), (String::new(), Then::Close));
    }
}
