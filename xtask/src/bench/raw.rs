//! `cargo xtask bench raw`: how long ClickHouse takes for raw counts by any filter, and for the statistics of a link with ten million clicks.

use super::database::{Database, Kind};
use super::times::{self, Row};
use super::{BenchError, backlog, engine, release, stats};
use hny_testkit::{ClickHouse, Client, Kafka, Program};
use std::thread;
use std::time::Instant;

/// How often, and what to print.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How often each question is asked
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u16).range(1..=999))]
    rounds: u16,
    /// Print a JSON document instead of a table
    #[arg(long)]
    json: bool,
}

const TOPIC: &str = "clicks";

/// Builds, fills, asks and prints.
pub(super) fn run(options: &Options) -> Result<(), BenchError> {
    let built = release::build_for_kafka()?;
    let database = Database::new(Kind::Sqlite, &built, 1_000)?;
    let (kafka, clickhouse) = (Kafka::start(), ClickHouse::start());
    kafka.create_topic(TOPIC, 1);
    let program = database.program().env("HNY_LOG", "error").env("HNY_CLICKS_URL", kafka.url(TOPIC));
    let program = program.env("HNY_CLICKHOUSE_URL", clickhouse.url());
    let key = stats::counted(&program)?;
    fill(&program, &clickhouse)?;
    let node = program.start();
    let mut client = Client::connect(node.address());
    let counted = engine::counts()?;
    let names = counted.iter().map(|statement| statement.name.as_str());
    let mut rows: Vec<_> = names.chain(stats::QUESTIONS.map(|(words, _)| words)).map(Row::new).collect();
    for _ in 0..options.rounds {
        let (counts, statistics) = rows.split_at_mut(counted.len());
        for (row, statement) in counts.iter_mut().zip(&counted) {
            let begun = Instant::now();
            engine::run(&clickhouse, &statement.sql)?;
            row.add(begun.elapsed());
        }
        for (row, (_, parameters)) in statistics.iter_mut().zip(stats::QUESTIONS) {
            row.add(stats::ask(&mut client, &key, parameters)?);
        }
    }
    times::print(&mut rows, options.json);
    Ok(())
}

/// One click comes as all do, so that the tables are there and have the link; the others are made of it.
fn fill(program: &Program, clickhouse: &ClickHouse) -> Result<(), BenchError> {
    let (node, shipper) = (program.start(), program.start_command(["ship-clicks"], "ships clicks"));
    Client::connect(node.address()).get("/counted");
    while engine::clicks(clickhouse)? == 0 {
        thread::park_timeout(backlog::BETWEEN_LOOKS);
    }
    drop((node, shipper));
    eprintln!("    making ten million clicks");
    engine::fill(clickhouse)
}
