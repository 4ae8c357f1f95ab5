//! `hny block`.

use std::fmt;

use clap::Subcommand;
use hny_domain::Caller;
use hny_guard::BlockError;
use hny_wire::{BlockChangeView, BlockView};
use serde::Serialize;

use super::failure::Failure;
use crate::compose::Verbs;
use crate::exit::Exit;
use crate::printer::{Printer, say};

/// How many rows are read at a time.
const PAGE: u32 = 1_000;

/// What `hny block` does.
#[derive(Debug, PartialEq, Eq, Subcommand)]
pub enum BlockCommand {
    /// Keep visitors from a domain and all below it, or from a URL
    Add {
        /// Such as evil.example, evil.example/page, or evil.example/folder/ for all that is below it
        #[arg(required = true)]
        rules: Vec<String>,
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
    /// Keep visitors from it no more
    Remove {
        /// The rule, as 'hny block list' shows it or in another spelling
        #[arg(required = true)]
        rules: Vec<String>,
    },
    /// List what is blocked in the database
    List {
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
    /// List who blocked and unblocked what, and when
    Log {
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
}

impl BlockCommand {
    /// Whether something is added, which a new database is good for.
    pub(super) const fn adds(&self) -> bool {
        matches!(self, Self::Add { .. })
    }
}

/// Rows, one on a line.
#[derive(Serialize)]
struct Rows<T> {
    items: Vec<T>,
}

/// A rule with when and by whom it was added.
#[derive(Serialize)]
#[serde(transparent)]
struct RuleRow(BlockView);

impl fmt::Display for RuleRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BlockView { rule, added_at, added_by } = &self.0;
        write!(f, "{added_at}  {:<12}  {rule}", by(added_by.as_deref()))
    }
}

/// A change with when and by whom it was made.
#[derive(Serialize)]
#[serde(transparent)]
struct ChangeRow(BlockChangeView);

impl fmt::Display for ChangeRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BlockChangeView { rule, action, at, by: key, .. } = &self.0;
        write!(f, "{at}  {:<12}  {action:<7}  {rule}", by(key.as_deref()))
    }
}

impl<T: fmt::Display> fmt::Display for Rows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

fn by(key: Option<&str>) -> String {
    key.map_or_else(|| "operator".to_owned(), |key| format!("key {key}"))
}

/// Adds, removes or lists.
pub(super) async fn run(command: &BlockCommand, verbs: &Verbs) -> Result<Exit, Failure> {
    match command {
        BlockCommand::Add { rules, json } => add(rules, Printer::of_json_flag(*json), verbs).await,
        BlockCommand::Remove { rules } => remove(rules, verbs).await,
        BlockCommand::List { json } => list(Printer::of_json_flag(*json), verbs).await,
        BlockCommand::Log { json } => log(Printer::of_json_flag(*json), verbs).await,
    }
}

async fn add(rules: &[String], printer: Printer, verbs: &Verbs) -> Result<Exit, Failure> {
    let mut items = Vec::new();
    for rule in rules {
        let (block, is_new) = verbs.blocks.add(Caller::Operator, rule).await?;
        if !is_new {
            say(format_args!("{} was blocked before", block.rule));
        }
        items.push(RuleRow(BlockView::new(&block.rule, block.added_at, block.added_by)));
    }
    printer.data(&Rows { items })?;
    Ok(Exit::Done)
}

async fn remove(rules: &[String], verbs: &Verbs) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for rule in rules {
        match verbs.blocks.remove(Caller::Operator, rule).await {
            Ok(()) => say(format_args!("{rule} is not blocked any more")),
            Err(BlockError::NotFound) => {
                say(format_args!("there is no rule {rule}; 'hny block list' shows them all"));
                exit = Exit::Failed;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(exit)
}

async fn list(printer: Printer, verbs: &Verbs) -> Result<Exit, Failure> {
    let (mut items, mut after) = (Vec::new(), Some(String::new()));
    while let Some(cursor) = after {
        let page = verbs.blocks.list(Caller::Operator, cursor, PAGE).await?;
        items.extend(
            page.blocks.iter().map(|block| RuleRow(BlockView::new(&block.rule, block.added_at, block.added_by))),
        );
        after = page.next;
    }
    printer.data(&Rows { items })?;
    Ok(Exit::Done)
}

async fn log(printer: Printer, verbs: &Verbs) -> Result<Exit, Failure> {
    let (mut items, mut after) = (Vec::new(), Some(0));
    while let Some(cursor) = after {
        let page = verbs.blocks.changes(Caller::Operator, cursor, PAGE).await?;
        items.extend(page.changes.iter().map(|change| {
            let signature = (change.at, change.by);
            ChangeRow(BlockChangeView::new(change.version.0, &change.rule, change.is_addition, signature))
        }));
        after = page.next.map(|next| next.0);
    }
    printer.data(&Rows { items })?;
    Ok(Exit::Done)
}
