//! One connection: HTTP/1.1, under the eyes of a warden that knows how long a client may take. Visits are answered on the
//! plain road; for everything else the connection is lent to hyper.

use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWrite as _;
use tokio::net::TcpStream;

use crate::front::Answering;

mod head;
mod lent;
mod phase;
mod plain;
mod warden;
mod watched;

pub(crate) use head::MAX_FIELDS;
use lent::lend;
use phase::Phase;
use plain::{Plain, Step};
pub(crate) use warden::Warden;
use watched::WatchedService;

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
pub(crate) async fn serve(stream: TcpStream, peer: IpAddr, service: impl Answering, phase: Arc<Phase>) {
    // Answers are small and complete; waiting to fill a packet would only delay them.
    let _ = stream.set_nodelay(true);
    let mut plain = Plain::new(stream, peer, service.road(), Arc::clone(&phase));
    loop {
        match poll_fn(|cx| plain.poll_step(cx)).await {
            Step::LookUp(wanted, keeps) => plain.look_up(&wanted, keeps).await,
            Step::Lend(extent) => {
                let bytes = plain.lent(extent);
                let watched = WatchedService::new(service.clone(), peer, Arc::clone(&phase));
                // Boxed, for it is large and seldom needed: a connection that only asks for links stays small.
                let lent = Box::pin(lend(&mut plain.stream, bytes, extent, watched));
                if !lent.await {
                    break;
                }
            }
            Step::End => break,
        }
    }
    let _ = poll_fn(|cx| Pin::new(&mut plain.stream).poll_shutdown(cx)).await;
    phase.end();
}
