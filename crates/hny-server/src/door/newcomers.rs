//! Turning newcomers away before the listener closes.
//!
//! The system lets connections in by itself, as long as there is a listener, and resets those that nobody has accepted when it
//! closes. Between the last look into its queue and the close there is always time for one more, whose request would be lost: a
//! proxy that has sent a POST must not send it again. So the listener is made deaf first. Who is not heard tries again after a
//! second, is refused then, and goes elsewhere with nothing lost.

use std::io;

use super::Listener;

/// Has the system drop the first packet (SYN) of every new connection, and no other: a connection that is half open is completed.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn turn_away(listener: &Listener) -> io::Result<()> {
    use socket2::{SockFilter, SockRef};

    // Four instructions of the classic packet filter (linux/bpf_common.h). A filter on a TCP socket sees packets from the TCP
    // header on, where the flags are the fourteenth byte (RFC 9293, section 3.1) and SYN is the second of them.
    const LOAD_BYTE: u16 = 0x30;
    const JUMP_IF_SET: u16 = 0x45;
    const RETURN: u16 = 0x06;
    const FLAGS: u32 = 13;
    const SYN: u32 = 0x02;
    SockRef::from(listener).attach_filter(&[
        SockFilter::new(LOAD_BYTE, 0, 0, FLAGS),
        SockFilter::new(JUMP_IF_SET, 0, 1, SYN),
        SockFilter::new(RETURN, 0, 0, 0),
        SockFilter::new(RETURN, 0, 0, u32::MAX),
    ])
}

/// Other systems cannot.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn turn_away(_listener: &Listener) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
