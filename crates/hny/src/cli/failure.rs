//! Why a command was not done, and what the person at the terminal is told.

use std::io;
use std::net::SocketAddr;

use thiserror::Error;

use crate::compose::ComposeError;
use crate::exit::Exit;
use crate::printer::say;

/// Why a command was not done.
#[derive(Debug, Error)]
pub enum Failure {
    /// The parts could not be put together.
    #[error(transparent)]
    Compose(#[from] ComposeError),
    /// The address is not to be had.
    #[error("cannot listen on {address}; stop the program that does, or set another address")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The runtime or the signals of the process could not be set up.
    #[error("the system refuses what a process needs")]
    Process(#[source] io::Error),
    /// The result could not be written to stdout.
    #[error("the output could not be written")]
    Output(#[from] io::Error),
    /// What is asked about clicks is not answered.
    #[error(transparent)]
    Statistics(#[from] hny_clicks::StatisticsError),
    /// A setting that the command needs.
    #[error("{0}")]
    Unset(&'static str),
    /// What the clicks should come to is not to be had, or is not ours.
    #[cfg(feature = "clickhouse")]
    #[error(transparent)]
    ClickHouse(#[from] hny_clicks::clickhouse::ClickHouseError),
    /// What is blocked was neither changed nor told.
    #[error(transparent)]
    Block(#[from] hny_guard::BlockError),
    /// The verb was not done.
    #[error(transparent)]
    Verb(#[from] hny_service::Error),
}

impl Failure {
    /// Says why, and what would be right; the exit code to end with.
    pub fn explain(&self) -> Exit {
        match self {
            Self::Verb(error) => explain_verb(error),
            Self::Block(hny_guard::BlockError::Rule(error)) => {
                say(error);
                Exit::Usage
            }
            other => {
                say(with_causes(other));
                Exit::Failed
            }
        }
    }
}

fn explain_verb(error: &hny_service::Error) -> Exit {
    use hny_service::{CodeKeyError, Error};
    match error {
        Error::Invalid(fields) | Error::Suspected(fields) | Error::KeyNeeded(fields) => {
            for field in fields {
                say(field);
            }
            return Exit::Usage;
        }
        Error::NotAllowed => say("this is not allowed"),
        Error::LinkNotFound => say("there is no link with this code; upper and lower case count"),
        Error::KeyNotFound => say("there is no API key with this number; 'hny key list' shows them all"),
        Error::LastAdminKey => say("this is the last API key that may do everything; make another first"),
        Error::ReportNotFound => say("there is no report with this number"),
        Error::CodeTaken => say("another link has this code; choose another, or leave --code out to get one drawn"),
        Error::Lookalike => say("another chosen code looks like this one (0 and O, 1 and l and I); choose another"),
        Error::NoFreeCode(tries) => {
            say(format_args!("no free code in {tries} tries: set a greater code_length (HNY_CODE_LENGTH)"));
        }
        Error::CodesUsedUp => say("the codes of this length are used up: set a greater code_length (HNY_CODE_LENGTH)"),
        Error::OtherCodeKey => say(CodeKeyError::Different),
        // Commands expect nothing and send no keys with what they ask.
        Error::Outdated | Error::OtherRequest | Error::StillRunning => say(error),
        Error::Ids(error) => say(with_causes(error)),
        Error::Store(error) => say(with_causes(error)),
    }
    Exit::Failed
}

/// An error and its causes, on one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
