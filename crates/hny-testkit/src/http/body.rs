//! Where a body ends (RFC 9112, section 6.3).

use super::response::malformed;
use super::{Client, Response};
use std::io::{ErrorKind, Result};
use std::time::Instant;

/// How the end of a body is told.
#[derive(Clone, Copy, Debug)]
pub(super) enum Framing {
    None,
    Length(usize),
    Chunked,
    UntilClose,
}

/// How the body of `response`, the answer to a request with `method`, is framed.
pub(super) fn framing(method: &str, response: &Response) -> Result<Framing> {
    if method == "HEAD" || response.status < 200 || matches!(response.status, 204 | 304) {
        return Ok(Framing::None);
    }
    let encodings = response.headers("Transfer-Encoding");
    let lengths = response.headers("Content-Length");
    match (encodings.as_slice(), lengths.as_slice()) {
        ([], []) => Ok(Framing::UntilClose),
        ([], [length]) => {
            length.parse().map(Framing::Length).map_err(|_| malformed(&format!("Content-Length {length}")))
        }
        ([encoding], []) if encoding.eq_ignore_ascii_case("chunked") => Ok(Framing::Chunked),
        _ => Err(malformed(&format!("Transfer-Encoding {encodings:?} with Content-Length {lengths:?}"))),
    }
}

/// Reads a body, and leaves what follows it.
pub(super) fn read(client: &mut Client, framing: Framing, end: Instant) -> Result<Vec<u8>> {
    match framing {
        Framing::None => Ok(Vec::new()),
        Framing::Length(length) => take(client, length, end),
        Framing::Chunked => read_chunks(client, end),
        Framing::UntilClose => loop {
            match client.fill(end) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    return Ok(std::mem::take(&mut client.pending));
                }
                Err(error) => return Err(error),
            }
        },
    }
}

fn read_chunks(client: &mut Client, end: Instant) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = take_line(client, end)?;
        let size = line.split(';').next().unwrap_or_default();
        let size = usize::from_str_radix(size, 16).map_err(|_| malformed(&format!("chunk size `{line}`")))?;
        if size == 0 {
            // Trailer fields, if any, end with an empty line.
            while !take_line(client, end)?.is_empty() {}
            return Ok(body);
        }
        body.extend(take(client, size, end)?);
        if !take_line(client, end)?.is_empty() {
            return Err(malformed("a chunk is longer than its size"));
        }
    }
}

fn take(client: &mut Client, length: usize, end: Instant) -> Result<Vec<u8>> {
    while client.pending.len() < length {
        client.fill(end)?;
    }
    Ok(client.pending.drain(..length).collect())
}

fn take_line(client: &mut Client, end: Instant) -> Result<String> {
    loop {
        if let Some(length) = client.pending.windows(2).position(|pair| pair == b"\r\n") {
            let line = take(client, length + 2, end)?;
            return Ok(String::from_utf8_lossy(&line[..length]).into_owned());
        }
        client.fill(end)?;
    }
}
