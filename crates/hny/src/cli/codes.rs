//! `hny codes`.

use std::fmt;

use clap::Subcommand;
use hny_domain::Clock;
use serde::Serialize;

use super::failure::Failure;
use crate::compose::{self, CodeKeyEpoch};
use crate::config::Config;
use crate::exit::Exit;
use crate::lifecycle;
use crate::printer::{Printer, say};

/// What `hny codes` does.
#[derive(Debug, PartialEq, Eq, Subcommand)]
pub enum CodesCommand {
    /// Make codes with the code key that is set now, and leave those of the key before as they are
    AdoptKey {
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
}

/// From which epoch on the key is in use.
#[derive(Serialize)]
struct Adopted {
    epoch: u64,
}

impl fmt::Display for Adopted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "epoch {} of the codes has begun", self.epoch)
    }
}

/// Adopts the key. No verb is made for this: they would refuse the new key.
pub(super) fn run(command: &CodesCommand, config: &Config) -> Result<Exit, Failure> {
    let CodesCommand::AdoptKey { json } = command;
    let adopted = lifecycle::run_once(async {
        let store = compose::open_store_for_command(&config.store).await?;
        let adopted = compose::adopt_code_key(config, &store, &Clock::system()).await;
        store.close().await;
        adopted
    })
    .map_err(Failure::Process)??;
    if let Some(CodeKeyEpoch(epoch)) = adopted {
        Printer::of_json_flag(*json).data(&Adopted { epoch })?;
        say("restart every node with this key; links made with the one before keep working");
        return Ok(Exit::Done);
    }
    say(format_args!("codes = \"{}\" uses no key; there is nothing to adopt", config.codes.scheme));
    Ok(Exit::Failed)
}
