//! `hny serve`.

use std::io;
use std::net::SocketAddr;

use hny_server::{App, Drain, Limits, Readiness, Role};
use hny_service::{CreatePolicy, Ids, IdsError};
use hny_store::StoreError;
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::failure::Failure;
use crate::compose::{self, ClickRoad, ComposeError, Use};
use crate::config::{BaseUrl, Config, LogFormat};
use crate::exit::Exit;
use crate::lifecycle;
use crate::printer::say;

/// Runs the service until it is told to stop.
pub(super) fn run(config: &Config) -> Result<Exit, Failure> {
    let runtime = lifecycle::service_runtime(config.http.threads.get()).map_err(Failure::Process)?;
    lifecycle::run(runtime, serve(config))
}

async fn serve(config: &Config) -> Result<Exit, Failure> {
    let http = &config.http;
    let (socket, bound) = bind(http.listen)?;
    let store = compose::open_store(&config.store, http.threads.get()).await?;
    let makes_links = http.roles.has(Role::Api);
    let purpose = if makes_links { Use::Service } else { Use::Redirects };
    let verbs = compose::verbs(config, store, bound, purpose).await?;
    if makes_links {
        lease_node(&verbs.ids).await?;
    }
    let files = compose::load_blocklists(config, &verbs).await?;
    let ClickRoad { recorder, upkeep } = compose::click_road(config, &verbs).await?;
    let app = compose::app(config, &verbs, recorder.clone(), Readiness::new())?;
    let begin = lifecycle::stop_signal().map_err(Failure::Process)?;
    let limits = compose::limits(http, lifecycle::connections_within_file_limit(http.max_connections.get()));
    let heartbeat = tokio::spawn(keep(verbs.ids.clone()));
    let upkeep = tokio::spawn(upkeep.run());
    let lists = [tokio::spawn(verbs.blocks.clone().follow()), tokio::spawn(files.follow())];
    let removal = tokio::spawn(verbs.receipts.clone().remove_old());
    let metrics = match http.metrics_listen {
        Some(address) => Some(serve_metrics(address, &app, limits, &begin)?),
        None => None,
    };
    // Not before everything is there: who is refused now goes to another node, and who were let in would have to wait.
    let listener = listen(socket, bound)?;
    greet(config, bound, metrics, app.base.as_str());
    let drain = Drain { begin, delay: http.drain_delay, timeout: http.drain_timeout };
    let finished = hny_server::serve(listener, app, limits, drain).await.map_err(Failure::Process)?;
    // Nobody is connected any more, so nobody records.
    recorder.close().await;
    stop(upkeep).await;
    for list in lists {
        stop(list).await;
    }
    stop(removal).await;
    stop(heartbeat).await;
    verbs.ids.release().await;
    verbs.store.close().await;
    if finished {
        tracing::info!("stopped");
    } else {
        tracing::warn!("stopped, and cut off requests that were not finished in time");
    }
    Ok(Exit::Done)
}

/// Serves `/metrics` beside everything else; the address it is bound to.
fn serve_metrics(
    address: SocketAddr,
    app: &App,
    limits: Limits,
    begin: &CancellationToken,
) -> Result<SocketAddr, Failure> {
    let (socket, bound) = bind(address)?;
    let listener = listen(socket, bound)?;
    let serving = hny_server::serve_metrics(listener, App::clone(app), limits, begin.clone());
    tokio::spawn(async {
        if let Err(error) = serving.await {
            tracing::error!(%error, "the metrics cannot be served");
        }
    });
    Ok(bound)
}

/// Leases the node of this process. While the clock is behind ids that exist, or the database takes no changes, no links can be
/// made, but visitors are served.
async fn lease_node(ids: &Ids) -> Result<(), ComposeError> {
    match ids.lease().await {
        Err(IdsError::Clock(error)) => {
            tracing::error!(%error, "no links can be made until the clock is right");
            Ok(())
        }
        Err(IdsError::Store(error @ StoreError::Unavailable(_))) => {
            tracing::error!(%error, "no links can be made until the database takes changes");
            Ok(())
        }
        leased => Ok(leased?),
    }
}

/// Keeps the node of this process, for as long as it makes links.
async fn keep(ids: Ids) {
    ids.keep().await;
}

/// Ends a task, and returns when it has ended: a last renewal must not come after the node was given back.
async fn stop(task: JoinHandle<()>) {
    task.abort();
    // Ended by us: there is no other way.
    drop(task.await);
}

/// How many connections may wait to be let in: a burst, or more than there are places for. (Linux takes at most what
/// `net.core.somaxconn` says.) The usual 128 are too few where thousands come; who finds the queue full tries again after a
/// second.
const QUEUE_LENGTH: u32 = 4096;

/// Takes the address, so that one that is taken is found out at once.
fn bind(address: SocketAddr) -> Result<(TcpSocket, SocketAddr), Failure> {
    try_bind(address).map_err(|source| Failure::Listen { address, source })
}

fn try_bind(address: SocketAddr) -> io::Result<(TcpSocket, SocketAddr)> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Or a restart would have to wait for the system to forget the last connections.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    let bound = socket.local_addr()?;
    Ok((socket, bound))
}

/// Begins to take connections.
fn listen(socket: TcpSocket, address: SocketAddr) -> Result<TcpListener, Failure> {
    socket.listen(QUEUE_LENGTH).map_err(|source| Failure::Listen { address, source })
}

/// Says where it listens, and what to type next. Programs that start us wait for the lines with the addresses: they come
/// whatever the log level is, unless the log is for machines, which then has them as lines of its own.
fn greet(config: &Config, bound: SocketAddr, metrics: Option<SocketAddr>, base: &str) {
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "started");
    let tell: fn(String) = match config.log.format {
        LogFormat::Text => |line| say(line),
        LogFormat::Json => |line| tracing::info!("{line}"),
    };
    tell(format!("hny is listening on http://{bound}"));
    if let Some(metrics) = metrics {
        tell(format!("metrics on http://{metrics}/metrics"));
    }
    if config.http.base_url == BaseUrl::OfListen && bound.ip().is_unspecified() {
        tracing::warn!("short URLs start with {base}, which others cannot open; set base_url (HNY_BASE_URL)");
    }
    if config.log.format == LogFormat::Text {
        say_what_to_type(config, base);
    }
}

/// Says what to type next.
fn say_what_to_type(config: &Config, base: &str) {
    if !config.http.roles.has(Role::Api) {
        say("This node makes no links (HNY_ROLES). Stop with Ctrl-C. 'hny --help' lists the other commands.");
        return;
    }
    let key = match config.links.create {
        CreatePolicy::Open => "",
        CreatePolicy::Key => {
            say("Make an API key:    hny key create --name NAME --role admin");
            " -H 'Authorization: Bearer hny_…'"
        }
    };
    say(format_args!("Make a short link:  curl {base}/api/shorten{key} -H 'Content-Type: application/json' \\"));
    say("                      -d '{\"originalUrl\":\"https://example.com/a/long/page\"}'");
    say("Stop with Ctrl-C. 'hny --help' lists the other commands.");
}
