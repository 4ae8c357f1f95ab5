//! From a command to the part that does it.

use std::error::Error;
use std::io;
use std::net::SocketAddr;

use super::{Action, key, migrate, resolve, serve, shorten};
use crate::compose::{self, ComposeError, Verbs};
use crate::config::Config;
use crate::exit::Exit;
use crate::lifecycle;
use crate::printer::say;

/// Does what was asked for.
pub fn run(action: &Action, config: &Config) -> io::Result<Exit> {
    let done = match action {
        Action::Serve => serve::run(config),
        Action::Shorten(args) => with_verbs(config, async |verbs| shorten::run(args, verbs).await),
        Action::Resolve(args) => with_verbs(config, async |verbs| resolve::run(args, verbs).await),
        Action::Key(command) => with_verbs(config, async |verbs| key::run(command, verbs).await),
        Action::Migrate => migrate::run(config),
    };
    match done {
        Ok(exit) => exit,
        Err(error) => {
            say(with_causes(&error));
            Ok(Exit::Failed)
        }
    }
}

/// Opens the database for one command and closes it afterwards, beside a running service or without one.
fn with_verbs(
    config: &Config,
    command: impl AsyncFnOnce(&Verbs) -> io::Result<Exit>,
) -> Result<io::Result<Exit>, ComposeError> {
    lifecycle::run_once(async {
        let store = compose::open_store(&config.store, 1).await?;
        let verbs = compose::verbs(config, store, unbound(config))?;
        let done = command(&verbs).await;
        verbs.store.close().await;
        Ok(done)
    })?
}

/// The address that the service is set to answer on; the commands print short URLs under it.
fn unbound(config: &Config) -> SocketAddr {
    config.http.listen
}

/// An error and its causes, on one line.
pub(super) fn with_causes(error: &dyn Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
