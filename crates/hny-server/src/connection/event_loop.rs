//! The event loop: one task that serves many connections, a turn at a time.
//!
//! A turn reads from all connections that have something to say, and then answers them. So one wake-up of the task serves many
//! requests, and while one is read, the links that the others ask for are on their way from memory (`docs/performance.md` has what
//! that gives). A task for each connection would be woken for each request.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use mio::Token;
use mio::net::TcpStream;
use slab::Slab;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::task::AbortOnDropHandle;

use super::Seat;
use super::exchange::{Exchange, Step};
use super::head::Extent;
use crate::front::Answering;
use crate::redirect::{LookedUp, Road};

mod connection;
mod guest;
mod look_up;
mod news;
mod readiness;
mod turn;

use connection::{Connection, Fate};
use look_up::{Asker, LookUps};
use news::{News, waker};
use readiness::Readiness;
use turn::{Part, arena};

/// How many turns are made before the other tasks of the thread have theirs.
const TURNS: usize = 16;

/// Several event loops, for as many threads. They end when this is dropped.
pub(crate) struct EventLoops(Vec<Handle>);

/// One of them, from outside.
struct Handle {
    news: UnboundedSender<News>,
    /// A clone of it is with each of its connections, so that they can be counted.
    members: Arc<()>,
    _task: AbortOnDropHandle<()>,
}

impl EventLoops {
    /// Begins `count` of them. Needs a tokio runtime.
    pub(crate) fn new(service: &impl Answering, count: usize) -> io::Result<Self> {
        (0..count).map(|_| Handle::new(service.clone())).collect::<io::Result<_>>().map(Self)
    }

    /// Has the one with the fewest connections serve one more: until the client leaves, takes too long, or the node closes. While
    /// it is closing every answer is the last one and says so; when it is closed, what runs is finished and nothing new begins. A
    /// request that is on its way counts as running: a client that has just connected, or has sent half a head, cannot know that
    /// nobody listens any more.
    pub(crate) fn serve(&self, stream: TcpStream, seat: Seat) {
        // Answers are small and complete; waiting to fill a packet would only delay them.
        let _ = stream.set_nodelay(true);
        if let Some(handle) = self.0.iter().min_by_key(|handle| Arc::strong_count(&handle.members)) {
            let exchange = Exchange::new(seat, Arc::clone(&handle.members));
            // Fails only when the loop is gone, and then the process is, too.
            let _ = handle.news.send(News::Arrived(stream, exchange));
        }
    }
}

impl Handle {
    fn new(service: impl Answering) -> io::Result<Self> {
        let (news, inbox) = unbounded_channel();
        let event_loop = EventLoop {
            service,
            readiness: Readiness::new()?,
            connections: Slab::new(),
            ready: Vec::new(),
            arena: arena(),
            parts: Vec::new(),
            buffer: Vec::new(),
            look_ups: LookUps::new(),
            news: news.clone(),
            inbox,
        };
        let task = AbortOnDropHandle::new(tokio::spawn(event_loop));
        Ok(Self { news, members: Arc::new(()), _task: task })
    }
}

/// What its task owns.
struct EventLoop<S> {
    service: S,
    readiness: Readiness,
    /// Each under its token.
    connections: Slab<Connection>,
    /// The tokens of those that may have something to read.
    ready: Vec<usize>,
    /// Where all that is read in a turn stands, one part behind the other.
    arena: Box<[u8]>,
    parts: Vec<Part>,
    /// Where answers are written; it goes from connection to connection.
    buffer: Vec<u8>,
    look_ups: LookUps,
    /// By which it is told of, among others, connections that were lent and come back.
    news: UnboundedSender<News>,
    inbox: UnboundedReceiver<News>,
}

