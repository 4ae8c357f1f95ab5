//! One answer, and how it is read from a connection.

use super::{Client, body};
use std::io::{Error, ErrorKind, Result};
use std::time::{Duration, Instant};

/// An answer as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// All header fields in the order they came, names as they were spelt.
    pub fields: Vec<(String, Vec<u8>)>,
    /// The body, without the framing of chunks; not decompressed.
    pub body: Vec<u8>,
}

impl Response {
    /// The value of a header field that may come once at most; panics when it came twice or is not text.
    pub fn header(&self, name: &str) -> Option<&str> {
        let values = self.headers(name);
        assert!(values.len() <= 1, "{name} came {} times: {values:?}", values.len());
        values.first().copied()
    }

    /// All values of a header field, in order; panics when one is not text.
    pub fn headers(&self, name: &str) -> Vec<&str> {
        let named = self.fields.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name));
        named.map(|(_, value)| text(value)).collect()
    }

    /// The body as text; panics when it is not UTF-8.
    pub fn text(&self) -> &str {
        text(&self.body)
    }

    /// The body as JSON; panics when it is not.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!("status {}, body `{}` is not JSON: {error}", self.status, self.body.escape_ascii())
        })
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("`{}` is not UTF-8: {error}", bytes.escape_ascii()))
}

/// Reads one answer, interim or final.
pub(super) fn read(client: &mut Client, method: &str, end: Instant) -> Result<Response> {
    let (mut response, length) = loop {
        if let Some(head) = parse_head(&client.pending)? {
            break head;
        }
        client.fill(end)?;
    };
    client.pending.drain(..length);
    response.body = body::read(client, body::framing(method, &response)?, end)?;
    Ok(response)
}

/// The head in `bytes` and its length, or `None` while it is not complete.
pub(super) fn parse_head(bytes: &[u8]) -> Result<Option<(Response, usize)>> {
    let mut fields = [httparse::EMPTY_HEADER; 128];
    let mut head = httparse::Response::new(&mut fields);
    match head.parse(bytes) {
        Ok(httparse::Status::Partial) => Ok(None),
        Ok(httparse::Status::Complete(length)) => {
            let fields = head.headers.iter().map(|field| (field.name.to_owned(), field.value.to_owned())).collect();
            let response = Response { status: head.code.unwrap_or_default(), fields, body: Vec::new() };
            Ok(Some((response, length)))
        }
        Err(error) => Err(malformed(&format!("{error} in the head `{}`", bytes.escape_ascii()))),
    }
}

pub(super) fn malformed(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("not an HTTP/1.1 answer: {what}"))
}

pub(super) fn closed_after(bytes: &[u8]) -> Error {
    Error::new(ErrorKind::UnexpectedEof, format!("the connection was closed after `{}`", bytes.escape_ascii()))
}

pub(super) fn late_after(deadline: Duration, bytes: &[u8]) -> Error {
    Error::new(ErrorKind::TimedOut, format!("nothing more came within {deadline:?} after `{}`", bytes.escape_ascii()))
}
