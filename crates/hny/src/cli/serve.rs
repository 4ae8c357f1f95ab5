//! `hny serve`.

use std::io;
use std::net::SocketAddr;

use hny_server::{Drain, Readiness};
use tokio::net::TcpListener;

use crate::compose::{self, ComposeError};
use crate::config::Config;
use crate::exit::Exit;
use crate::lifecycle;
use crate::printer::say;

/// Runs the service until it is told to stop.
pub(super) fn run(config: &Config) -> Result<io::Result<Exit>, ComposeError> {
    let runtime = lifecycle::service_runtime(config.http.threads.get())?;
    runtime.block_on(serve(config))
}

async fn serve(config: &Config) -> Result<io::Result<Exit>, ComposeError> {
    let (listener, bound) = match listen(config.http.listen).await {
        Ok(listener) => listener,
        Err(error) => return Ok(Ok(cannot_listen(config.http.listen, &error))),
    };
    let store = compose::open_store(&config.store, config.http.threads.get()).await?;
    let verbs = compose::verbs(config, store, bound)?;
    let app = compose::app(config, &verbs, Readiness::new());
    let begin = lifecycle::stop_signal()?;
    let metrics = match config.http.metrics_listen {
        None => None,
        Some(address) => match listen(address).await {
            Ok((listener, bound)) => {
                let serving = hny_server::serve_metrics(listener, app.metrics.clone(), begin.clone());
                Some((tokio::spawn(serving), bound))
            }
            Err(error) => return Ok(Ok(cannot_listen(address, &error))),
        },
    };
    greet(bound, metrics.as_ref().map(|(_, bound)| *bound), app.base.as_str());
    let limits =
        compose::limits(&config.http, lifecycle::connections_within_file_limit(config.http.max_connections.get()));
    let drain = Drain { begin, delay: config.http.drain_delay, timeout: config.http.drain_timeout };
    let finished = hny_server::serve(listener, app, limits, drain).await;
    verbs.store.close().await;
    if finished {
        tracing::info!("stopped");
    } else {
        tracing::warn!("stopped, and cut off requests that were not finished in time");
    }
    Ok(Ok(Exit::Done))
}

async fn listen(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(address).await?;
    let bound = listener.local_addr()?;
    Ok((listener, bound))
}

fn cannot_listen(address: SocketAddr, error: &io::Error) -> Exit {
    say(format_args!("cannot listen on {address}: {error}; stop the program that does, or set another address"));
    Exit::Failed
}

/// Says where it listens, and what to type next. Programs that start us wait for these lines, whatever the log level is.
fn greet(bound: SocketAddr, metrics: Option<SocketAddr>, base: &str) {
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "started");
    say(format_args!("hny is listening on http://{bound}"));
    if let Some(metrics) = metrics {
        say(format_args!("metrics on http://{metrics}/metrics"));
    }
    say(format_args!(
        "Make a short link:  hny shorten https://example.com/a/long/page\nor over HTTP:       curl {base}/api/shorten -H 'Content-Type: application/json' -d '{{\"originalUrl\":\"https://example.com/a/long/page\"}}'\nStop with Ctrl-C."
    ));
}
