//! A connection as its loop sees it.

use std::io::{self, Read};

use mio::event::Event;
use mio::net::TcpStream;

use super::turn::READ;
use crate::connection::exchange::{Exchange, Step};
use crate::connection::head::Extent;
use crate::redirect::{Road, Wanted};

/// A connection, and what is known of its socket.
pub(super) struct Connection {
    pub(super) stream: TcpStream,
    pub(super) exchange: Exchange,
    /// What its client waits for.
    look_up: Option<LookUp>,
    incoming: Incoming,
    /// Whether it is listed to be read from.
    is_listed: bool,
    /// Whether the system watches for room to send.
    watches_writes: bool,
}

/// What a socket may have to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Incoming {
    /// Nothing, until the system tells of more.
    Nothing,
    /// Something.
    Something,
    /// What is there is the last; the system does not tell of it again.
    Last,
}

/// A lookup that a connection waits for.
struct LookUp {
    number: u64,
    /// Whether the client wants the connection kept.
    keeps: bool,
}

/// What becomes of a connection.
pub(super) enum Fate {
    /// It waits for something.
    Stays,
    /// It waits for a link, for a client that wants the connection kept or not.
    LooksUp(Wanted, bool),
    /// Hyper must go on, with a request of this extent.
    Lent(Extent),
    /// It is to be closed.
    Over,
}

impl Connection {
    pub(super) fn new(stream: TcpStream, exchange: Exchange) -> Self {
        Self { stream, exchange, look_up: None, incoming: Incoming::Nothing, is_listed: false, watches_writes: false }
    }

    /// Notes what the system tells of the socket.
    pub(super) fn note(&mut self, event: &Event) {
        if event.is_read_closed() || event.is_error() {
            self.incoming = Incoming::Last;
        } else if event.is_readable() && self.incoming == Incoming::Nothing {
            self.incoming = Incoming::Something;
        }
    }

    /// Whether it can be read from, and is listed for that from now on. Who does not take answers, or waits for one, gets no more
    /// of them.
    pub(super) fn becomes_listed(&mut self) -> bool {
        let is_free = self.look_up.is_none() && !self.exchange.is_sending();
        let becomes = is_free && !self.is_listed && self.incoming != Incoming::Nothing;
        self.is_listed |= becomes;
        becomes
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
                // All was read, and the system will tell of what comes later.
                if length < READ && self.incoming == Incoming::Something {
                    self.incoming = Incoming::Nothing;
                }
                Ok(Some(length))
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.incoming = Incoming::Nothing;
                Ok(None)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Has it wait for a lookup.
    pub(super) fn wait_for(&mut self, number: u64, keeps: bool) {
        self.exchange.seat.phase.serving();
        self.look_up = Some(LookUp { number, keeps });
    }

    /// Ends the wait for a lookup, if it is that which it waits for; whether the client wants the connection kept.
    pub(super) fn end_wait_for(&mut self, number: u64) -> Option<bool> {
        self.look_up.take_if(|look_up| look_up.number == number).map(|look_up| look_up.keeps)
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
                Some(Step::LookUp(wanted, keeps)) => return Fate::LooksUp(wanted, keeps),
                Some(Step::Lend(extent)) => return Fate::Lent(extent),
                Some(Step::End) => return Fate::Over,
                None if self.look_up.is_some() || self.exchange.wants_more() => return Fate::Stays,
                None => self.exchange.go_on(road),
            }
        }
    }
}
