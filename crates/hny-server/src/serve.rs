//! Sockets: who is let in, and how a node stops without losing anyone.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use crate::app::App;
use crate::connection::{self, Limits, Warden};
use crate::front::Front;
use crate::metrics::Metrics;
use crate::routes;

/// How a node stops.
#[derive(Debug, Clone)]
pub struct Drain {
    /// When it begins.
    pub begin: CancellationToken,
    /// How long after that new connections are still taken, so that a load balancer can notice that `/readyz` says 503.
    pub delay: Duration,
    /// How long what runs may take to finish.
    pub timeout: Duration,
}

/// How long to wait when the system has no more sockets to give: nothing tells us when it has again.
const OUT_OF_SOCKETS: Duration = Duration::from_millis(50);

/// Serves until `drain` begins, and then until what runs is finished or its time is up.
///
/// From the beginning of the drain every answer says `Connection: close` and idle connections are closed; the listener is closed
/// after the delay, when the connections that the system had already accepted for us are served too.
///
/// Returns whether everything was finished in time.
pub async fn serve(listener: TcpListener, app: App, limits: Limits, drain: Drain) -> bool {
    let front = Front::new(Arc::clone(&app), routes::router(Arc::clone(&app)));
    let (warden, watch) = Warden::new(limits, drain.begin.clone());
    let watch = AbortOnDropHandle::new(tokio::spawn(watch));
    let door = Door { front, warden, metrics: app.metrics.clone(), tasks: TaskTracker::new() };
    let places = Arc::new(Semaphore::new(limits.max_connections));
    tokio::select! {
        () = accept_all(&listener, &door, &places) => {}
        () = drain.begin.cancelled() => {}
    }
    app.readiness.begin_to_drain();
    // Taking connections for `delay` is what is meant to happen here; running into the timeout is no failure.
    let _ = tokio::time::timeout(drain.delay, accept_all(&listener, &door, &places)).await;
    let finish = async {
        // Whoever still waits there may have to wait for a place, so this takes its time too.
        empty_backlog(listener, &door, &places).await;
        door.tasks.close();
        door.tasks.wait().await;
    };
    let finished = tokio::time::timeout(drain.timeout, finish).await.is_ok();
    drop(watch);
    finished
}

/// Serves `/metrics` until `drain` begins.
pub async fn serve_metrics(listener: TcpListener, metrics: Metrics, begin: CancellationToken) -> io::Result<()> {
    axum::serve(listener, routes::metrics_router(metrics)).with_graceful_shutdown(begin.cancelled_owned()).await
}

/// What a new connection needs.
struct Door {
    front: Front,
    warden: Warden,
    metrics: Metrics,
    tasks: TaskTracker,
}

impl Door {
    fn let_in(&self, stream: TcpStream, place: OwnedSemaphorePermit) {
        let (front, phase) = (self.front.clone(), self.warden.watch());
        let counted = self.metrics.connection();
        self.tasks.spawn(async move {
            connection::serve(stream, front, phase).await;
            drop((place, counted));
        });
    }
}

/// Lets connections in, forever. Each has a place first, so that the limit holds whatever the system would allow.
async fn accept_all(listener: &TcpListener, door: &Door, places: &Arc<Semaphore>) {
    while let Ok(place) = Arc::clone(places).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => door.let_in(stream, place),
            Err(error) if is_of_one_client(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection; is the limit of open files too low?");
                tokio::time::sleep(OUT_OF_SOCKETS).await;
            }
        }
    }
}

/// Lets in who had connected before the listener closes; whoever comes later is refused by the system and goes elsewhere.
///
/// The system itself is asked: the runtime knows only whom its last look has shown, and gives a task that takes many at once a
/// pause, which would be taken for the end.
async fn empty_backlog(listener: TcpListener, door: &Door, places: &Arc<Semaphore>) {
    let Ok(listener) = listener.into_std() else { return };
    loop {
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if is_of_one_client(&error) => continue,
            // Nobody is left, or nobody can be let in.
            Err(_) => return,
        };
        let Ok(place) = Arc::clone(places).acquire_owned().await else { return };
        match stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream)) {
            Ok(stream) => door.let_in(stream, place),
            Err(error) => tracing::warn!(%error, "cannot serve a connection"),
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
