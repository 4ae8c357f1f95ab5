//! What visitors are told who cannot be sent on. It is the same for everyone, so it is written once, at the start: nobody shall
//! keep us busier by asking for what is not there.

use std::io::Write as _;

use hny_domain::{Decision, Timestamp};
use hny_guard::TooMany;

use super::bytes::{self, Ending};
use super::response;
use crate::app::Parts;
use crate::body::Response;
use crate::problem::whole_seconds;

/// The notices of this node.
#[derive(Debug)]
pub(super) struct Notices {
    absent: Pair,
    gone: Pair,
    limited: Pair,
    /// A page for all: there is nothing else to do with such a link.
    locked: Notice,
    /// One for all, too.
    private: Notice,
}

/// The same for people and for programs.
#[derive(Debug)]
struct Pair {
    page: Notice,
    document: Notice,
}

/// One answer, but for its ending.
#[derive(Debug)]
pub(super) struct Notice {
    head: Vec<u8>,
    /// The last field of the head.
    length: Vec<u8>,
    body: Vec<u8>,
}

impl Notices {
    pub(super) fn new(app: &Parts) -> Self {
        // The time matters to redirects only.
        let of = |decision, wants_html| response::of(app, &decision, wants_html, Timestamp::from_millis(0));
        Self {
            absent: Pair::new(|wants_html| of(Decision::Absent, wants_html)),
            gone: Pair::new(|wants_html| of(Decision::Gone { expired_url: None }, wants_html)),
            limited: Pair::new(|wants_html| response::limited(app, wants_html)),
            locked: Notice::new(&of(Decision::AskPassword, true)),
            private: Notice::new(&of(Decision::Withhold, true)),
        }
    }

    /// There is no such link.
    pub(super) fn absent(&self, wants_html: bool) -> &Notice {
        self.absent.of(wants_html)
    }

    /// There was one.
    pub(super) fn gone(&self, wants_html: bool) -> &Notice {
        self.gone.of(wants_html)
    }

    /// The link asks for its password.
    pub(super) fn locked(&self) -> &Notice {
        &self.locked
    }

    /// The link is told only to who follows it.
    pub(super) fn private(&self) -> &Notice {
        &self.private
    }

    /// This client has to wait, and is to be told how long.
    pub(super) fn limited(&self, wants_html: bool) -> &Notice {
        self.limited.of(wants_html)
    }
}

impl Pair {
    fn new(response: impl Fn(bool) -> Response) -> Self {
        Self { page: Notice::new(&response(true)), document: Notice::new(&response(false)) }
    }

    fn of(&self, wants_html: bool) -> &Notice {
        if wants_html { &self.page } else { &self.document }
    }
}

impl Notice {
    fn new(response: &Response) -> Self {
        let (head, body) = bytes::written(response);
        Self { head, length: bytes::written_length(body), body: body.to_vec() }
    }

    /// Puts it.
    pub(super) fn put(&self, is_head: bool, ending: &Ending, output: &mut Vec<u8>) {
        output.extend_from_slice(&self.head);
        self.put_rest(is_head, ending, output);
    }

    /// Puts it, and when to come again.
    pub(super) fn put_with_wait(&self, refused: TooMany, is_head: bool, ending: &Ending, output: &mut Vec<u8>) {
        output.extend_from_slice(&self.head);
        // Writing into a vector cannot fail.
        let _ = write!(output, "retry-after: {}\r\n", whole_seconds(refused.retry_after));
        self.put_rest(is_head, ending, output);
    }

    fn put_rest(&self, is_head: bool, ending: &Ending, output: &mut Vec<u8>) {
        output.extend_from_slice(&self.length);
        ending.put(output);
        if !is_head {
            output.extend_from_slice(&self.body);
        }
    }
}
