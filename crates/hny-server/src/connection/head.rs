//! Reading the head of a request, as far as the plain road needs it (RFC 9112, sections 2 to 6).
//!
//! What is in the least unusual is not judged here: it is left to hyper, which knows all of HTTP/1.

use std::mem::MaybeUninit;

use crate::problem::names_html;
use crate::redirect::{Asked, PlainVisit};
use crate::visitor::Visitor;

/// As many fields as hyper takes.
pub(crate) const MAX_FIELDS: usize = 100;

/// What the first bytes of a connection, or the first behind a request, turn out to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Head<'a> {
    /// The head is not whole yet.
    Partial,
    /// A whole request of `length` bytes for something that may be a short link.
    Plain {
        /// What it asks for.
        visit: PlainVisit<'a>,
        /// How many bytes it has.
        length: usize,
        /// Whether the client wants the connection kept.
        keeps: bool,
    },
    /// Anything else.
    Other(Extent),
}

/// How far a request goes, from its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// So many bytes, head and body together.
    Bytes(u64),
    /// Only who understands it can tell.
    Unknown,
}

/// Reads the head at the beginning of `bytes`.
pub(super) fn read(bytes: &[u8]) -> Head<'_> {
    let mut fields = [const { MaybeUninit::uninit() }; MAX_FIELDS];
    let mut request = httparse::Request::new(&mut []);
    let length = match request.parse_with_uninit_headers(bytes, &mut fields) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Head::Partial,
        // Hyper says what is wrong with it.
        Err(_) => return Head::Other(Extent::Unknown),
    };
    let fields = Fields::of(request.headers);
    let line = match (request.method, request.path, request.version) {
        (Some(method), Some(path), Some(1)) => Line::of(method, path),
        _ => None,
    };
    match line {
        Some(Line { is_head, path, query }) if fields.is_plain => {
            let visit = PlainVisit {
                path,
                host: fields.host,
                asked: Asked { query, rest: None, is_head, wants_html: fields.wants_html, visitor: fields.visitor },
            };
            Head::Plain { visit, length, keeps: fields.keeps }
        }
        _ => Head::Other(fields.extent(length)),
    }
}

/// The line of a visit.
struct Line<'a> {
    is_head: bool,
    path: &'a str,
    query: Option<&'a str>,
}

impl<'a> Line<'a> {
    fn of(method: &str, target: &'a str) -> Option<Self> {
        let is_head = match method {
            "GET" => false,
            "HEAD" => true,
            _ => return None,
        };
        let (path, query) = match target.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (target, None),
        };
        // The path must still prove to be a code, which has letters only, and something behind it is looked at then. Not every byte
        // may stand in a query.
        query.is_none_or(|query| query.bytes().all(is_of_query)).then_some(Self { is_head, path, query })
    }
}

/// The bytes of a query by RFC 3986, section 3.4, and `[` and `]`, which everyone sends and takes.
pub(crate) fn is_of_query(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=:@/?[]".contains(&byte)
}

/// What the fields say that is of interest.
struct Fields<'a> {
    /// None of them asks for anything beyond an answer.
    is_plain: bool,
    keeps: bool,
    wants_html: bool,
    host: Option<&'a [u8]>,
    /// The length of the body; `None` when it cannot be told.
    body: Option<u64>,
    visitor: Visitor<'a>,
}

impl<'a> Fields<'a> {
    fn of(fields: &[httparse::Header<'a>]) -> Self {
        let visitor = Visitor::default();
        let mut seen = Self { is_plain: true, keeps: true, wants_html: false, host: None, body: Some(0), visitor };
        let mut lengths = 0;
        for field in fields {
            // Lengths first: nearly all fields are none of these.
            match field.name.len() {
                4 if field.name.eq_ignore_ascii_case("host") => seen.host(field.value),
                6 if field.name.eq_ignore_ascii_case("accept") => seen.wants_html |= names_html(field.value),
                6 if field.name.eq_ignore_ascii_case("expect") => seen.is_unusual(None),
                7 if field.name.eq_ignore_ascii_case("upgrade") => seen.is_unusual(None),
                10 if field.name.eq_ignore_ascii_case("connection") => seen.connection(field.value),
                14 if field.name.eq_ignore_ascii_case("content-length") => {
                    lengths += 1;
                    let length = if lengths == 1 { number(field.value) } else { None };
                    seen.is_unusual(seen.body.and(length));
                }
                17 if field.name.eq_ignore_ascii_case("transfer-encoding") => seen.is_unusual(None),
                _ => seen.visitor.read(field.name, field.value),
            }
        }
        seen
    }

    /// Of two hosts hyper sees what to do.
    fn host(&mut self, value: &'a [u8]) {
        self.is_plain &= self.host.replace(value).is_none();
    }

    fn is_unusual(&mut self, body: Option<u64>) {
        (self.is_plain, self.body) = (false, body);
    }

    fn connection(&mut self, value: &[u8]) {
        if value.eq_ignore_ascii_case(b"close") {
            self.keeps = false;
        } else if !value.eq_ignore_ascii_case(b"keep-alive") {
            self.is_plain = false;
        }
    }

    fn extent(&self, head: usize) -> Extent {
        self.body.and_then(|body| body.checked_add(head as u64)).map_or(Extent::Unknown, Extent::Bytes)
    }
}

/// A number as RFC 9110, section 8.6, writes a length: digits.
fn number(digits: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(digits).ok()?;
    digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests;
