//! `cargo xtask bench stats`: how long the statistics of a link take that ten million people followed in a year.

use super::database::{Database, Kind};
use super::site::sql;
use super::times::{self, Row};
use super::{BenchError, create, release};
use hny_testkit::{Client, Program};
use serde_json::Value;
use std::time::{Duration, Instant};

/// In which database, how often, and what to print.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Which database has the clicks
    #[arg(long, default_value = "sqlite")]
    database: Kind,
    /// How many nodes have counted them, each on its own; a file has one
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=16))]
    nodes: u8,
    /// How often each question is asked
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u16).range(1..=999))]
    rounds: u16,
    /// Print a JSON document instead of a table
    #[arg(long)]
    json: bool,
}

/// The link, and the year that its clicks are of.
const PATH: &str = "/api/v1/links/counted/stats?from=2025-01-01&to=2026-01-01";

/// What is asked, in words and in parameters.
pub(super) const QUESTIONS: [(&str, &str); 5] = [
    ("by day", "&interval=day"),
    ("by day, in Prague", "&interval=day&tz=Europe/Prague"),
    ("by day, grouped by country", "&interval=day&groupBy=country"),
    ("by day in Prague, grouped by country", "&interval=day&tz=Europe/Prague&groupBy=country"),
    ("by hour", "&interval=hour"),
];

/// Builds, fills, asks and prints.
pub(super) fn run(options: &Options) -> Result<(), BenchError> {
    let built = release::build()?;
    let database = Database::new(options.database, &built, 1_000)?;
    let program = database.program().env("HNY_LOG", "error");
    let key = counted(&program)?;
    database.run(&sql("statistics.sql")?, options.nodes)?;
    let running = program.start();
    let mut client = Client::connect(running.address());
    let mut rows = QUESTIONS.map(|(question, _)| Row::new(question));
    for _ in 0..options.rounds {
        for (row, (_, parameters)) in rows.iter_mut().zip(QUESTIONS) {
            row.add(ask(&mut client, &key, parameters)?);
        }
    }
    times::print(&mut rows, options.json);
    Ok(())
}

/// Makes the link that is asked about, and a key to ask with.
pub(super) fn counted(program: &Program) -> Result<String, BenchError> {
    let made = program.run(["shorten", "https://example.com/", "--code", "counted"]);
    if !made.status.success() {
        return Err(BenchError::Database(String::from_utf8_lossy(&made.stderr).into_owned()));
    }
    create::key(program)
}

/// How long one answer takes. The time of the first question of each kind counts as well: people ask once.
pub(super) fn ask(client: &mut Client, key: &str, parameters: &str) -> Result<Duration, BenchError> {
    let begun = Instant::now();
    let key = format!("Bearer {key}");
    let answer = client.request("GET", &format!("{PATH}{parameters}"), &[("Authorization", &key)], b"");
    let time = begun.elapsed();
    let clicks = serde_json::from_slice::<Value>(&answer.body).ok().and_then(|body| body["total"]["clicks"].as_u64());
    match clicks {
        Some(clicks) if clicks > 8_000_000 => Ok(time),
        _ => Err(BenchError::Database(format!("{PATH}{parameters} was answered with {}", answer.text()))),
    }
}
