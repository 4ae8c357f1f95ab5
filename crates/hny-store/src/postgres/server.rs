//! A server, or several of which one is wanted, and how to connect to it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::failure::Failure;
use super::session::Session;
use super::tls::{self, TlsError};
use crate::PostgresUrl;

/// How long a connection may take to be made, with all hosts and the login.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// Where to connect to.
pub(super) struct Server {
    url: PostgresUrl,
    tls: MakeRustlsConnect,
    is_ready: watch::Sender<bool>,
}

impl Server {
    pub(super) fn new(url: PostgresUrl) -> Result<Self, TlsError> {
        let tls = tls::connector(&url)?;
        Ok(Self { url, tls, is_ready: watch::Sender::new(false) })
    }

    /// Says that its database is as it should be: everybody may use it from now on.
    pub(super) fn set_ready(&self) {
        self.is_ready.send_replace(true);
    }

    pub(super) fn is_ready(&self) -> bool {
        *self.is_ready.borrow()
    }

    /// Returns when it may be used.
    pub(super) async fn ready(&self) {
        // The sender is here.
        let _ = self.is_ready.subscribe().wait_for(|is_ready| *is_ready).await;
    }

    /// Makes a connection, which works on the runtime of the caller.
    pub(super) async fn connect(&self) -> Result<Arc<Session>, Failure> {
        let connecting = self.url.config.connect(self.tls.clone());
        let (client, connection) = timeout(CONNECT_LIMIT, connecting).await.map_err(|_| Failure::Late)??;
        Ok(Session::start(client, connection))
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(f)
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({self})")
    }
}
