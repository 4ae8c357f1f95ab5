//! The least that can answer a redirect over HTTP/1.1: one thread, one epoll, one answer, whatever the path.
//!
//! `epoll-responder [anything] LOCATION` listens on a free port of the loopback address and says on stderr which. It is what
//! the benches measure a real server against, so it does nothing that a redirect could do without; its answer has the bytes
//! of hny's.

mod answer;
mod connection;
mod responder;

use responder::Responder;
use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, listen, socket_with};
use std::io::{Error, Result};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

/// As many connections may wait to be let in as with the others.
const QUEUE_LENGTH: i32 = 4096;

#[expect(clippy::print_stderr, reason = "who started it reads there where it listens")]
fn main() -> Result<()> {
    let location = std::env::args().next_back().filter(|word| word.contains("://"));
    let location = location.ok_or_else(|| Error::other("the last argument must be the URL to redirect to"))?;
    let listener = listener()?;
    eprintln!("listening on http://{}", listener.local_addr()?);
    Responder::new(listener, &location)?.run()
}

fn listener() -> Result<TcpListener> {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = socket_with(AddressFamily::INET, SocketType::STREAM, flags, None)?;
    bind(&socket, &SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
    listen(&socket, QUEUE_LENGTH)?;
    Ok(TcpListener::from(socket))
}
