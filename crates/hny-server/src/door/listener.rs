//! The listening socket. What it accepts the runtime does not watch: an event loop does.

use std::io;
use std::net::IpAddr;
use std::os::fd::{AsFd, BorrowedFd};

use mio::net::{TcpListener, TcpStream};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::descriptor;

/// A socket that listens.
pub(crate) struct Listener(AsyncFd<TcpListener>);

impl Listener {
    /// Fails when the system cannot watch it.
    pub(crate) fn new(listener: tokio::net::TcpListener) -> io::Result<Self> {
        let listener = TcpListener::from_std(listener.into_std()?);
        descriptor::watch(listener).map(Self)
    }

    /// The next connection, and who is at its other end.
    pub(super) async fn accept(&self) -> io::Result<(TcpStream, IpAddr)> {
        self.0.async_io(Interest::READABLE, accept).await
    }

    /// One that is there now; an error when there is none.
    pub(super) fn accept_now(&self) -> io::Result<(TcpStream, IpAddr)> {
        accept(self.0.get_ref())
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.get_ref().as_fd()
    }
}

fn accept(listener: &TcpListener) -> io::Result<(TcpStream, IpAddr)> {
    let (stream, peer) = listener.accept()?;
    Ok((stream, peer.ip()))
}
