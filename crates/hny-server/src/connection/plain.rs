//! The plain road: visits that need nothing but an answer, from the socket's bytes to the socket's bytes.
//!
//! By way of hyper a redirect costs about a quarter more processor time than it does here (`docs/performance.md` has the figures),
//! so what nearly every visitor sends is read and answered here. Everything else is lent to hyper.

use std::io;
use std::mem::{MaybeUninit, take};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::MAX_HEAD;
use super::head::{self, Extent, Head};
use super::phase::Phase;
use crate::origin::Origin;
use crate::redirect::{Hit, Road, Wanted};

/// How much is read at once, on the stack: an idle connection keeps no buffer.
const READ: usize = 4096;

/// How much of an answer may wait to be sent while one more is made.
const MOST_WAITING: usize = 64 * 1024;

/// A connection on the plain road.
pub(super) struct Plain<'a> {
    pub(super) stream: TcpStream,
    /// Who is at the other end.
    peer: IpAddr,
    /// Who answers; nobody on a connection that is not for visitors.
    road: Option<&'a Road>,
    phase: Arc<Phase>,
    /// What has come and is not answered: mostly nothing.
    input: Vec<u8>,
    /// Whether `input` cannot be understood before more comes.
    is_partial: bool,
    output: Vec<u8>,
    sent: usize,
    /// Whether the connection ends with what is to be sent.
    is_last: bool,
}

/// What the plain road cannot do by itself.
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

impl<'a> Plain<'a> {
    pub(super) fn new(stream: TcpStream, peer: IpAddr, road: Option<&'a Road>, phase: Arc<Phase>) -> Self {
        let (input, output) = (Vec::new(), Vec::new());
        Self { stream, peer, road, phase, input, is_partial: true, output, sent: 0, is_last: false }
    }

    /// Answers all that it can, and waits for more, until something else must be done.
    pub(super) fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        self.phase.waken_by(cx.waker());
        loop {
            if self.phase.is_over() {
                return Poll::Ready(Step::End);
            }
            // Who does not take answers gets no more of them.
            if ready!(self.poll_send(cx)).is_err() || self.is_last {
                return Poll::Ready(Step::End);
            }
            let step = if self.is_partial {
                ready!(self.poll_more(cx))
            } else {
                let input = take(&mut self.input);
                self.understand(&input)
            };
            if let Some(step) = step {
                return Poll::Ready(step);
            }
        }
    }

    /// Asks the store, and answers.
    pub(super) async fn look_up(&mut self, wanted: &Wanted, keeps: bool) {
        let Some(road) = self.road else { return };
        self.phase.serving();
        let found = road.look_up(wanted).await;
        self.is_last = !keeps || self.phase.is_closing();
        road.answer_found(wanted, found, &self.phase.ending(self.is_last), &mut self.output);
        self.phase.answered();
    }

    /// The bytes of the request that is to be lent, as far as they have come.
    pub(super) fn lent(&mut self, extent: Extent) -> Vec<u8> {
        let rest = match extent {
            Extent::Bytes(bytes) => usize::try_from(bytes).unwrap_or(usize::MAX).min(self.input.len()),
            Extent::Unknown => self.input.len(),
        };
        let rest = self.input.split_off(rest);
        self.is_partial = rest.is_empty();
        std::mem::replace(&mut self.input, rest)
    }

    fn poll_more(&mut self, cx: &mut Context<'_>) -> Poll<Option<Step>> {
        let mut buffer = [const { MaybeUninit::uninit() }; READ];
        let mut buffer = ReadBuf::uninit(&mut buffer);
        match Pin::new(&mut self.stream).poll_read(cx, &mut buffer) {
            Poll::Ready(Ok(())) => {}
            Poll::Ready(Err(_)) => return Poll::Ready(Some(Step::End)),
            Poll::Pending if self.phase.is_closed() && !self.phase.expects_request() => {
                return Poll::Ready(Some(Step::End));
            }
            Poll::Pending => return Poll::Pending,
        }
        if buffer.filled().is_empty() {
            // Of half a head hyper makes what is right.
            let rest = if self.input.is_empty() { Step::End } else { Step::Lend(Extent::Unknown) };
            return Poll::Ready(Some(rest));
        }
        if self.input.is_empty() {
            return Poll::Ready(self.understand(buffer.filled()));
        }
        let mut input = take(&mut self.input);
        input.extend_from_slice(buffer.filled());
        Poll::Ready(self.understand(&input))
    }

    /// Answers the requests in `bytes`, up to one that takes another step; what is left is kept.
    fn understand(&mut self, bytes: &[u8]) -> Option<Step> {
        let mut rest = bytes;
        let mut step = None;
        self.is_partial = false;
        while step.is_none() && !rest.is_empty() && !self.is_last && self.output.len() < MOST_WAITING {
            let (taken, other) = match self.answer_first(rest) {
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
    fn answer_first(&mut self, bytes: &[u8]) -> First {
        let (visit, length, keeps) = match head::read(bytes) {
            Head::Plain { visit, length, keeps } => (visit, length, keeps),
            Head::Partial if bytes.len() < MAX_HEAD => return First::Partial,
            Head::Partial => return First::Step(Step::Lend(Extent::Unknown), 0),
            Head::Other(extent) => return First::Step(Step::Lend(extent), 0),
        };
        let ending = self.phase.ending(!keeps || self.phase.is_closing());
        let origin = Origin::Raw(self.peer, bytes);
        match self.road.map_or(Hit::NotALink, |road| road.answer(visit, origin, &ending, &mut self.output)) {
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
            self.phase.answered();
        }
        if rest.is_empty() {
            self.is_partial = true;
        } else {
            self.phase.received();
            self.input.extend_from_slice(rest);
        }
    }

    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.sent < self.output.len() {
            match ready!(Pin::new(&mut self.stream).poll_write(cx, &self.output[self.sent..]))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                bytes => self.sent += bytes,
            }
        }
        self.output.clear();
        self.output.shrink_to(READ);
        self.sent = 0;
        Poll::Ready(Ok(()))
    }
}
