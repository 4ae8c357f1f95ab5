//! One connection: HTTP/1.1 by hyper, under the eyes of a warden that knows how long a client may take.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use crate::front::Answering;

mod phase;
mod warden;
mod watched;

use phase::Phase;
pub(crate) use warden::Warden;
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

/// The largest head of a request, in bytes: room for a target of 8,192 bytes in the query, and for cookies. It may have 100
/// fields, which is hyper's own limit; set by hand, hyper would prepare room for them anew with each request.
const MAX_HEAD: usize = 32 * 1024;

/// Serves a connection until the client leaves, takes too long, or the node closes. While it is closing every answer is the
/// last one and says so; when it is closed, what runs is finished and nothing new begins. A request that is on its way counts as
/// running: a client that has just connected, or has sent half a head, cannot know that nobody listens any more.
pub(crate) async fn serve(stream: TcpStream, service: impl Answering, phase: Arc<Phase>) {
    // Answers are small and complete; waiting to fill a packet would only delay them.
    let _ = stream.set_nodelay(true);
    let io = TokioIo::new(WatchedStream::new(stream, Arc::clone(&phase)));
    let service = WatchedService::new(service, Arc::clone(&phase));
    let connection = http1::Builder::new()
        .header_read_timeout(None)
        // Who has sent everything may say so, and is answered all the same.
        .half_close(true)
        .max_header_size(MAX_HEAD)
        .serve_connection(io, service);
    let mut connection = pin!(connection);
    let mut is_closed = false;
    poll_fn(|cx| {
        phase.waken_by(cx.waker());
        if phase.is_over() {
            return Poll::Ready(());
        }
        // Before hyper goes on, so that no answer is made without knowing it.
        if phase.is_closed() && !is_closed {
            is_closed = true;
            if !phase.expects_request() {
                connection.as_mut().graceful_shutdown();
            }
        }
        // An error here is a client that left or sent no HTTP: nothing to be done, and nothing to be logged for each.
        connection.as_mut().poll(cx).map(drop)
    })
    .await;
    phase.end();
}
