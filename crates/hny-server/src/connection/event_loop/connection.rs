//! A connection as its loop sees it.

use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};

use mio::event::Event;
use mio::net::TcpStream;
use tokio::task::JoinHandle;

use super::turn::READ;
use crate::connection::exchange::{Exchange, Step};
use crate::connection::head::Extent;
use crate::redirect::{LookedUp, Road, Wanted};

/// A connection, and what is known of its socket.
pub(super) struct Connection {
    pub(super) stream: TcpStream,
    pub(super) exchange: Exchange,
    /// Wakes the loop for this connection.
    waker: Waker,
    /// What its client waits for.
    look_up: Option<LookUp>,
    /// Whether the socket may have something to read.
    is_readable: bool,
    /// Whether the client will send no more than what is there.
    is_closed: bool,
    /// Whether it is listed to be read from.
    is_listed: bool,
    /// Whether the system watches for room to send.
    watches_writes: bool,
}

/// A lookup of a link.
struct LookUp {
    answer: JoinHandle<LookedUp>,
    /// Whether the client wants the connection kept.
    keeps: bool,
}

/// What becomes of a connection.
pub(super) enum Fate {
    /// It waits for something.
    Stays,
    /// Hyper must go on, with a request of this extent.
    Lent(Extent),
    /// It is to be closed.
    Over,
}

impl Connection {
    pub(super) fn new(stream: TcpStream, exchange: Exchange, waker: Waker) -> Self {
        Self {
            stream,
            exchange,
            waker,
            look_up: None,
            is_readable: false,
            is_closed: false,
            is_listed: false,
            watches_writes: false,
        }
    }

    /// Notes what the system tells of the socket.
    pub(super) fn note(&mut self, event: &Event) {
        self.is_closed |= event.is_read_closed() || event.is_error();
        self.is_readable |= event.is_readable() || self.is_closed;
    }

    /// Whether it can be read from, and is listed for that from now on. Who does not take answers, or waits for one, gets no more
    /// of them.
    pub(super) fn becomes_listed(&mut self) -> bool {
        let is_new = self.is_readable && !self.is_listed && self.look_up.is_none() && !self.exchange.is_sending();
        self.is_listed |= is_new;
        is_new
    }

    pub(super) fn is_listed(&self) -> bool {
        self.is_listed
    }

    /// Whether the system must be told to watch for room to send.
    pub(super) fn begins_to_watch_writes(&mut self) -> bool {
        !std::mem::replace(&mut self.watches_writes, true)
    }

    /// Whether it is to be closed: its client has taken too long, or the node is closed and nothing runs.
    pub(super) fn is_over(&self) -> bool {
        let phase = &self.exchange.seat.phase;
        let is_at_rest = self.look_up.is_none() && !self.exchange.is_sending() && !phase.expects_request();
        phase.is_over() || phase.is_closed() && is_at_rest
    }

    /// Reads what has come: at most what fits into `buffer`, no byte at the end, and `None` when there is nothing now.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        self.is_listed = false;
        match self.stream.read(buffer) {
            Ok(length) => {
                // The system tells anew of what comes later, but not of an end that it has told of already.
                self.is_readable = length == READ || self.is_closed;
                Ok(Some(length))
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.is_readable = false;
                Ok(None)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Does all that can be done now, beginning with `step`.
    pub(super) fn advance(&mut self, mut step: Option<Step>, road: Option<&Road>) -> Fate {
        loop {
            match self.exchange.send(&mut self.stream) {
                Ok(true) => {}
                Ok(false) => return Fate::Stays,
                Err(_) => return Fate::Over,
            }
            if self.exchange.is_last() {
                return Fate::Over;
            }
            step = match step {
                Some(Step::LookUp(wanted, keeps)) => {
                    self.exchange.seat.phase.serving();
                    self.look_up = road.map(|road| LookUp::begin(road, wanted, keeps));
                    None
                }
                Some(Step::Lend(extent)) => return Fate::Lent(extent),
                Some(Step::End) => return Fate::Over,
                None if self.look_up.is_some() => match self.poll_look_up(road) {
                    Poll::Pending => return Fate::Stays,
                    Poll::Ready(step) => step,
                },
                None if self.exchange.wants_more() => return Fate::Stays,
                None => self.exchange.go_on(road),
            }
        }
    }

    /// Answers when the store has.
    fn poll_look_up(&mut self, road: Option<&Road>) -> Poll<Option<Step>> {
        let (Some(look_up), Some(road)) = (&mut self.look_up, road) else { return Poll::Ready(None) };
        let found = ready!(Pin::new(&mut look_up.answer).poll(&mut Context::from_waker(&self.waker)));
        let keeps = look_up.keeps;
        self.look_up = None;
        match found {
            Ok(found) => {
                self.exchange.answer_found(found, keeps, road);
                Poll::Ready(None)
            }
            // The lookup has ended without an answer, so there will be none.
            Err(_) => Poll::Ready(Some(Step::End)),
        }
    }
}

impl LookUp {
    /// On a task of its own: a lookup in a file may wait for the disk, and the other connections of the loop shall not.
    fn begin(road: &Road, wanted: Wanted, keeps: bool) -> Self {
        Self { answer: tokio::spawn(road.look_up(wanted)), keeps }
    }
}
