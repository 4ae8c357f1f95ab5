//! Which connections are ready, from the system.

use std::io;
use std::time::Duration;

use mio::event::Event;
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token, Waker};

/// Of how many connections is told at once: enough that many share the costs, and few enough that their requests fit into a turn.
const AT_ONCE: usize = 64;

/// The token of what others tell the loop; no connection has it.
const NEWS: Token = Token(usize::MAX);

/// What the system watches.
pub(super) struct Readiness {
    poll: Poll,
    events: Events,
}

impl Readiness {
    /// Watches nothing yet but the waker. Fails when the system has no more descriptors.
    pub(super) fn new() -> io::Result<(Self, Waker)> {
        let poll = Poll::new()?;
        let waker = Waker::new(poll.registry(), NEWS)?;
        Ok((Self { poll, events: Events::with_capacity(AT_ONCE) }, waker))
    }

    /// Waits until something happens, or only looks; hands over what has happened to connections, and says whether there is news from
    /// others.
    pub(super) fn wait(&mut self, only_looks: bool, mut hand_over: impl FnMut(usize, &Event)) -> bool {
        if let Err(error) = self.poll.poll(&mut self.events, only_looks.then_some(Duration::ZERO)) {
            // Interrupted by a signal, as the other reasons cannot be: it is ours, and a poll. It is asked again.
            tracing::debug!(%error, "cannot ask the system which connections are ready");
            return false;
        }
        let mut has_news = false;
        for event in &self.events {
            match event.token() {
                NEWS => has_news = true,
                Token(token) => hand_over(token, event),
            }
        }
        has_news
    }

    /// Watches for what comes in on a connection.
    pub(super) fn watch(&self, stream: &mut TcpStream, token: usize) -> io::Result<()> {
        self.poll.registry().register(stream, Token(token), Interest::READABLE)
    }

    /// Watches for room to send as well.
    pub(super) fn watch_writes(&self, stream: &mut TcpStream, token: usize) -> io::Result<()> {
        self.poll.registry().reregister(stream, Token(token), Interest::READABLE | Interest::WRITABLE)
    }

    /// Watches a connection no more.
    pub(super) fn forget(&self, stream: &mut TcpStream) -> io::Result<()> {
        self.poll.registry().deregister(stream)
    }
}
