//! From a command to the part that does it.

use hny_store::Store;

use super::failure::Failure;
use super::{Action, block, codes, health, key, migrate, resolve, serve, ship_clicks, shorten, stats};
use crate::compose::{self, Use, Verbs};
use crate::config::Config;
use crate::exit::Exit;
use crate::lifecycle;

/// Does what was asked for.
pub fn run(action: &Action, config: &Config) -> Result<Exit, Failure> {
    match action {
        Action::Serve => serve::run(config),
        Action::Shorten(args) => with_verbs(config, async |verbs| {
            compose::load_blocklists(config, verbs).await?;
            shorten::run(args, verbs).await
        }),
        Action::Resolve(args) => with_existing(config, async |verbs| resolve::run(args, verbs).await),
        Action::Stats(args) => with_existing(config, async |verbs| stats::run(args, verbs).await),
        Action::Key(command) if command.makes_one() => with_verbs(config, async |verbs| key::run(command, verbs).await),
        Action::Key(command) => with_existing(config, async |verbs| key::run(command, verbs).await),
        Action::Block(command) if command.adds() => with_verbs(config, async |verbs| block::run(command, verbs).await),
        Action::Block(command) => with_existing(config, async |verbs| block::run(command, verbs).await),
        Action::Codes(command) => codes::run(command, config),
        Action::ShipClicks => ship_clicks::run(config),
        Action::Migrate => migrate::run(config),
        Action::Health => health::run(config),
    }
}

/// Opens the database for one command, and makes it if it is not there.
fn with_verbs(config: &Config, command: impl AsyncFnOnce(&Verbs) -> Result<Exit, Failure>) -> Result<Exit, Failure> {
    lifecycle::run_once(async {
        with_store(config, compose::open_store_for_command(&config.store).await?, command).await
    })
    .map_err(Failure::Process)?
}

/// Opens the database for one command that only makes sense with what is in it: a new one in a wrong folder would look as if
/// everything were lost.
fn with_existing(config: &Config, command: impl AsyncFnOnce(&Verbs) -> Result<Exit, Failure>) -> Result<Exit, Failure> {
    lifecycle::run_once(async { with_store(config, compose::open_existing_store(&config.store).await?, command).await })
        .map_err(Failure::Process)?
}

/// Runs one command, beside a running service or without one, and closes the database. Short URLs are printed as the service
/// prints them that is set to answer on the address of the settings.
async fn with_store(
    config: &Config,
    store: Store,
    command: impl AsyncFnOnce(&Verbs) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let verbs = compose::verbs(config, store, config.http.listen, Use::Command).await?;
    let done = command(&verbs).await;
    verbs.ids.release().await;
    verbs.store.close().await;
    done
}