impl<S: Answering> Future for EventLoop<S> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        for _ in 0..TURNS {
            this.hear(cx);
            // Only after it was pending will the task be woken.
            let is_idle = this.notice(cx).is_pending() && this.ready.is_empty();
            this.take_turn();
            this.begin_look_ups();
            if is_idle {
                return Poll::Pending;
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl<S: Answering> EventLoop<S> {
    /// Hears what others have to tell.
    fn hear(&mut self, cx: &mut Context<'_>) {
        while let Poll::Ready(Some(news)) = self.inbox.poll_recv(cx) {
            match news {
                News::Arrived(stream, exchange) => self.adopt(stream, exchange),
                News::Woken(token) => self.look(token),
                News::LookedUp(asker, found) => self.answer_found(asker, found),
            }
        }
    }

    /// Notices which connections have become ready.
    fn notice(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let (connections, ready) = (&mut self.connections, &mut self.ready);
        // Those that wait for room to send: mostly none, and then this takes no memory.
        let mut writable = Vec::new();
        let noticed = self.readiness.poll(cx, |event| {
            let Token(token) = event.token();
            let Some(connection) = connections.get_mut(token) else { return };
            connection.note(event);
            if connection.exchange.is_sending() {
                writable.push(token);
            } else if connection.becomes_listed() {
                ready.push(token);
            }
        });
        for token in writable {
            self.advance(token, |_, _| None);
        }
        noticed
    }

    /// Takes a connection in, be it new or back from hyper.
    fn adopt(&mut self, mut stream: TcpStream, exchange: Exchange) {
        let entry = self.connections.vacant_entry();
        let token = entry.key();
        let waker = waker(token, self.news.clone());
        exchange.seat.phase.waken_by(&waker);
        // If the system cannot watch it, nobody can serve it.
        if self.readiness.watch(&mut stream, Token(token)).is_ok() {
            entry.insert(Connection::new(stream, exchange));
            self.look(token);
        }
    }

    /// Looks at a connection about which something has changed.
    fn look(&mut self, token: usize) {
        let Some(connection) = self.connections.get(token) else { return };
        if connection.is_over() {
            drop(self.remove(token));
        } else {
            self.advance(token, |_, _| None);
        }
    }

    /// Answers with what was found, if the connection waits for it still.
    fn answer_found(&mut self, Asker { token, number }: Asker, found: Option<LookedUp>) {
        let Some(keeps) = self.connections.get_mut(token).and_then(|asker| asker.end_wait_for(number)) else { return };
        self.advance(token, |exchange, road| match (found, road) {
            (Some(found), Some(road)) => {
                exchange.answer_found(found, keeps, road);
                None
            }
            _ => Some(Step::End),
        });
    }

    fn begin_look_ups(&mut self) {
        if let Some(road) = self.service.road() {
            self.look_ups.begin(road, &self.news);
        }
    }

    /// Does all on a connection that can be done now, `first` first.
    fn advance(&mut self, token: usize, first: impl FnOnce(&mut Exchange, Option<&Road>) -> Option<Step>) {
        let (Some(connection), road) = (self.connections.get_mut(token), self.service.road()) else { return };
        connection.exchange.borrow_buffer(&mut self.buffer);
        let step = first(&mut connection.exchange, road);
        let fate = connection.advance(step, road);
        connection.exchange.return_buffer(&mut self.buffer);
        match fate {
            Fate::Stays => self.watch(token),
            Fate::LooksUp(wanted, keeps) => connection.wait_for(self.look_ups.add(token, wanted), keeps),
            Fate::Lent(extent) => self.lend(token, extent),
            Fate::Over => drop(self.remove(token)),
        }
    }

    /// Sees to it that a connection is served when it can go on.
    fn watch(&mut self, token: usize) {
        let Some(connection) = self.connections.get_mut(token) else { return };
        if connection.exchange.is_sending() && connection.begins_to_watch_writes() {
            // What cannot be watched any more is broken, and is noticed by its time limit.
            let _ = self.readiness.watch_writes(&mut connection.stream, Token(token));
        }
        if connection.becomes_listed() {
            self.ready.push(token);
        }
    }

    /// Has hyper answer one request, on a task of its own; the connection comes back after it.
    fn lend(&mut self, token: usize, extent: Extent) {
        let Some(Connection { mut stream, exchange, .. }) = self.remove(token) else { return };
        if self.readiness.forget(&mut stream).is_ok() {
            tokio::spawn(guest::serve(stream, exchange, extent, self.service.clone(), self.news.clone()));
        }
    }

    fn remove(&mut self, token: usize) -> Option<Connection> {
        let connection = self.connections.try_remove(token)?;
        if connection.is_listed() {
            self.ready.retain(|listed| *listed != token);
        }
        Some(connection)
    }
}
