//! Reading an answer, as much of it as is checked.

use std::io::{Error, Result};

/// A whole answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer<'a> {
    pub(crate) status: u16,
    pub(crate) location: &'a [u8],
    /// Head and body together.
    pub(crate) bytes: usize,
}

/// More than any of the servers sends.
const HEADERS: usize = 24;

/// The answer at the beginning of `bytes`, or `None` while some of it is missing.
pub(crate) fn read(bytes: &[u8]) -> Result<Option<Answer<'_>>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let head = match response.parse(bytes).map_err(Error::other)? {
        httparse::Status::Complete(head) => head,
        httparse::Status::Partial => return Ok(None),
    };
    let (mut location, mut length) = (&b""[..], None);
    for header in response.headers.iter() {
        if header.name.eq_ignore_ascii_case("location") {
            location = header.value;
        } else if header.name.eq_ignore_ascii_case("content-length") {
            length = std::str::from_utf8(header.value).ok().and_then(|digits| digits.parse::<usize>().ok());
        }
    }
    let whole = head + length.ok_or_else(|| Error::other("the answer does not say how long it is"))?;
    let status = response.code.unwrap_or_default();
    Ok((bytes.len() >= whole).then_some(Answer { status, location, bytes: whole }))
}

#[test]
fn an_answer_is_whole_with_its_last_byte() {
    let text = b"HTTP/1.1 302 Found\r\nLOCATION: https://a.example/\r\nContent-length: 2\r\n\r\nok";
    for end in 1..text.len() {
        assert_eq!(read(&text[..end]).expect("it is the beginning of an answer"), None, "{end}");
    }
    let expected = Answer { status: 302, location: b"https://a.example/", bytes: text.len() };
    assert_eq!(read(text).expect("it is an answer"), Some(expected));
}

#[test]
fn what_is_no_answer_is_an_error() {
    assert!(read(b"HTTP/1.1 302 Found\r\n\r\n").is_err());
    assert!(read(b"hello\r\n\r\n").is_err());
}
