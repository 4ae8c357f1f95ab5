//! One connection: HTTP/1.1 by hyper, with a watch over how long the client takes.
//!
//! hyper can time the head of a request itself, but sets up a timer for each; here one timer a connection, looked at when it
//! fires, does for the head and for the silence between requests.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::front::Front;

mod phase;
mod watched;

use phase::Phase;
use watched::{WatchedService, WatchedStream};

/// What a client may ask of a connection.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How long the head of a request may take, from its first byte to its last.
    pub read_timeout: Duration,
    /// How long a connection may be silent between requests, and before the first.
    pub idle_timeout: Duration,
    /// How many connections may be open; more wait in the system's queue.
    pub max_connections: usize,
}

/// The largest head of a request, in bytes: room for a target of 8,192 bytes in the query, and for cookies.
const MAX_HEAD: usize = 32 * 1024;

/// The most header fields.
const MAX_FIELDS: usize = 100;

/// Serves a connection until the client leaves, takes too long, or `closing` says that it is time to go: then what runs is
/// finished, with `Connection: close`, and nothing new begins. A request that is on its way counts as running: a client that
/// has just connected, or has sent half a head, cannot know that nobody listens any more.
pub(crate) async fn serve(stream: TcpStream, front: Front, limits: Limits, closing: CancellationToken) {
    // Answers are small and complete; waiting to fill a packet would only delay them.
    let _ = stream.set_nodelay(true);
    let phase = Arc::new(Phase::new());
    let io = TokioIo::new(WatchedStream::new(stream, Arc::clone(&phase)));
    let service = WatchedService::new(front, Arc::clone(&phase));
    let connection = http1::Builder::new()
        .header_read_timeout(None)
        .max_header_size(MAX_HEAD)
        .max_headers(MAX_FIELDS)
        .serve_connection(io, service);
    let mut connection = pin!(connection);
    // A head may begin at any time, so the watch looks at least once in the time that a head may take.
    let next_look = || Instant::now() + limits.read_timeout;
    let mut watch = pin!(sleep_until(next_look()));
    let mut is_closing = false;
    loop {
        tokio::select! {
            biased;
            // First, so that no answer is made without knowing it.
            () = closing.cancelled(), if !is_closing => {
                is_closing = true;
                phase.close();
                if !phase.expects_request() {
                    connection.as_mut().graceful_shutdown();
                }
                // The deadline may be another one now.
                watch.as_mut().reset(Instant::now());
            }
            // An error here is a client that left or sent no HTTP: nothing to be done, and nothing to be logged for each.
            _ = connection.as_mut() => return,
            () = watch.as_mut() => {
                let deadline = phase.deadline(limits);
                if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                    return;
                }
                watch.as_mut().reset(deadline.map_or_else(next_look, |deadline| deadline.min(next_look())));
            }
        }
    }
}
