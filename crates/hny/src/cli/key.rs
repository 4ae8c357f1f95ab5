//! `hny key`.

mod list;

use std::fmt;

use clap::{Args, Subcommand};
use hny_domain::{Caller, KeyId, KeyInput, Role};
use hny_wire::{KeyView, NewKeyView};
use serde::Serialize;

use super::failure::Failure;
use crate::compose::Verbs;
use crate::exit::Exit;
use crate::printer::{Printer, say};

/// What `hny key` does.
#[derive(Debug, PartialEq, Eq, Subcommand)]
pub enum KeyCommand {
    /// Make an API key and show it, this once
    Create(CreateArgs),
    /// List the API keys
    List {
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
    /// Make an API key useless, at once and for good
    Revoke {
        /// The number of the key, as 'hny key list' shows it
        id: i64,
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
}

/// What `hny key create` takes.
#[derive(Debug, PartialEq, Eq, Args)]
pub struct CreateArgs {
    /// What to call it in lists
    #[arg(long)]
    pub name: String,
    /// What it is for: admin (everything), editor (all links), creator (the links it makes) or reader (changes none)
    #[arg(long)]
    pub role: Role,
    /// Have it reach only the links that it makes (editor, reader)
    #[arg(long)]
    pub own_links: bool,
    /// Have it reach only the links on this domain
    #[arg(long)]
    pub domain: Option<String>,
    /// When it stops working, such as 2030-01-01T12:00:00Z
    #[arg(long, value_name = "TIME")]
    pub expires: Option<String>,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
}

impl KeyCommand {
    /// Whether a key is made, which a new database is good for.
    pub(super) const fn makes_one(&self) -> bool {
        matches!(self, Self::Create(_))
    }
}

/// The key itself, and nothing else on its line: scripts take the only word that starts with `hny_`.
#[derive(Serialize)]
#[serde(transparent)]
struct Issued(NewKeyView);

impl fmt::Display for Issued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.key)
    }
}

#[derive(Serialize)]
struct Revoked {
    id: String,
}

impl fmt::Display for Revoked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "key {} is revoked", self.id)
    }
}

/// Makes, lists or revokes.
pub(super) async fn run(command: &KeyCommand, verbs: &Verbs) -> Result<Exit, Failure> {
    match command {
        KeyCommand::Create(args) => create(args, verbs).await,
        KeyCommand::List { json } => list::run(Printer::of_json_flag(*json), verbs).await,
        KeyCommand::Revoke { id, json } => revoke(KeyId(*id), Printer::of_json_flag(*json), verbs).await,
    }
}

async fn create(args: &CreateArgs, verbs: &Verbs) -> Result<Exit, Failure> {
    let input = KeyInput {
        name: Some(&args.name),
        role: Some(args.role.as_str()),
        own_links: Some(args.own_links),
        domain: args.domain.as_deref(),
        expires_at: args.expires.as_deref(),
    };
    let issued = verbs.keys.issue(Caller::Operator, input).await?;
    let view = KeyView::of(&issued.key, &verbs.domains);
    let (KeyView { id, role, .. }, reach) = (&view, list::links(&view));
    say(format_args!("key {id} is made: {role} ({reach}). It is shown this once; keep it safe:"));
    Printer::of_json_flag(args.json).data(&Issued(NewKeyView { view, key: issued.text }))?;
    say("Send it as 'Authorization: Bearer …'.");
    Ok(Exit::Done)
}

async fn revoke(id: KeyId, printer: Printer, verbs: &Verbs) -> Result<Exit, Failure> {
    verbs.keys.revoke(Caller::Operator, id).await?;
    printer.data(&Revoked { id: id.to_string() })?;
    Ok(Exit::Done)
}
