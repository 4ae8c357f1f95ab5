//! What is said on a connection, apart from the socket: bytes of requests in, bytes of answers out.
//!
//! By way of hyper a redirect costs about a quarter more processor time than it does here (`docs/performance.md` has the figures),
//! so what nearly every visitor sends is read and answered here. Everything else is lent to hyper.

use std::io::{self, Write};
use std::mem::{replace, take};
use std::sync::Arc;

use super::head::{self, Extent, Head};
use super::{MAX_HEAD, Seat};
use crate::origin::Origin;
use crate::redirect::{Hit, LookedUp, Road, Wanted};

/// How much of an answer may wait to be sent while one more is made.
const MOST_WAITING: usize = 64 * 1024;

/// The requests and answers of one connection.
pub(super) struct Exchange {
    pub(super) seat: Seat,
    /// By which its loop counts it.
    _member: Arc<()>,
    /// What has come and is not answered: mostly nothing.
    input: Vec<u8>,
    /// Whether `input` cannot be understood before more comes.
    is_partial: bool,
    output: Vec<u8>,
    sent: usize,
    /// Whether the connection ends with what is to be sent.
    is_last: bool,
}

/// What is to be done before the next answer.
#[derive(Debug)]
pub(super) enum Step {
    /// The store must be asked, for a client that wants the connection kept or not.
    LookUp(Wanted, bool),
    /// Hyper must go on, with a request of this extent.
    Lend(Extent),
    /// There is nothing more to come, or nobody to send it to.
    End,
}

/// What became of the first request in some bytes.
enum First {
    /// It is answered; it had so many bytes.
    Answered(usize),
    /// There is not enough of it.
    Partial,
    /// It takes another step, which has used up so many bytes.
    Step(Step, usize),
}

impl Exchange {
    /// Nothing has been said yet.
    pub(super) fn new(seat: Seat, member: Arc<()>) -> Self {
        let (input, output) = (Vec::new(), Vec::new());
        Self { seat, _member: member, input, is_partial: true, output, sent: 0, is_last: false }
    }

    /// Answers the requests in what has come, by `road` (there is none on a connection that is not for visitors), up to one that
    /// takes another step.
    pub(super) fn receive(&mut self, bytes: &[u8], road: Option<&Road>) -> Option<Step> {
        if self.input.is_empty() {
            return self.understand(bytes, road);
        }
        self.input.extend_from_slice(bytes);
        self.go_on(road)
    }

    /// The client will send no more. Of half a head hyper makes what is right.
    pub(super) fn receive_end(&self) -> Step {
        if self.input.is_empty() { Step::End } else { Step::Lend(Extent::Unknown) }
    }

    /// Answers what came before and was not answered.
    pub(super) fn go_on(&mut self, road: Option<&Road>) -> Option<Step> {
        let input = take(&mut self.input);
        self.understand(&input, road)
    }

    /// Whether nothing can be answered before more comes.
    pub(super) fn wants_more(&self) -> bool {
        self.is_partial
    }

    /// Whether what was answered is the last of this connection.
    pub(super) fn is_last(&self) -> bool {
        self.is_last
    }

    /// Answers with what the store said.
    pub(super) fn answer_found(&mut self, looked_up: LookedUp, keeps: bool, road: &Road) {
        let phase = &self.seat.phase;
        self.is_last = !keeps || phase.is_closing();
        road.answer_found(looked_up, &phase.ending(self.is_last), &mut self.output);
        phase.answered();
    }

    /// Takes the bytes of the request that is to be lent, as far as they have come.
    pub(super) fn take_lent(&mut self, extent: Extent) -> Vec<u8> {
        let rest = match extent {
            Extent::Bytes(bytes) => usize::try_from(bytes).unwrap_or(usize::MAX).min(self.input.len()),
            Extent::Unknown => self.input.len(),
        };
        let rest = self.input.split_off(rest);
        self.is_partial = rest.is_empty();
        replace(&mut self.input, rest)
    }

    /// Sends what is answered; whether nothing waits any more.
    pub(super) fn send(&mut self, mut stream: impl Write) -> io::Result<bool> {
        while self.sent < self.output.len() {
            match stream.write(&self.output[self.sent..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(bytes) => self.sent += bytes,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.output.clear();
        self.sent = 0;
        Ok(true)
    }

    /// Whether there are answers that the client has not taken.
    pub(super) fn is_sending(&self) -> bool {
        !self.output.is_empty()
    }

    /// Lends a buffer for answers, so that a connection needs none of its own as long as its client takes them.
    pub(super) fn borrow_buffer(&mut self, buffer: &mut Vec<u8>) {
        if self.output.is_empty() {
            self.output = take(buffer);
        }
    }

    /// Gives the buffer back, if nothing in it waits.
    pub(super) fn return_buffer(&mut self, buffer: &mut Vec<u8>) {
        if self.output.is_empty() {
            *buffer = take(&mut self.output);
        }
    }

    /// Answers the requests in `bytes`, up to one that takes another step; what is left is kept.
    fn understand(&mut self, bytes: &[u8], road: Option<&Road>) -> Option<Step> {
        let mut rest = bytes;
        let mut step = None;
        self.is_partial = false;
        while step.is_none() && !rest.is_empty() && !self.is_last && self.output.len() < MOST_WAITING {
            let (taken, other) = match self.answer_first(rest, road) {
                First::Answered(length) => (length, None),
                First::Partial => {
                    self.is_partial = true;
                    break;
                }
                // What was answered before is sent before anything else is done.
                First::Step(..) if !self.output.is_empty() => break,
                First::Step(step, length) => (length, Some(step)),
            };
            rest = &rest[taken..];
            step = other;
        }
        self.keep(rest, bytes.len());
        step
    }

    /// Answers the first request in `bytes`, if it can be answered at once.
    fn answer_first(&mut self, bytes: &[u8], road: Option<&Road>) -> First {
        let (visit, length, keeps) = match head::read(bytes) {
            Head::Plain { visit, length, keeps } => (visit, length, keeps),
            Head::Partial if bytes.len() < MAX_HEAD => return First::Partial,
            Head::Partial => return First::Step(Step::Lend(Extent::Unknown), 0),
            Head::Other(extent) => return First::Step(Step::Lend(extent), 0),
        };
        let Seat { peer, phase, .. } = &self.seat;
        let ending = phase.ending(!keeps || phase.is_closing());
        let origin = Origin::Raw(*peer, bytes);
        match road.map_or(Hit::NotALink, |road| road.answer(visit, origin, &ending, &mut self.output)) {
            Hit::Answered => {
                self.is_last = ending.is_last;
                First::Answered(length)
            }
            Hit::LookUp(wanted) => First::Step(Step::LookUp(wanted, keeps), length),
            Hit::NotALink => First::Step(Step::Lend(Extent::Bytes(length as u64)), 0),
        }
    }

    /// Keeps what is left, and notes what the connection is doing.
    fn keep(&mut self, rest: &[u8], of: usize) {
        if rest.len() < of {
            self.seat.phase.answered();
        }
        if rest.is_empty() {
            self.is_partial = true;
        } else {
            self.seat.phase.received();
            self.input.extend_from_slice(rest);
        }
    }
}
