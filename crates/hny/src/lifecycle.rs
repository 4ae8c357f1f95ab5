//! How the process lives: its threads, its limits, and the signals that end it.

use std::future::Future;
use std::io;

use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Open files that are none of our clients': the database, its readers, the log, the listeners.
const FILES_OF_OUR_OWN: u64 = 128;

/// After how many tasks a worker asks the system for news though it has more to do. With fewer, thousands of busy callers of the API
/// would not be served in their turn: news would come in before all of the last are dealt with, and push some of them back
/// again and again, for a third of a second.
const TASKS_BETWEEN_NEWS: u32 = 1024;

/// The runtime of a service with `threads` workers.
pub fn service_runtime(threads: usize) -> io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(threads).thread_name("hny-worker").event_interval(TASKS_BETWEEN_NEWS).enable_all().build()
}

/// Runs one command to its end.
pub fn run_once<T>(command: impl Future<Output = T>) -> io::Result<T> {
    Ok(run(Builder::new_current_thread().enable_all().build()?, command))
}

/// Runs something to its end, and ends the runtime with it. What nobody waits for any more, such as a question to a provider that does not
/// answer, does not hold up the end of the process.
pub fn run<T>(runtime: Runtime, work: impl Future<Output = T>) -> T {
    let done = runtime.block_on(work);
    runtime.shutdown_background();
    done
}

/// A token that is cancelled by the first SIGTERM, SIGINT, or SIGHUP (the terminal was closed). The second ends the process at once, for whoever cannot wait.
pub fn stop_signal() -> io::Result<CancellationToken> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let mut hangup = signal(SignalKind::hangup())?;
    let stop = CancellationToken::new();
    let first = stop.clone();
    tokio::spawn(async move {
        for time in 0.. {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
                _ = hangup.recv() => {}
            }
            if time == 0 {
                first.cancel();
            } else {
                abort();
            }
        }
    });
    Ok(stop)
}

#[expect(clippy::exit, reason = "the person at the terminal has asked twice; acknowledged changes are on disk already")]
fn abort() {
    std::process::exit(1);
}

/// Raises the limit of open files as far as the system lets us, and says how many of `wanted` connections fit under it.
pub fn connections_within_file_limit(wanted: usize) -> usize {
    let needed = FILES_OF_OUR_OWN.saturating_add(wanted as u64);
    // Where the limit cannot be read there is none that we know of.
    let limit = rlimit::increase_nofile_limit(needed).unwrap_or(u64::MAX);
    let fitting = usize::try_from(limit.saturating_sub(FILES_OF_OUR_OWN)).unwrap_or(usize::MAX).max(1);
    if fitting < wanted {
        tracing::warn!(wanted, fitting, "the limit of open files allows fewer connections; raise it (ulimit -n)");
    }
    wanted.min(fitting)
}
