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

/// What is asked: in words, in parameters, and whether there are links on the page. Half of all links have a tag, one of a thousand has
/// another, none is disabled, and one of a thousand was never followed.
const QUESTIONS: [(&str, &str, bool); 21] = [
    ("the newest 50", "", true),
    ("the newest 200", "limit=200", true),
    ("the oldest 50", "order=created", true),
    ("50 from the middle on", "cursor=@MIDDLE@", true),
    ("a tag of a thousand", "tag=rare", true),
    ("a tag of half a million", "tag=frequent", true),
    ("a tag, in a part that is read", "tag=frequent&search=bees", true),
    ("made since 2020", "createdFrom=2020-01-01T00:00:00Z", true),
    ("active", "state=active", true),
    ("a part of each target", "search=EXAMPLE", true),
    ("a part of each title", "search=bees", true),
    ("a part of a tag", "search=rar", true),
    ("a part that none has", "search=no-such-part", false),
    ("a state that none has", "state=disabled", false),
    ("the most clicks", "order=-clicks", true),
    ("the most clicks, from the middle on", "order=-clicks&cursor=1f4-@MIDDLE@", true),
    ("the fewest clicks", "order=clicks", true),
    ("the most clicks of a tag of a thousand", "order=-clicks&tag=rare", true),
    ("the most clicks of half a million", "order=-clicks&tag=frequent", true),
    ("the most clicks of a part of a title", "order=-clicks&search=bees", true),
    ("the most clicks, with a part none has", "order=-clicks&search=no-such-part", false),
];

/// Builds, fills, asks and prints.
pub(super) fn run(options: &Options) -> Result<(), BenchError> {
    let built = release::build()?;
    let database = Database::new(options.database, &built, options.links)?;
    let program = database.program().env("HNY_LOG", "error");
    let admin = create::key(&program)?;
    let owner = owner(&program)?;
    database.run(&filling(options.database)?, 1)?;
    let running = program.start();
    let mut client = Client::connect(running.address());
    rank(&mut client, &admin)?;
    // As places are written; ids count from one.
    let middle = format!("{:x}", options.links / 2);
    let mut rows = Vec::new();
    for (who, key) in [("own: ", &owner), ("all: ", &admin)] {
        for (question, parameters, has_links) in QUESTIONS {
            let parameters = parameters.replace("@MIDDLE@", &middle);
            let mut row = Row::new(format!("{who}{question}"));
            for _ in 0..options.rounds {
                row.add(ask(&mut client, key, &parameters, has_links)?);
            }
            rows.push(row);
        }
    }
    times::print(&mut rows, options.json);
    Ok(())
}

fn filling(database: Kind) -> Result<String, BenchError> {
    let (some, both) = match database {
        Kind::Sqlite => (r#"'["frequent"]'"#, r#"'["frequent","rare"]'"#),
        Kind::Postgres => ("'{frequent}'::text[]", "'{frequent,rare}'::text[]"),
    };
    Ok(sql("lists.sql")?.replace("@TAGS@", some).replace("@BOTH@", both))
}

/// A million links were counted at once, which nobody does but a bench: has them ranked, a part with each question, until the answer
/// stays the same.
fn rank(client: &mut Client, key: &str) -> Result<(), BenchError> {
    let mut last = Vec::new();
    loop {
        let answer = client.request("GET", "/api/v1/links?order=-clicks&limit=200", &[("X-Api-Key", key)], b"");
        if answer.status != 200 {
            return Err(BenchError::Database(answer.text().to_owned()));
        }
        if answer.body == last {
            return Ok(());
        }
        last = answer.body;
    }
}

/// The key of somebody who sees the links of its own only, which will be all.
fn owner(program: &Program) -> Result<String, BenchError> {
    let made = program.run(["key", "create", "--name", "owner", "--role", "creator"]);
    let said = String::from_utf8_lossy(&made.stdout).into_owned();
    let key = said.split_whitespace().find(|word| word.starts_with("hny_")).map(str::to_owned);
    key.ok_or(BenchError::NoKey(said))
}

/// How long one page takes.
fn ask(client: &mut Client, key: &str, parameters: &str, has_links: bool) -> Result<Duration, BenchError> {
    let begun = Instant::now();
    let path = format!("/api/v1/links?{parameters}");
    let answer = client.request("GET", &path, &[("X-Api-Key", key)], b"");
    let time = begun.elapsed();
    let page = serde_json::from_slice::<Value>(&answer.body).ok();
    // Every page has another behind it, and what some links have is on it.
    let next = page.as_ref().and_then(|page| page["next"].as_str());
    let is_empty = page.as_ref().and_then(|page| page["items"].as_array()).is_none_or(Vec::is_empty);
    if next.is_some() && is_empty != has_links {
        return Ok(time);
    }
    Err(BenchError::Database(format!("{path} was answered with {}", answer.text())))
}
