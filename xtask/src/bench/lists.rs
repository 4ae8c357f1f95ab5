//! `cargo xtask bench lists`: how long a page of links takes where there are a million.

use super::database::{Database, Kind};
use super::site::sql;
use super::times::{self, Row};
use super::{BenchError, create, release};
use hny_testkit::{Client, Program};
use serde_json::Value;
use std::time::{Duration, Instant};

/// In which database, how many links, how often, and what to print.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Which database has the links
    #[arg(long, default_value = "sqlite")]
    database: Kind,
    /// How many links there are, all of one key
    #[arg(long, default_value_t = 1_000_000)]
    links: u64,
    /// How often each question is asked
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u16).range(1..=999))]
    rounds: u16,
    /// Print a JSON document instead of a table
    #[arg(long)]
    json: bool,
}

/// What is asked, in words and in parameters. One link of a thousand is tagged, and none is disabled.
const QUESTIONS: [(&str, &str); 8] = [
    ("the newest 50", ""),
    ("the newest 200", "limit=200"),
    ("a tag", "tag=rare"),
    ("a part that each link has", "search=EXAMPLE"),
    ("a part that none has: a page of 10,000", "search=no-such-part"),
    ("a state that none has: a page of 10,000", "state=disabled"),
    ("the most clicks", "order=-clicks"),
    ("the most clicks of a tag", "order=-clicks&tag=rare"),
];

/// Builds, fills, asks and prints.
pub(super) fn run(options: &Options) -> Result<(), BenchError> {
    let built = release::build()?;
    let database = Database::new(options.database, &built, options.links)?;
    let program = database.program().env("HNY_LOG", "error");
    let admin = create::key(&program)?;
    let owner = owner(&program)?;
    let tags = if options.database == Kind::Sqlite { "[\"rare\"]" } else { "{rare}" };
    database.run(&sql("lists.sql")?.replace("@TAGS@", tags), 1)?;
    let running = program.start();
    let mut client = Client::connect(running.address());
    let mut rows = Vec::new();
    for (who, key) in [("own: ", &owner), ("all: ", &admin)] {
        for (question, parameters) in QUESTIONS {
            let mut row = Row::new(format!("{who}{question}"));
            for _ in 0..options.rounds {
                row.add(ask(&mut client, key, parameters)?);
            }
            rows.push(row);
        }
    }
    times::print(&mut rows, options.json);
    Ok(())
}

/// The key of somebody who sees the links of its own only, which will be all.
fn owner(program: &Program) -> Result<String, BenchError> {
    let made = program.run(["key", "create", "--name", "owner", "--role", "creator"]);
    let said = String::from_utf8_lossy(&made.stdout).into_owned();
    let key = said.split_whitespace().find(|word| word.starts_with("hny_")).map(str::to_owned);
    key.ok_or(BenchError::NoKey(said))
}

/// How long one page takes.
fn ask(client: &mut Client, key: &str, parameters: &str) -> Result<Duration, BenchError> {
    let begun = Instant::now();
    let path = format!("/api/v1/links?{parameters}");
    let answer = client.request("GET", &path, &[("X-Api-Key", key)], b"");
    let time = begun.elapsed();
    let page = serde_json::from_slice::<Value>(&answer.body).ok();
    // Every page has another behind it, and what some links have is on it.
    let next = page.as_ref().and_then(|page| page["next"].as_str());
    let has_items = page.as_ref().is_some_and(|page| page["items"].as_array().is_some_and(|items| !items.is_empty()));
    let shall_have = !parameters.contains("no-such") && !parameters.contains("disabled");
    if next.is_some() && has_items == shall_have {
        return Ok(time);
    }
    Err(BenchError::Database(format!("{path} was answered with {}", answer.text())))
}
