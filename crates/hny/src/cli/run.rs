//! From a command to the part that does it.

use super::failure::Failure;
use super::{Action, codes, key, migrate, resolve, serve, shorten};
use crate::compose::{self, Use, Verbs};
use crate::config::Config;
use crate::exit::Exit;
use crate::lifecycle;

/// Does what was asked for.
pub fn run(action: &Action, config: &Config) -> Result<Exit, Failure> {
    match action {
        Action::Serve => serve::run(config),
        Action::Shorten(args) => with_verbs(config, async |verbs| shorten::run(args, verbs).await),
        Action::Resolve(args) => with_verbs(config, async |verbs| resolve::run(args, verbs).await),
        Action::Key(command) => with_verbs(config, async |verbs| key::run(command, verbs).await),
        Action::Codes(command) => codes::run(command, config),
        Action::Migrate => migrate::run(config),
    }
}

/// Opens the database for one command and closes it afterwards, beside a running service or without one. Short URLs are
/// printed as the service prints them that is set to answer on the address of the settings.
fn with_verbs(config: &Config, command: impl AsyncFnOnce(&Verbs) -> Result<Exit, Failure>) -> Result<Exit, Failure> {
    lifecycle::run_once(async {
        let store = compose::open_store(&config.store, 1).await?;
        let verbs = compose::verbs(config, store, config.http.listen, Use::Command).await?;
        let done = command(&verbs).await;
        verbs.ids.release().await;
        verbs.store.close().await;
        done
    })
    .map_err(Failure::Process)?
}
