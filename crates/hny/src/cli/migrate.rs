//! `hny migrate`.

use super::failure::Failure;
use crate::compose;
use crate::config::Config;
use crate::exit::Exit;
use crate::lifecycle;
use crate::printer::say;

/// Opens the database, which brings its tables up to date, and closes it again.
pub(super) fn run(config: &Config) -> Result<Exit, Failure> {
    lifecycle::run_once(async {
        compose::open_store_for_command(&config.store).await?.close().await;
        say("the database is up to date");
        Ok(Exit::Done)
    })
    .map_err(Failure::Process)?
}
