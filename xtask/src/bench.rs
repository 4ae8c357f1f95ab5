//! `cargo xtask bench`: figures as ratios, taken side by side in one run, because the machines differ and so do their days.

mod append;
mod codes;
mod create;
mod figures;
mod load;
mod release;

use crate::command::CommandError;
use clap::Subcommand;
use std::net::SocketAddr;
use thiserror::Error;

/// What to measure.
#[derive(Debug, Subcommand)]
pub(crate) enum Bench {
    /// Durable creates a second, at several numbers of callers at once
    Create(create::Options),
    /// The makers of codes, and creates a second with permuted codes against drawn ones
    Codes(codes::Options),
}

/// Why there are no figures.
#[derive(Debug, Error)]
pub(crate) enum BenchError {
    /// The release build failed.
    #[error(transparent)]
    Build(#[from] CommandError),
    /// The benches of the makers of codes showed nothing that could be read.
    #[error("`cargo bench --package hny-codes` showed no times; it said:\n{0}")]
    NoTimes(String),
    /// The build left no program.
    #[error("cargo build named no program called {0}: is it a binary of the workspace?")]
    NoProgram(&'static str),
    /// The probe of the file system failed.
    #[error("the folder {folder} cannot be measured: {source}")]
    Folder {
        /// Where the database and the probe were to be.
        folder: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// No key, so every create would soon meet the limit for strangers.
    #[error("`hny key create` printed no key (a word that starts with hny_). It said:\n{0}")]
    NoKey(String),
    /// The connection failed in the middle.
    #[error("a create on {address} failed: {source}")]
    Connection {
        /// Where the program listened.
        address: SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// An answer other than the one measured.
    #[error("a create was answered with {status} instead of 201:\n{body}")]
    Answer {
        /// The status.
        status: u16,
        /// The body, which says why.
        body: String,
    },
}

impl Bench {
    /// Measures and prints.
    pub(crate) fn run(&self) -> Result<(), BenchError> {
        match self {
            Self::Create(options) => create::run(options),
            Self::Codes(options) => codes::run(options),
        }
    }
}
