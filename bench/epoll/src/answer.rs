//! The one answer, with the time of day in it.

use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, UNIX_EPOCH};

const DATE: &str = "Thu, 01 Jan 1970 00:00:00 GMT";

/// The bytes of the answer to a request that keeps its connection, and to one that does not.
pub(crate) struct Answer {
    kept: Vec<u8>,
    closed: Vec<u8>,
    second: u64,
}

impl Answer {
    pub(crate) fn new(location: &str) -> Self {
        Self { kept: bytes(location, ""), closed: bytes(location, "connection: close\r\n"), second: 0 }
    }

    /// Brings the date up to date: to be called once for all requests that came together.
    pub(crate) fn tick(&mut self) {
        let now = clock_gettime(ClockId::RealtimeCoarse);
        self.tell(u64::try_from(now.tv_sec).unwrap_or_default());
    }

    fn tell(&mut self, second: u64) {
        if second != self.second {
            self.second = second;
            let date = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(second));
            write_date(&mut self.kept, &date);
            write_date(&mut self.closed, &date);
        }
    }

    pub(crate) fn to(&self, closes: bool) -> &[u8] {
        if closes { &self.closed } else { &self.kept }
    }
}

fn bytes(location: &str, connection: &str) -> Vec<u8> {
    let head = "HTTP/1.1 302 Found\r\nlocation: ";
    let rest = "\r\ncache-control: private, no-store\r\nx-robots-tag: noindex\r\n";
    format!("{head}{location}{rest}{connection}content-length: 0\r\ndate: {DATE}\r\n\r\n").into_bytes()
}

/// The date is the last thing in the answer.
fn write_date(answer: &mut [u8], date: &str) {
    let end = answer.len() - "\r\n\r\n".len();
    answer[end - DATE.len()..end].copy_from_slice(date.as_bytes());
}

#[test]
fn the_answer_tells_the_time() {
    let mut answer = Answer::new("https://example.com/a");
    answer.tell(1_796_000_000);
    let expected = "HTTP/1.1 302 Found\r\nlocation: https://example.com/a\r\ncache-control: private, no-store\r\n\
        x-robots-tag: noindex\r\ncontent-length: 0\r\ndate: Mon, 30 Nov 2026 00:53:20 GMT\r\n\r\n";
    assert_eq!(String::from_utf8_lossy(answer.to(false)), expected);
    let closed = String::from_utf8_lossy(answer.to(true)).into_owned();
    assert!(closed.contains("\r\nconnection: close\r\n") && closed.ends_with("00:53:20 GMT\r\n\r\n"), "{closed}");
}
