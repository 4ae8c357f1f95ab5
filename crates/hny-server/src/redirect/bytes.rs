//! Answers as bytes, field for field what hyper would send.

use hny_domain::RedirectStatus;
use http::header::CONTENT_LENGTH;

use super::date::Date;
use crate::body::{Body, Response};
use crate::cache_policy::CachePolicy;

/// How an answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ending {
    /// Whether it is the last one on its connection.
    pub(crate) is_last: bool,
    /// When it is given.
    pub(crate) date: Date,
}

impl Ending {
    /// Ends a head.
    pub(super) fn put(&self, output: &mut Vec<u8>) {
        if self.is_last {
            output.extend_from_slice(b"connection: close\r\n");
        }
        output.extend_from_slice(b"date: ");
        output.extend_from_slice(self.date.as_bytes());
        output.extend_from_slice(b"\r\n\r\n");
    }
}

/// Puts a redirect. `false`, and nothing put, when the location is not what a field may hold.
pub(super) fn put_redirect(
    location: &str,
    status: RedirectStatus,
    policy: CachePolicy,
    ending: &Ending,
    output: &mut Vec<u8>,
) -> bool {
    // A target is printable ASCII, from the day it is stored: only a damaged database says otherwise, and it shall not
    // write fields of its own.
    if !location.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return false;
    }
    output.extend_from_slice(match status {
        RedirectStatus::MovedPermanently => b"HTTP/1.1 301 Moved Permanently\r\nlocation: ",
        RedirectStatus::Found => b"HTTP/1.1 302 Found\r\nlocation: ",
        RedirectStatus::TemporaryRedirect => b"HTTP/1.1 307 Temporary Redirect\r\nlocation: ",
        RedirectStatus::PermanentRedirect => b"HTTP/1.1 308 Permanent Redirect\r\nlocation: ",
    });
    output.extend_from_slice(location.as_bytes());
    output.extend_from_slice(b"\r\ncache-control: ");
    output.extend_from_slice(policy.header().as_bytes());
    output.extend_from_slice(b"\r\nx-robots-tag: noindex\r\ncontent-length: 0\r\n");
    ending.put(output);
    true
}

/// Puts any response whose body is at hand.
pub(super) fn put_response(response: &Response, is_head: bool, ending: &Ending, output: &mut Vec<u8>) {
    let (head, body) = written(response);
    output.extend_from_slice(&head);
    output.extend_from_slice(&written_length(body));
    ending.put(output);
    if !is_head {
        output.extend_from_slice(body);
    }
}

/// A response without the length of its body and its ending, and its body.
pub(super) fn written(response: &Response) -> (Vec<u8>, &[u8]) {
    let body: &[u8] = match response.body() {
        Body::Full(bytes) => bytes,
        // Nothing on the road of a visit comes from the router.
        Body::Empty | Body::Router(_) => &[],
    };
    let mut head = Vec::with_capacity(512);
    // Writes the number and its name.
    head.extend_from_slice(format!("HTTP/1.1 {}\r\n", response.status()).as_bytes());
    // The length comes last.
    for (name, value) in response.headers().iter().filter(|(name, _)| *name != CONTENT_LENGTH) {
        for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
            head.extend_from_slice(part);
        }
    }
    (head, body)
}

/// The field that says how long a body is. It comes last, as hyper has it.
pub(super) fn written_length(body: &[u8]) -> Vec<u8> {
    format!("content-length: {}\r\n", body.len()).into_bytes()
}

#[cfg(test)]
mod tests;
