//! `hny config`: works with bad settings too, so it runs before they are checked.

use std::io;

use clap::Subcommand;

use crate::config::{Check, Config, Example, Shown, Written};
use crate::exit::Exit;
use crate::printer::{Printer, say};

/// What `hny config` does.
#[derive(Debug, PartialEq, Eq, Subcommand)]
pub enum ConfigCommand {
    /// Say whether the settings are fine, and all that is wrong with them
    Check {
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
    /// Show every setting and where it comes from, without secrets
    Show {
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a complete hny.toml with everything explained
    Example,
}

/// Does what was asked for.
pub fn run(command: &ConfigCommand, written: &Written) -> io::Result<Exit> {
    match *command {
        ConfigCommand::Check { json } => check(Printer::of_json_flag(json), written),
        ConfigCommand::Show { json } => show(Printer::of_json_flag(json), written),
        ConfigCommand::Example => Printer::Text.data(&Example).map(|()| Exit::Done),
    }
}

fn check(printer: Printer, written: &Written) -> io::Result<Exit> {
    match Config::check(written) {
        Ok(_) => printer.data(&Check::fine()).map(|()| Exit::Done),
        Err(problems) => {
            match printer {
                Printer::Text => say(problems),
                Printer::Json => printer.data(&Check::of(problems))?,
            }
            Ok(Exit::Usage)
        }
    }
}

/// Shows what there is even when some of it is wrong: that is when one wants to look.
fn show(printer: Printer, written: &Written) -> io::Result<Exit> {
    printer.data(&Shown::of(written))?;
    match Config::check(written) {
        Ok(_) => Ok(Exit::Done),
        Err(problems) => {
            say(problems);
            Ok(Exit::Usage)
        }
    }
}
