//! Ports of the loopback address.

use std::net::{Ipv4Addr, TcpListener};

/// A port that was free a moment ago. Somebody may take it before a server does, which then says so.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    listener.unwrap_or_else(|error| panic!("no free port: {error}")).port()
}
