//! Which connections are ready, from the system: a poll of its own inside that of the runtime, so that one wake-up tells of many.

use std::io;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use mio::event::Event;
use mio::net::TcpStream;
use mio::{Events, Interest, Token};
use tokio::io::unix::AsyncFd;

use crate::descriptor;

/// Of how many connections is told at once: enough that many share the costs, and few enough that their requests fit into a turn.
const AT_ONCE: usize = 64;

/// What the system watches.
pub(super) struct Readiness {
    poll: AsyncFd<mio::Poll>,
    events: Events,
}

impl Readiness {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { poll: descriptor::watch(mio::Poll::new()?)?, events: Events::with_capacity(AT_ONCE) })
    }

    /// Hands over what has happened since the last time; with nothing to tell, the task of `cx` is woken when there is.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, mut hand_over: impl FnMut(&Event)) -> Poll<()> {
        // Fails when the runtime is about to end.
        let Ok(mut guard) = ready!(self.poll.poll_read_ready_mut(cx)) else { return Poll::Pending };
        if let Err(error) = guard.get_inner_mut().poll(&mut self.events, Some(Duration::ZERO)) {
            // It was interrupted, or it is ours no more; either way it is asked again.
            tracing::debug!(%error, "cannot ask the system which connections are ready");
            return Poll::Ready(());
        }
        let mut count = 0;
        for event in &self.events {
            hand_over(event);
            count += 1;
        }
        // What comes from now on wakes the task.
        if count < AT_ONCE {
            guard.clear_ready();
        }
        Poll::Ready(())
    }

    /// Watches for what comes in on a connection.
    pub(super) fn watch(&self, stream: &mut TcpStream, token: Token) -> io::Result<()> {
        self.poll.get_ref().registry().register(stream, token, Interest::READABLE)
    }

    /// Watches for room to send as well.
    pub(super) fn watch_writes(&self, stream: &mut TcpStream, token: Token) -> io::Result<()> {
        self.poll.get_ref().registry().reregister(stream, token, Interest::READABLE | Interest::WRITABLE)
    }

    /// Watches a connection no more.
    pub(super) fn forget(&self, stream: &mut TcpStream) -> io::Result<()> {
        self.poll.get_ref().registry().deregister(stream)
    }
}
