//! The handle.

use std::sync::Arc;

use redis::aio::MultiplexedConnection;
use redis::{FromRedisValue, RedisResult};
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

use crate::keeper::{self, Shared};
use crate::message::{Listeners, Message};
use crate::session::{RunId, Session, Unavailable};
use crate::{Address, Links, Prefix};

/// A Redis, now or later: it may be down when this is made, and come and go. Cheap to clone; all clones use one connection,
/// which is kept by a task of its own until the last of them is dropped.
#[derive(Debug, Clone)]
pub struct Redis {
    shared: Arc<Shared>,
    _keeper: Arc<AbortOnDropHandle<()>>,
}

impl Redis {
    /// Starts to keep a connection to the Redis at `address`, in whose keys and channels nothing is touched that does not
    /// begin with `prefix`. Needs a tokio runtime.
    pub fn open(address: Address, prefix: Prefix) -> Self {
        if address.is_encrypted() {
            // Fails where the process has a provider already, which is as good.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let shared = Arc::new(Shared { prefix, session: watch::Sender::new(None), listeners: Listeners::default() });
        let keeper = tokio::spawn(keeper::keep(Arc::clone(&shared), address));
        Self { shared, _keeper: Arc::new(AbortOnDropHandle::new(keeper)) }
    }

    /// Has `listener` called with every message from another node or this one. It runs on the task that keeps the connection,
    /// so it must be quick.
    pub fn subscribe(&self, listener: impl Fn(&Message) + Send + Sync + 'static) {
        self.shared.listeners.add(Box::new(listener));
    }

    /// Whether questions are asked at all: the breaker is closed.
    pub fn is_usable(&self) -> bool {
        self.session().is_ok()
    }

    /// Which run of Redis the connection leads to now.
    pub fn run(&self) -> Option<RunId> {
        self.session().ok().map(|session| session.run().clone())
    }

    /// Returns the run of the connection, once there is one that does not lead to `known`.
    pub async fn run_other_than(&self, known: Option<&RunId>) -> RunId {
        let mut sessions = self.shared.session.subscribe();
        let is_other = |session: &Option<Arc<Session>>| {
            session.as_ref().is_some_and(|it| !it.is_over() && Some(it.run()) != known)
        };
        // The sender lives as long as `self`, so there is always an answer.
        match sessions.wait_for(is_other).await.ok().and_then(|session| session.as_ref().map(|it| it.run().clone())) {
            Some(run) => run,
            None => std::future::pending().await,
        }
    }

    /// The shared cache of links as of `generation`, if the connection leads to the `run` that this generation is for.
    pub fn links(&self, generation: u64, run: &str) -> Option<Links> {
        let session = self.session().ok().filter(|session| session.run().as_str() == run)?;
        Some(Links::new(session, &self.shared.prefix, generation))
    }

    /// The session, if there is one.
    pub(crate) fn session(&self) -> Result<Arc<Session>, Unavailable> {
        self.shared.session.borrow().clone().filter(|session| !session.is_over()).ok_or(Unavailable)
    }

    pub(crate) fn prefix(&self) -> &Prefix {
        &self.shared.prefix
    }

    pub(crate) async fn ask<T: FromRedisValue>(
        &self,
        question: impl AsyncFnOnce(&mut MultiplexedConnection) -> RedisResult<T>,
    ) -> Result<T, Unavailable> {
        self.session()?.ask(question).await
    }
}
