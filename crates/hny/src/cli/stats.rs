//! `hny stats`.

mod answer;
mod chart;
mod groups;
mod terminal;

use clap::Args;
use hny_clicks::QuestionInput;
use hny_domain::{Caller, Scope};
use hny_service::Error;

use self::answer::Answer;
use self::terminal::Terminal;
use super::failure::Failure;
use super::resolve::{place_of, say_what_a_code_is};
use crate::compose::Verbs;
use crate::exit::Exit;
use crate::printer::Printer;

/// What `hny stats` takes.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub struct StatsArgs {
    /// A code, or a whole short URL
    pub code: String,
    /// The first day, as in 2030-01-01, or time, as in 2030-01-01T12:00:00Z [default: 30 days before the end]
    #[arg(long, value_name = "TIME")]
    pub from: Option<String>,
    /// The end: the first day or time that is not counted [default: now]
    #[arg(long, value_name = "TIME")]
    pub to: Option<String>,
    /// hour, day, week or month [default: day]
    #[arg(long)]
    pub interval: Option<String>,
    /// The time zone, as in Europe/Berlin [default: UTC]
    #[arg(long, value_name = "ZONE")]
    pub tz: Option<String>,
    /// country, referrer, browser, os, device, language or kind
    #[arg(long, value_name = "WHAT")]
    pub group_by: Option<String>,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
}

impl StatsArgs {
    fn input(&self) -> QuestionInput<'_> {
        QuestionInput {
            from: self.from.as_deref(),
            to: self.to.as_deref(),
            interval: self.interval.as_deref(),
            tz: self.tz.as_deref(),
            group_by: self.group_by.as_deref(),
        }
    }
}

/// Prints how often a link was followed, as far as that is in the database.
pub(super) async fn run(args: &StatsArgs, verbs: &Verbs) -> Result<Exit, Failure> {
    let question = args.input().check(verbs.clock.now()).map_err(Error::Invalid)?;
    let Some((domain, code)) = place_of(&args.code, &verbs.domains) else {
        return Ok(say_what_a_code_is(&verbs.domains));
    };
    let link = verbs.links.find(Caller::Operator, (domain, &code)).await?;
    let report = verbs.statistics.of(Scope::Link(link.id), &question).await?;
    Printer::of_json_flag(args.json).data(&Answer::new(&report, &question, Terminal::of_stdout()))?;
    Ok(Exit::Done)
}
