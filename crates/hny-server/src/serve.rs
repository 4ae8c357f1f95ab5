//! Serving, and how a node stops without losing anyone.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::connection::Limits;
use crate::door::{Door, Listener};
use crate::front::{Answering, Backstage, Front, FrontWithoutLinks};
use crate::roles::Role;
use crate::routes;

/// How a node stops.
#[derive(Debug, Clone)]
pub struct Drain {
    /// When it begins.
    pub begin: CancellationToken,
    /// How long after that connections are still taken and kept, so that a load balancer can notice that `/readyz` says 503.
    pub delay: Duration,
    /// How long what runs may take to finish.
    pub timeout: Duration,
}

/// How many connections to the metrics may be open: a few scrapers.
const MOST_SCRAPERS: usize = 64;

/// Serves until `drain` begins, and then until what runs is finished or its time is up.
///
/// From the beginning of the drain every answer says `Connection: close`. After the delay the listener and idle connections are
/// closed; whoever had connected until then is served, and whoever connects later is refused.
///
/// Returns whether everything was finished in time; an error when the system cannot watch sockets for us. On a runtime with several
/// threads as many event loops serve.
pub async fn serve(listener: TcpListener, app: App, limits: Limits, drain: Drain) -> io::Result<bool> {
    let router = routes::router(Arc::clone(&app));
    // Chosen once: no visit is asked whose role it is.
    if app.roles.has(Role::Redirect) {
        let front = Front::new(Arc::clone(&app), router);
        serve_through(front, listener, app, limits, drain).await
    } else {
        let front = FrontWithoutLinks::new(Arc::clone(&app), router);
        serve_through(front, listener, app, limits, drain).await
    }
}

async fn serve_through(
    front: impl Answering,
    listener: TcpListener,
    app: App,
    limits: Limits,
    drain: Drain,
) -> io::Result<bool> {
    let threads = Handle::current().metrics().num_workers();
    let listener = Listener::new(listener)?;
    let door = Door::new(&front, threads, limits, Some(app.metrics.clone()), app.clock.clone())?;
    tokio::select! {
        () = door.let_all_in(&listener) => {}
        () = drain.begin.cancelled() => {}
    }
    app.readiness.begin_to_drain();
    door.begin_to_close();
    tracing::info!(delay = ?drain.delay, "draining");
    // Taking connections for `delay` is what is meant to happen here; running into the timeout is no failure.
    let _ = tokio::time::timeout(drain.delay, door.let_all_in(&listener)).await;
    Ok(tokio::time::timeout(drain.timeout, door.close(listener)).await.is_ok())
}

/// Serves `/metrics` until `begin`, under the same limits as everything else. An error when the system cannot watch sockets for us.
pub async fn serve_metrics(
    listener: TcpListener,
    app: App,
    limits: Limits,
    begin: CancellationToken,
) -> io::Result<()> {
    let listener = Listener::new(listener)?;
    let limits = Limits { max_connections: MOST_SCRAPERS, ..limits };
    let backstage = Backstage(routes::metrics_router(app.metrics.clone()));
    let door = Door::new(&backstage, 1, limits, None, app.clock.clone())?;
    tokio::select! {
        () = door.let_all_in(&listener) => {}
        () = begin.cancelled() => door.close(listener).await,
    }
    Ok(())
}
