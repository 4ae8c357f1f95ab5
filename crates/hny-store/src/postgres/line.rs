//! A connection that is there again after it broke.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_postgres::Row;

use super::failure::Failure;
use super::server::Server;
use super::session::{Parameters, Session};
use super::tasks::Tasks;
use crate::error::Cause;

/// How long one waits for a connection that is being made. After the first attempt has failed nobody waits any more, until one
/// succeeds.
const PATIENCE: Duration = Duration::from_secs(2);

/// The pauses between attempts: doubled up to the last.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(800));

/// A connection and the task that makes it anew.
#[derive(Debug)]
pub(super) struct Line(watch::Receiver<State>);

#[derive(Debug, Clone)]
enum State {
    /// It is being made.
    Opening,
    Open(Arc<Session>),
    /// It could not be made; that is tried again and again.
    Down(Cause),
    Closed,
}

impl Line {
    /// Begins to connect, and goes on whenever the connection breaks, until the store is closed.
    pub(super) fn start(server: Arc<Server>, tasks: &Tasks) -> Self {
        let (states, state) = watch::channel(State::Opening);
        let closed = tasks.closed.clone();
        tasks.background.spawn(async move {
            tokio::select! {
                () = keep(&server, &states) => {}
                () = closed.cancelled() => {}
            }
            if let State::Open(session) = states.send_replace(State::Closed) {
                session.give_up();
            }
        });
        Self(state)
    }

    /// The connection. Waits for it only while the first attempt to make it runs.
    pub(super) async fn session(&self) -> Result<Arc<Session>, Failure> {
        if let Some(result) = self.0.borrow().result() {
            return result;
        }
        let mut states = self.0.clone();
        let settled = timeout(PATIENCE, states.wait_for(|state| state.result().is_some())).await;
        match settled {
            Ok(Ok(state)) => state.result().unwrap_or(Err(Failure::Late)),
            Ok(Err(_)) => Err(Failure::Closed),
            Err(_) => Err(Failure::Late),
        }
    }

    /// The rows that answer a question that changes nothing: if the connection broke, it is asked once more on the next.
    pub(super) async fn ask(&self, sql: &'static str, parameters: Parameters<'_>) -> Result<Vec<Row>, Failure> {
        match self.session().await?.query(sql, parameters).await {
            Err(failure) if failure.is_loss() && !matches!(failure, Failure::Late) => {
                self.session().await?.query(sql, parameters).await
            }
            answer => answer,
        }
    }
}

impl State {
    /// What to tell who wants the connection; `None` while that is not certain.
    fn result(&self) -> Option<Result<Arc<Session>, Failure>> {
        match self {
            Self::Open(session) if !session.is_gone() => Some(Ok(Arc::clone(session))),
            Self::Open(_) | Self::Opening => None,
            Self::Down(cause) => Some(Err(Failure::Down(Arc::clone(cause)))),
            Self::Closed => Some(Err(Failure::Closed)),
        }
    }
}

/// Why nobody waits for a server that was away from the beginning.
#[derive(Debug, thiserror::Error)]
#[error("the server was not there when the database was opened, nor since")]
struct NotYet;

async fn keep(server: &Server, states: &watch::Sender<State>) {
    let mut pause = PAUSES.0;
    if !server.is_ready() {
        states.send_replace(State::Down(Arc::new(NotYet)));
        server.ready().await;
    }
    loop {
        match server.connect().await {
            Ok(session) => {
                pause = PAUSES.0;
                states.send_replace(State::Open(Arc::clone(&session)));
                session.ended().await;
                states.send_replace(State::Opening);
            }
            Err(failure) => {
                tracing::debug!(%server, error = %failure, "cannot connect");
                states.send_replace(State::Down(Arc::new(failure)));
                sleep(pause).await;
                pause = PAUSES.1.min(pause * 2);
            }
        }
    }
}
