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

impl Limits {
    /// The same, with at most this much silence.
    fn with_idle_timeout_of(self, most: Duration) -> Self {
        Self { idle_timeout: self.idle_timeout.min(most), ..self }
    }
}

/// The largest head of a request, in bytes: room for a target of 8,192 bytes in the query, and for cookies.
const MAX_HEAD: usize = 32 * 1024;

/// The most header fields.
const MAX_FIELDS: usize = 100;

/// How long a connection that was opened while the node stops may take to its first byte: whoever connected has sent it by
/// then, and whoever has not must not hold up the stop.
const FIRST_BYTE: Duration = Duration::from_secs(1);

/// Serves a connection until the client leaves, takes too long, or `closing` says that it is time to go: then what runs is
/// finished, with `Connection: close`, and nothing new begins. A connection that is opened after that has one request
/// answered: its client could not know, and its first bytes may still be on their way.
pub(crate) async fn serve(stream: TcpStream, front: Front, limits: Limits, closing: CancellationToken) {
    let opened_late = closing.is_cancelled();
    let limits = if opened_late { limits.with_idle_timeout_of(FIRST_BYTE) } else { limits };
    // Answers are small and complete; waiting to fill a packet would only delay them.
    let _ = stream.set_nodelay(true);
    let phase = Arc::new(Phase::new());
    let io = TokioIo::new(WatchedStream::new(stream, Arc::clone(&phase)));
    let service = WatchedService::new(front, Arc::clone(&phase));
    let connection = http1::Builder::new()
        .header_read_timeout(None)
        .max_header_size(MAX_HEAD)
        .max_headers(MAX_FIELDS)
        .keep_alive(!opened_late)
        .serve_connection(io, service);
    let mut connection = pin!(connection);
    // A head may begin at any time, so the watch looks at least once in the time that a head may take.
    let next_look = |deadline: Option<Instant>| {
        let regular = Instant::now() + limits.read_timeout;
        deadline.map_or(regular, |deadline| deadline.min(regular))
    };
    let mut watch = pin!(sleep_until(next_look(phase.deadline(limits))));
    let mut is_closing = opened_late;
    loop {
        tokio::select! {
            biased;
            // An error here is a client that left or sent no HTTP: nothing to be done, and nothing to be logged for each.
            _ = connection.as_mut() => return,
            () = closing.cancelled(), if !is_closing => {
                is_closing = true;
                connection.as_mut().graceful_shutdown();
            }
            () = watch.as_mut() => {
                let deadline = phase.deadline(limits);
                if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                    return;
                }
                watch.as_mut().reset(next_look(deadline));
            }
        }
    }
}
