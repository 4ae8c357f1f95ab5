//! One connection: what it asked, and whether the answer is right.

use crate::answer::{self, Answer};
use crate::traffic::Wish;
use crate::{Plan, VisitError, links, person};
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;

/// The bytes of requests. A person's browser says more, a health check less.
pub(crate) struct Requests {
    address: SocketAddr,
    /// What follows the path of a visit: up to the fields that say who comes, those of everybody, and the end.
    host: String,
    everybody: String,
    end: &'static str,
    key: String,
    bytes: Vec<u8>,
}

impl Requests {
    pub(crate) fn new(plan: &Plan<'_>) -> Self {
        let browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
        let end = if plan.fresh { "\r\nAccept: */*\r\nConnection: close\r\n\r\n" } else { "\r\nAccept: */*\r\n\r\n" };
        let host = format!(" HTTP/1.1\r\nHost: {}", plan.address);
        let everybody = format!("\r\nUser-Agent: {browser}");
        Self { address: plan.address, host, everybody, end, key: plan.key.to_owned(), bytes: Vec::new() }
    }

    fn bytes_of(&mut self, wish: Wish, person: Option<(u64, u64)>) -> &[u8] {
        self.bytes.clear();
        match wish {
            Wish::Follow(code) | Wish::Fixed(_, code) | Wish::Miss(code) => {
                self.bytes.extend_from_slice(b"GET /");
                self.bytes.extend_from_slice(&code);
                self.bytes.extend_from_slice(self.host.as_bytes());
                match person {
                    Some((person, whence)) => person::write_fields(&mut self.bytes, person, whence),
                    None => self.bytes.extend_from_slice(self.everybody.as_bytes()),
                }
                self.bytes.extend_from_slice(self.end.as_bytes());
            }
            Wish::Create(number) => self.bytes.extend_from_slice(self.create(number).as_bytes()),
        }
        &self.bytes
    }

    fn create(&self, number: u64) -> String {
        let body = format!(r#"{{"originalUrl":"{}new-{number}"}}"#, links::TARGET);
        let Self { address, key, .. } = self;
        let head = format!("POST /api/shorten HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\n");
        format!("{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len())
    }
}

/// A connection.
pub(crate) struct Visitor {
    stream: TcpStream,
    wish: Option<Wish>,
    asked: Instant,
    /// The beginning of an answer whose end has not come.
    begun: Vec<u8>,
    /// The bytes of an answer that was right, when the end of the connection is still waited for.
    answered: Option<usize>,
}

/// What comes after what was heard.
pub(crate) enum Next {
    Wait,
    /// The answer had so many bytes, and the connection is free.
    Ask(usize),
}

impl Visitor {
    pub(crate) fn connect(address: SocketAddr) -> Result<Self> {
        let asked = Instant::now();
        let stream = TcpStream::connect(address)?;
        stream.set_nonblocking(true)?;
        Ok(Self { stream, wish: None, asked, begun: Vec::new(), answered: None })
    }

    pub(crate) fn stream(&self) -> &TcpStream {
        &self.stream
    }

    pub(crate) fn asked(&self) -> Instant {
        self.asked
    }

    pub(crate) fn ask(
        &mut self,
        wish: Wish,
        person: Option<(u64, u64)>,
        requests: &mut Requests,
        now: Instant,
    ) -> Result<()> {
        (self.wish, self.asked) = (Some(wish), now);
        let bytes = requests.bytes_of(wish, person);
        let sent = (&self.stream).write(bytes)?;
        // A request is small and the socket's buffer empty.
        if sent == bytes.len() { Ok(()) } else { Err(Error::other("the system took a part of a request only")) }
    }

    /// Takes what has come. When `closes`, the other side has to close the connection behind its answer.
    pub(crate) fn hear(&mut self, buffer: &mut [u8], closes: bool) -> std::result::Result<Next, VisitError> {
        let Some(wish) = self.wish else { return Ok(Next::Wait) };
        loop {
            let read = match (&self.stream).read(buffer) {
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(Next::Wait),
                Err(source) => return Err(failed(wish, &source.to_string())),
            };
            match (read, self.answered) {
                (0, Some(bytes)) => return Ok(self.done(bytes)),
                (0, None) => return Err(failed(wish, "the connection was closed")),
                (_, Some(_)) => return Err(failed(wish, "more came behind the answer")),
                (read, None) => self.answered = self.take(wish, &buffer[..read])?,
            }
            match self.answered {
                Some(bytes) if !closes => return Ok(self.done(bytes)),
                // Less than asked for: there is no more now.
                None if read < buffer.len() => return Ok(Next::Wait),
                _ => {}
            }
        }
    }

    fn done(&mut self, bytes: usize) -> Next {
        (self.wish, self.answered) = (None, None);
        Next::Ask(bytes)
    }

    /// The number of bytes of the answer, once it is whole and right.
    fn take(&mut self, wish: Wish, read: &[u8]) -> std::result::Result<Option<usize>, VisitError> {
        if !self.begun.is_empty() {
            self.begun.extend_from_slice(read);
        }
        let bytes = if self.begun.is_empty() { read } else { &self.begun };
        let wrong = || failed(wish, &String::from_utf8_lossy(bytes));
        let whole = match answer::read(bytes).map_err(|_| wrong())? {
            None => None,
            Some(answer) if is_right(wish, &answer) && answer.bytes == bytes.len() => Some(answer.bytes),
            Some(_) => return Err(wrong()),
        };
        match whole {
            Some(_) => self.begun.clear(),
            None if self.begun.is_empty() => self.begun.extend_from_slice(read),
            None => {}
        }
        Ok(whole)
    }
}

fn is_right(wish: Wish, answer: &Answer<'_>) -> bool {
    let leads = |target: &str, code: links::Code| {
        let rest = answer.location.strip_prefix(target.as_bytes());
        answer.status == 302 && rest == Some(&code[..])
    };
    match wish {
        Wish::Follow(code) => leads(links::TARGET, code),
        Wish::Fixed(target, code) => leads(target, code),
        Wish::Miss(_) => answer.status == 404,
        Wish::Create(_) => answer.status == 201,
    }
}

fn failed(wish: Wish, said: &str) -> VisitError {
    let asked = match wish {
        Wish::Follow(code) | Wish::Fixed(_, code) | Wish::Miss(code) => format!("GET /{}", links::text(code)),
        Wish::Create(_) => "POST /api/shorten".to_owned(),
    };
    VisitError::Wrong { asked, said: said.to_owned() }
}
