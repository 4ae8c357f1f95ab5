//! `hny key`.

use std::fmt;

use clap::Subcommand;
use hny_domain::{KeyId, Role};
use hny_store::Key;
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
    Create {
        /// What to call it in lists
        #[arg(long)]
        name: String,
        /// What it may do: admin, editor, creator or reader
        #[arg(long)]
        role: Role,
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
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

impl KeyCommand {
    /// Whether a key is made, which a new database is good for.
    pub(super) const fn makes_one(&self) -> bool {
        matches!(self, Self::Create { .. })
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
struct Listed {
    items: Vec<KeyView>,
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>4}  {:<8} {:<24}  {:<24}  name", "id", "role", "made", "revoked")?;
        for KeyView { id, name, role, created_at, revoked_at } in &self.items {
            let revoked = revoked_at.as_deref().unwrap_or("-");
            writeln!(f, "{id:>4}  {role:<8} {created_at}  {revoked:<24}  {name}")?;
        }
        Ok(())
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
        KeyCommand::Create { name, role, json } => create(name, *role, Printer::of_json_flag(*json), verbs).await,
        KeyCommand::List { json } => list(Printer::of_json_flag(*json), verbs).await,
        KeyCommand::Revoke { id, json } => revoke(KeyId(*id), Printer::of_json_flag(*json), verbs).await,
    }
}

async fn create(name: &str, role: Role, printer: Printer, verbs: &Verbs) -> Result<Exit, Failure> {
    let issued = verbs.keys.issue(name, role).await?;
    say(format_args!("key {} is made. It is shown this once; keep it safe:", issued.key.id));
    printer.data(&Issued(NewKeyView { view: view(&issued.key), key: issued.text }))?;
    say("Send it as 'Authorization: Bearer …'.");
    Ok(Exit::Done)
}

async fn list(printer: Printer, verbs: &Verbs) -> Result<Exit, Failure> {
    let keys = verbs.keys.list().await?;
    if keys.is_empty() && printer == Printer::Text {
        say("there are no keys yet; make one with: hny key create --name NAME --role admin");
    } else {
        printer.data(&Listed { items: keys.iter().map(view).collect() })?;
    }
    Ok(Exit::Done)
}

async fn revoke(id: KeyId, printer: Printer, verbs: &Verbs) -> Result<Exit, Failure> {
    if verbs.keys.revoke(id).await? {
        printer.data(&Revoked { id: id.to_string() })?;
        return Ok(Exit::Done);
    }
    say(format_args!("there is no key {id}; 'hny key list' shows them all"));
    Ok(Exit::Failed)
}

fn view(key: &Key) -> KeyView {
    KeyView::new(key.id, &key.name, key.role, key.created_at, key.revoked_at)
}
