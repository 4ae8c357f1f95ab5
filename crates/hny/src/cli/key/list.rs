//! `hny key list`: the keys as a table.

use std::fmt;

use hny_domain::{ApiKey, Caller, Timestamp};
use hny_wire::{KeyList, KeyView};
use serde::{Serialize, Serializer};

use crate::cli::failure::Failure;
use crate::compose::Verbs;
use crate::exit::Exit;
use crate::printer::{Printer, say};

/// A line of the table.
struct Line {
    view: KeyView,
    /// Whether it works, and until when.
    state: String,
}

/// The table; in JSON it is what the API answers.
struct Table(Vec<Line>);

/// Lists the keys.
pub(super) async fn run(printer: Printer, verbs: &Verbs) -> Result<Exit, Failure> {
    let (keys, now) = (verbs.keys.list(Caller::Operator).await?, verbs.clock.now());
    if keys.is_empty() && printer == Printer::Text {
        say("there are no keys yet; make one with: hny key create --name NAME --role admin");
        return Ok(Exit::Done);
    }
    let line = |key: &ApiKey| Line { view: KeyView::of(key, &verbs.domains), state: state(key, now) };
    printer.data(&Table(keys.iter().map(line).collect()))?;
    Ok(Exit::Done)
}

fn state(key: &ApiKey, now: Timestamp) -> String {
    match (key.revoked_at, key.expires_at) {
        (Some(at), _) => format!("revoked {}", minute(&at.to_string())),
        (None, Some(end)) if key.has_expired(now) => format!("expired {}", minute(&end.to_string())),
        (None, Some(end)) => format!("until {}", minute(&end.to_string())),
        (None, None) => "works".to_owned(),
    }
}

/// `2030-01-01T12:00:00.000Z` as `2030-01-01 12:00`, which is in UTC, too.
fn minute(time: &str) -> String {
    time.chars().take("2030-01-01T12:00".len()).map(|c| if c == 'T' { ' ' } else { c }).collect()
}

/// The links that a key reaches: `all`, `own`, `all on sho.example`.
pub(super) fn links(view: &KeyView) -> String {
    let whose = if view.own_links { "own" } else { "all" };
    view.domain.as_ref().map_or_else(|| whose.to_owned(), |domain| format!("{whose} on {domain}"))
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reach: Vec<String> = self.0.iter().map(|line| links(&line.view)).collect();
        let wide = reach.iter().map(String::len).max().unwrap_or_default().max("links".len());
        let (made, used, state) = ("made", "used about", "state");
        writeln!(f, "{:>4}  {:<7}  {:<wide$}  {made:<16}  {used:<16}  {state:<24}  name", "id", "role", "links")?;
        for (Line { view, state }, links) in self.0.iter().zip(&reach) {
            let used = view.last_used_at.as_deref().map_or_else(|| "never".to_owned(), minute);
            let KeyView { id, role, name, .. } = view;
            let made = minute(&view.created_at);
            writeln!(f, "{id:>4}  {role:<7}  {links:<wide$}  {made:<16}  {used:<16}  {state:<24}  {name}")?;
        }
        Ok(())
    }
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        KeyList { items: self.0.iter().map(|line| line.view.clone()).collect() }.serialize(serializer)
    }
}
