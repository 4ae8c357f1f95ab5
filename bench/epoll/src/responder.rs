//! The loop: what is ready, and what is to be done about it.

use crate::answer::Answer;
use crate::connection::{Connection, Then};
use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::fd::{AsRawFd, OwnedFd, RawFd};
use rustix::io::Errno;
use rustix::net::{SocketFlags, accept_with};
use std::io::{Error, Result};
use std::net::{TcpListener, TcpStream};

/// As many events as nginx takes at once.
const EVENTS: usize = 512;

/// The server.
pub(crate) struct Responder {
    epoll: OwnedFd,
    listener: TcpListener,
    /// By the number of their file descriptor, which is also what epoll calls them.
    connections: Vec<Option<Connection>>,
    answer: Answer,
    buffer: Box<[u8]>,
}

impl Responder {
    pub(crate) fn new(listener: TcpListener, location: &str) -> Result<Self> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        epoll::add(&epoll, &listener, name(listener.as_raw_fd()), EventFlags::IN)?;
        let (connections, buffer) = (Vec::new(), vec![0; 16 * 1024].into());
        Ok(Self { epoll, listener, connections, answer: Answer::new(location), buffer })
    }

    /// Answers for ever.
    pub(crate) fn run(mut self) -> Result<()> {
        let mut events: Vec<Event> = Vec::with_capacity(EVENTS);
        loop {
            events.clear();
            match epoll::wait(&self.epoll, spare_capacity(&mut events), None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            self.answer.tick();
            for event in &events {
                let data = event.data;
                self.ready(data.u64())?;
            }
        }
    }

    fn ready(&mut self, name: u64) -> Result<()> {
        let number = usize::try_from(name).map_err(Error::other)?;
        match self.connections.get_mut(number).and_then(Option::as_mut) {
            Some(connection) => {
                if connection.serve(&mut self.buffer, &self.answer) == Then::Close {
                    // Closing takes it out of the epoll as well.
                    self.connections[number] = None;
                }
            }
            None => self.accept()?,
        }
        Ok(())
    }

    /// Lets in everyone who waits.
    fn accept(&mut self) -> Result<()> {
        loop {
            match accept_with(&self.listener, SocketFlags::NONBLOCK | SocketFlags::CLOEXEC) {
                Ok(socket) => self.add(socket)?,
                Err(Errno::AGAIN) => return Ok(()),
                Err(Errno::CONNABORTED | Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn add(&mut self, socket: OwnedFd) -> Result<()> {
        // Edge-triggered: a connection is looked at once for each request, not again until it has been emptied.
        epoll::add(&self.epoll, &socket, name(socket.as_raw_fd()), EventFlags::IN | EventFlags::ET)?;
        let number = usize::try_from(socket.as_raw_fd()).map_err(Error::other)?;
        if self.connections.len() <= number {
            self.connections.resize_with(number + 1, || None);
        }
        self.connections[number] = Some(Connection::new(TcpStream::from(socket)));
        Ok(())
    }
}

fn name(number: RawFd) -> EventData {
    EventData::new_u64(u64::from(number.unsigned_abs()))
}
