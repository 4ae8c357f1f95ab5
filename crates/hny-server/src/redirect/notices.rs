//! What visitors are told who cannot be sent on. It is the same for everyone, so it is written once, at the start: nobody shall
//! keep us busier by asking for what is not there.

use hny_domain::{Decision, Timestamp};

use super::bytes::{self, Ending};
use super::response;
use crate::app::Parts;

/// The notices of this node.
#[derive(Debug)]
pub(super) struct Notices {
    absent: Pair,
    gone: Pair,
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
    body: Vec<u8>,
}

impl Notices {
    pub(super) fn new(app: &Parts) -> Self {
        Self { absent: Pair::new(app, &Decision::Absent), gone: Pair::new(app, &Decision::Gone) }
    }

    /// There is no such link.
    pub(super) fn absent(&self, wants_html: bool) -> &Notice {
        self.absent.of(wants_html)
    }

    /// There was one.
    pub(super) fn gone(&self, wants_html: bool) -> &Notice {
        self.gone.of(wants_html)
    }
}

impl Pair {
    fn new(app: &Parts, decision: &Decision<'_>) -> Self {
        let notice = |wants_html| {
            // The time matters to redirects only.
            let response = response::of(app, decision, wants_html, Timestamp::from_millis(0));
            let (head, body) = bytes::written(&response);
            Notice { head, body: body.to_vec() }
        };
        Self { page: notice(true), document: notice(false) }
    }

    fn of(&self, wants_html: bool) -> &Notice {
        if wants_html { &self.page } else { &self.document }
    }
}

impl Notice {
    /// Puts it.
    pub(super) fn put(&self, is_head: bool, ending: &Ending, output: &mut Vec<u8>) {
        output.extend_from_slice(&self.head);
        ending.put(output);
        if !is_head {
            output.extend_from_slice(&self.body);
        }
    }
}
