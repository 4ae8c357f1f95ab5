//! `hny stats`.

use std::fmt;

use clap::Args;
use hny_domain::Caller;
use hny_wire::Stats;
use serde::Serialize;

use super::failure::Failure;
use super::resolve::{code_of, say_what_a_code_is};
use crate::compose::Verbs;
use crate::exit::Exit;
use crate::printer::Printer;

/// What `hny stats` takes.
#[derive(Debug, PartialEq, Eq, Args)]
pub struct StatsArgs {
    /// A code, or a whole short URL
    pub code: String,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
}

/// What `hny stats` answers: a line for people, everything for machines.
#[derive(Serialize)]
#[serde(transparent)]
struct Answer(Stats);

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.total.clicks {
            1 => f.write_str("1 click"),
            clicks => write!(f, "{clicks} clicks"),
        }
    }
}

/// Prints how often a link was followed, as far as that is in the database.
pub(super) async fn run(args: &StatsArgs, verbs: &Verbs) -> Result<Exit, Failure> {
    let Some(code) = code_of(&args.code, &verbs.base) else {
        return Ok(say_what_a_code_is(&verbs.base));
    };
    let link = verbs.links.find(Caller::Operator, &code).await?;
    let clicks = verbs.store.clicks_of(link.id).await.map_err(hny_service::Error::from)?;
    Printer::of_json_flag(args.json).data(&Answer(Stats::of(clicks)))?;
    Ok(Exit::Done)
}
