//! One connection: HTTP/1.1, under the eyes of a warden that knows how long a client may take. Visits are answered where they are
//! read, by an event loop; for everything else the connection is lent to hyper.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::OwnedSemaphorePermit;
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::metrics::ConnectionGuard;

mod event_loop;
mod exchange;
mod head;
mod lent;
mod phase;
mod shared;
mod warden;
mod watched;

pub(crate) use event_loop::EventLoops;
pub(crate) use head::{MAX_FIELDS, is_of_query};
pub(crate) use phase::Phase;
pub(crate) use warden::Warden;

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

/// What belongs to a connection for as long as it is open, wherever it is served.
pub(crate) struct Seat {
    /// Who is at the other end.
    pub(crate) peer: IpAddr,
    /// What it is doing.
    pub(crate) phase: Arc<Phase>,
    /// Its place among those that may be open.
    pub(crate) _place: OwnedSemaphorePermit,
    /// Its place in the metrics, where connections are counted.
    pub(crate) _counted: Option<ConnectionGuard>,
    /// By which the door knows that it is open still.
    pub(crate) _open: TaskTrackerToken,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.phase.end();
    }
}
