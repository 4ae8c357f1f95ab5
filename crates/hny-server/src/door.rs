//! The door: who is let in, how many at a time, and how it is closed.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use hny_domain::Clock;
use mio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use crate::connection::{EventLoops, Limits, Seat, Warden};
use crate::front::Answering;
use crate::metrics::Metrics;

mod listener;
mod newcomers;

pub(crate) use listener::Listener;

/// How long to wait when the system has no more sockets to give: nothing tells us when it has again.
const OUT_OF_SOCKETS: Duration = Duration::from_millis(50);

/// How long a connection may take to be complete that was begun before the door closed: a few round trips in a data centre. Nothing
/// tells us of those that are half open.
const HANDSHAKE: Duration = Duration::from_millis(100);

/// Lets connections in to a service.
pub(crate) struct Door {
    /// Who serves them.
    loops: EventLoops,
    /// Where connections are counted, if they are.
    metrics: Option<Metrics>,
    warden: Warden,
    /// The warden's work; it ends with the door.
    _watch: AbortOnDropHandle<()>,
    places: Arc<Semaphore>,
    open: TaskTracker,
}

impl Door {
    /// A door to `service`, behind which `threads` serve. Needs a tokio runtime.
    pub(crate) fn new(
        service: &impl Answering,
        threads: usize,
        limits: Limits,
        metrics: Option<Metrics>,
        clock: Clock,
    ) -> io::Result<Self> {
        let loops = EventLoops::new(service, threads)?;
        let (warden, watch) = Warden::new(limits, clock);
        let places = Arc::new(Semaphore::new(limits.max_connections));
        let watch = AbortOnDropHandle::new(tokio::spawn(watch));
        Ok(Self { loops, metrics, warden, _watch: watch, places, open: TaskTracker::new() })
    }

    /// From now on every answer is the last one on its connection.
    pub(crate) fn begin_to_close(&self) {
        self.warden.begin_to_close();
    }

    /// Closes the door: serves who had come, closes the connections on which nothing runs, and waits for the others.
    pub(crate) async fn close(&self, listener: Listener) {
        self.begin_to_close();
        // Whoever still waits there may have to wait for a place, so places are made first.
        self.warden.close();
        self.let_the_last_in(&listener).await;
        self.empty_backlog(listener).await;
        self.open.close();
        self.open.wait().await;
    }

    fn let_in(&self, stream: TcpStream, peer: IpAddr, place: OwnedSemaphorePermit) {
        let (phase, counted) = (self.warden.watch(), self.metrics.as_ref().map(Metrics::connection));
        self.loops.serve(stream, Seat { peer, phase, _place: place, _counted: counted, _open: self.open.token() });
    }

    /// Lets connections in, forever. Each has a place first, so that the limit holds whatever the system would allow.
    pub(crate) async fn let_all_in(&self, listener: &Listener) {
        while let Ok(place) = Arc::clone(&self.places).acquire_owned().await {
            match listener.accept().await {
                Ok((stream, peer)) => self.let_in(stream, peer, place),
                Err(error) if is_of_one_client(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection; is the limit of open files too low?");
                    tokio::time::sleep(OUT_OF_SOCKETS).await;
                }
            }
        }
    }

    /// Sees to it that nobody connects any more, and lets in who had begun to.
    async fn let_the_last_in(&self, listener: &Listener) {
        match newcomers::turn_away(listener) {
            // Letting in for that long is what is meant to happen here.
            Ok(()) => drop(tokio::time::timeout(HANDSHAKE, self.let_all_in(listener)).await),
            Err(error) => tracing::debug!(%error, "whoever connects just when the listener closes will be cut off"),
        }
    }

    /// Lets in who had connected before the listener closes; whoever comes later is refused by the system and goes elsewhere.
    ///
    /// The system itself is asked: the runtime knows only whom its last look has shown, and gives a task that takes many at once a
    /// pause, which would be taken for the end.
    async fn empty_backlog(&self, listener: Listener) {
        loop {
            let (stream, peer) = match listener.accept_now() {
                Ok(newcomer) => newcomer,
                Err(error) if is_of_one_client(&error) => continue,
                // Nobody is left, or nobody can be let in.
                Err(_) => return,
            };
            let Ok(place) = Arc::clone(&self.places).acquire_owned().await else { return };
            self.let_in(stream, peer, place);
        }
    }
}

/// A client that was gone before it was let in is no trouble of ours.
fn is_of_one_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionRefused
    )
}
