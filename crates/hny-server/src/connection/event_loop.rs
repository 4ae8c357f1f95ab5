//! The event loop: a thread that serves many connections, a turn at a time.
//!
//! A turn reads from all connections that have something to say, and then answers them. So one wake-up of the thread serves many
//! requests, and while one is read, the links that the others ask for are on their way from memory (`docs/performance.md` has what
//! that gives). A task of the runtime for each connection would be woken for each request.

use std::io;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use mio::net::TcpStream;
use slab::Slab;
use tokio::runtime::Handle;

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
use look_up::LookUps;
use news::{Asker, Home, News};
use readiness::Readiness;
use turn::Room;

/// Several event loops, each on a thread of its own. They end when this is dropped.
pub(crate) struct EventLoops(Vec<Loop>);

/// One of them, from outside.
struct Loop {
    home: Home,
    /// A clone of it is with each of its connections, so that they can be counted.
    members: Arc<()>,
    thread: Option<JoinHandle<()>>,
}

impl EventLoops {
    /// Begins `count` of them. What they do not do themselves the tokio runtime does in which this is called. Fails when the system
    /// has no more threads or descriptors.
    pub(crate) fn new(service: &impl Answering, count: usize) -> io::Result<Self> {
        (0..count).map(|_| Loop::begin(service.clone())).collect::<io::Result<_>>().map(Self)
    }

    /// Has the one with the fewest connections serve one more: until the client leaves, takes too long, or the node closes. While
    /// it is closing every answer is the last one and says so; when it is closed, what runs is finished and nothing new begins. A
    /// request that is on its way counts as running: a client that has just connected, or has sent half a head, cannot know that
    /// nobody listens any more.
    pub(crate) fn serve(&self, stream: TcpStream, seat: Seat) {
        // Answers are small and complete; waiting to fill a packet would only delay them.
        let _ = stream.set_nodelay(true);
        if let Some(least) = self.0.iter().min_by_key(|one| Arc::strong_count(&one.members)) {
            let exchange = Exchange::new(seat, Arc::clone(&least.members));
            least.home.tell([News::Arrived(stream, exchange)]);
        }
    }
}

impl Loop {
    fn begin(service: impl Answering) -> io::Result<Self> {
        let (readiness, waker) = Readiness::new()?;
        let home = Home::new(waker);
        let (runtime, loop_home) = (Handle::current(), home.clone());
        let run = || EventLoop::new(service, readiness, loop_home, runtime, LookUps::default()).run();
        let thread = thread::Builder::new().name("hny-loop".to_owned()).spawn(run)?;
        Ok(Self { home, members: Arc::new(()), thread: Some(thread) })
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        self.home.tell([News::End]);
        // It is in the middle of a turn at most, and waits for nothing there.
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("an event loop had panicked");
        }
    }
}

/// What its thread owns.
struct EventLoop<S> {
    service: S,
    readiness: Readiness,
    home: Home,
    runtime: Handle,
    /// Each under its token.
    connections: Slab<Connection>,
    /// The tokens of those that may have something to read.
    ready: Vec<usize>,
    /// Where all that is read in a turn stands.
    room: Room,
    /// Where answers are written; it goes from connection to connection.
    buffer: Vec<u8>,
    look_ups: LookUps,
    /// What was told and is not done yet.
    heard: Vec<News>,
}

impl<S: Answering> EventLoop<S> {
    fn new(service: S, readiness: Readiness, home: Home, runtime: Handle, look_ups: LookUps) -> Self {
        Self {
            service,
            readiness,
            home,
            runtime,
            connections: Slab::new(),
            ready: Vec::new(),
            room: Room::default(),
            buffer: Vec::new(),
            look_ups,
            heard: Vec::new(),
        }
    }

    /// Serves until it is told to end. An answer in which there is a defect costs the connections of this loop, and not the loop.
    fn run(mut self) {
        while catch_unwind(AssertUnwindSafe(|| self.serve())).is_err() {
            tracing::error!("an event loop had to close its connections, because of a defect in hny; please report it");
            // The lookups go on being numbered, so that an answer for one of the closed connections is for no other.
            let Self { service, readiness, home, runtime, look_ups, .. } = self;
            self = Self::new(service, readiness, home, runtime, look_ups);
        }
    }

    fn serve(&mut self) {
        while self.wait() {
            self.take_turn();
            if let Some(road) = self.service.road() {
                self.look_ups.begin(road, &self.home, &self.runtime);
            }
        }
    }

    /// Waits until there is something to do; whether the loop goes on.
    fn wait(&mut self) -> bool {
        let (connections, ready) = (&mut self.connections, &mut self.ready);
        // Those that wait for room to send: mostly none, and then this takes no memory.
        let mut writable = Vec::new();
        let only_looks = !ready.is_empty();
        let has_news = self.readiness.wait(only_looks, |token, event| {
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
        !has_news || self.hear()
    }

    /// Hears what others have to tell; whether the loop goes on.
    fn hear(&mut self) -> bool {
        let mut heard = take(&mut self.heard);
        self.home.hear(&mut heard);
        let mut goes_on = true;
        for news in heard.drain(..) {
            match news {
                News::Arrived(stream, exchange) => self.adopt(stream, exchange),
                News::Woken(token) => self.look(token),
                News::LookedUp(asker, found) => self.answer_found(asker, found),
                News::End => goes_on = false,
            }
        }
        self.heard = heard;
        goes_on
    }

    /// Takes a connection in, be it new or back from hyper.
    fn adopt(&mut self, mut stream: TcpStream, exchange: Exchange) {
        let entry = self.connections.vacant_entry();
        let token = entry.key();
        exchange.seat.phase.waken_by(&self.home.waker(token));
        // If the system cannot watch it, nobody can serve it.
        if self.readiness.watch(&mut stream, token).is_ok() {
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
            let _ = self.readiness.watch_writes(&mut connection.stream, token);
        }
        if connection.becomes_listed() {
            self.ready.push(token);
        }
    }

    /// Has hyper answer one request, on a task of its own; the connection comes back after it.
    fn lend(&mut self, token: usize, extent: Extent) {
        let Some(Connection { mut stream, exchange, .. }) = self.remove(token) else { return };
        if self.readiness.forget(&mut stream).is_ok() {
            self.runtime.spawn(guest::serve(stream, exchange, extent, self.service.clone(), self.home.clone()));
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
