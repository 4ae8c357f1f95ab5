//! What can be typed, and what was typed.
//!
//! Every setting is a flag of every command, made from the table in [`crate::config::settings`]. Where a command has a flag
//! of the same name (`shorten --redirect-status`), the command's own wins.

mod failure;
mod flags;
mod health;
mod migrate;
mod run;
mod serve;
mod ship_clicks;

pub mod block;
pub mod codes;
pub mod config;
pub mod key;
pub mod resolve;
pub mod shorten;
pub mod stats;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::config::Flags;

pub use failure::Failure;
pub use run::run;

/// What was typed. It cannot be printed whole: there may be secrets among the flags.
pub struct Typed {
    /// The command; `serve` when none was named.
    pub command: Command,
    /// The settings among the flags.
    pub flags: Flags,
}

/// A command.
#[derive(Debug, PartialEq, Eq, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one, at the start")]
pub enum Command {
    /// A command that needs good settings.
    #[command(flatten)]
    Action(Action),
    /// Look at the settings
    #[command(subcommand)]
    Config(config::ConfigCommand),
}

/// A command that needs good settings.
#[derive(Debug, PartialEq, Eq, Subcommand)]
pub enum Action {
    /// Run the service (this is what plain `hny` does)
    Serve,
    /// Make a short URL
    Shorten(shorten::ShortenArgs),
    /// Say where a short URL leads
    Resolve(resolve::ResolveArgs),
    /// Say how often a short URL was followed
    Stats(stats::StatsArgs),
    /// Make, list and revoke API keys
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// Add, remove and list domains and URLs that links may not lead to
    #[command(subcommand)]
    Block(block::BlockCommand),
    /// Change how codes are made
    #[command(subcommand)]
    Codes(codes::CodesCommand),
    /// Bring clicks from Kafka to ClickHouse, until told to stop
    ShipClicks,
    /// Bring the database up to date, as `serve` does at start
    Migrate,
    /// Say whether the service of these settings, on this machine, can serve
    Health,
}

/// A self-hosted URL shortener
#[derive(Parser)]
#[command(name = "hny", version, disable_help_subcommand = true, after_help = flags::NOTE)]
struct Cli {
    /// Read settings from this file [default: hny.toml, if it is there]
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Reads the command line. The error may also be a wish for `--help` or `--version`; [`crate::printer::usage`] prints it.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Typed, clap::Error> {
    let matches = definition().try_get_matches_from(args)?;
    let cli = Cli::from_arg_matches(&matches)?;
    let flags = Flags { config: cli.config, values: flags::collect(&matches) };
    Ok(Typed { command: cli.command.unwrap_or(Command::Action(Action::Serve)), flags })
}

/// The whole command line, with every setting on every command.
pub fn definition() -> clap::Command {
    flags::add_to(Cli::command(), flags::Listing::Shown)
}

#[cfg(test)]
mod tests;
