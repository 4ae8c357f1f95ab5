//! `cargo xtask bench ship`: what it costs to bring clicks from the spool to Kafka and from there to ClickHouse, and their bytes in both.

use super::backlog::{Backlog, LINKS, Load, Wanted, a_second};
use super::database::{Database, Kind};
use super::processors::{Account, Accounts};
use super::{BenchError, engine, release};
use hny_testkit::{ClickHouse, Kafka, Program};
use std::thread;
use std::time::{Duration, Instant};

/// How many clicks, on how many links, and what to print.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    wanted: Wanted,
    /// Print a JSON document instead of a table
    #[arg(long)]
    json: bool,
}

const TOPIC: &str = "clicks";

/// As few as a small installation has.
const PARTITIONS: u32 = 3;

/// How often it is looked how many clicks have come. Each look costs the engine some of its time.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// One leg of the way.
struct Leg {
    clicks: u64,
    elapsed: Duration,
    /// The processor time of our program, and of the server that took the clicks.
    own: Duration,
    server: Duration,
}

/// What was seen.
struct Row {
    links: u64,
    to_kafka: Leg,
    to_clickhouse: Leg,
    /// Bytes of all clicks in the topic, in the table of clicks, and in all tables.
    bytes: [u64; 3],
}

/// Builds, measures and prints.
pub(super) fn run(options: &Options) -> Result<(), BenchError> {
    let built = release::build_for_kafka()?;
    let mut rows = Vec::new();
    for load in options.wanted.loads() {
        let database = Database::new(Kind::Sqlite, &built, LINKS)?;
        eprintln!("    {} clicks on {} links", load.clicks, load.links);
        rows.push(measure(&database, load)?);
    }
    print(&rows, options.json);
    Ok(())
}

fn measure(database: &Database<'_>, load: Load) -> Result<Row, BenchError> {
    let kafka = Kafka::start();
    kafka.create_topic(TOPIC, PARTITIONS);
    let program = database.program().env("HNY_CLICKS_URL", kafka.url(TOPIC));
    let (to_kafka, all) = produce(&kafka, database, program.clone(), load)?;
    let in_topic = kafka.bytes(TOPIC) * to_kafka.clicks / all;
    let clickhouse = ClickHouse::start();
    let to_clickhouse = ship(&clickhouse, &program.env("HNY_CLICKHOUSE_URL", clickhouse.url()), all)?;
    let [raw, whole] = engine::bytes(&clickhouse)?.map(|bytes| bytes * to_kafka.clicks / all);
    Ok(Row { links: load.links, to_kafka, to_clickhouse, bytes: [in_topic, raw, whole] })
}

/// From the spool to the topic, and how many clicks are there in all.
fn produce(kafka: &Kafka, database: &Database<'_>, program: Program, load: Load) -> Result<(Leg, u64), BenchError> {
    let (backlog, ()) = Backlog::record(database, program, load, || {
        kafka.pause();
        Ok(())
    })?;
    kafka.resume();
    let broker = Accounts::of(&[kafka.pid()]);
    let node = backlog.hand_over()?;
    let server = broker.until(&Accounts::of(&[kafka.pid()]));
    Ok((Leg { clicks: backlog.clicks, elapsed: node.elapsed, own: node.spent, server }, backlog.recorded()))
}

/// From the topic to the tables, with the start of the program, which makes them.
fn ship(clickhouse: &ClickHouse, program: &Program, clicks: u64) -> Result<Leg, BenchError> {
    let (engine, began) = (Accounts::of(&[clickhouse.pid()]), Instant::now());
    let shipper = program.start_command(["ship-clicks"], "ships clicks");
    while engine::clicks(clickhouse)? < clicks {
        thread::park_timeout(BETWEEN_LOOKS);
    }
    let (elapsed, server) = (began.elapsed(), engine.until(&Accounts::of(&[clickhouse.pid()])));
    let own = Account::since_start(shipper.pid())?;
    Ok(Leg { clicks, elapsed, own, server })
}

impl Leg {
    /// Clicks a second; of a processor that only our program has; of one that it shares with the server.
    fn rates(&self) -> [u64; 3] {
        [self.elapsed, self.own, self.own + self.server].map(|time| a_second(self.clicks, time))
    }
}

#[expect(clippy::print_stdout, reason = "the figures are the data of this command")]
fn print(rows: &[Row], json: bool) {
    if json {
        println!("{}", rows.iter().map(document).collect::<serde_json::Value>());
        return;
    }
    println!(
        "{:>10} {:>12} {:>10} {:>10} {:>14} {:>14} {:>10}",
        "links", "to", "clicks", "clicks/s", "of processor", "with server", "bytes"
    );
    for Row { links, to_kafka, to_clickhouse, bytes: [in_topic, raw, whole] } in rows {
        let (in_topic, tables) =
            (in_topic / to_kafka.clicks.max(1), [raw, whole].map(|bytes| bytes / to_kafka.clicks.max(1)));
        let tables = format!("{} ({})", tables[0], tables[1]);
        for (name, leg, bytes) in [("Kafka", to_kafka, in_topic.to_string()), ("ClickHouse", to_clickhouse, tables)] {
            let [rate, own, all] = leg.rates();
            println!("{links:>10} {name:>12} {:>10} {rate:>10} {own:>14} {all:>14} {bytes:>10}", leg.clicks);
        }
    }
}

fn document(row: &Row) -> serde_json::Value {
    let leg = |leg: &Leg| {
        let [rate, own, all] = leg.rates();
        serde_json::json!({
            "clicks": leg.clicks,
            "clicksPerSecond": rate,
            "clicksPerProcessorSecond": own,
            "clicksPerProcessorSecondWithServer": all,
        })
    };
    let [in_topic, raw, whole] = row.bytes.map(|bytes| bytes / row.to_kafka.clicks.max(1));
    serde_json::json!({
        "links": row.links,
        "toKafka": leg(&row.to_kafka),
        "toClickHouse": leg(&row.to_clickhouse),
        "bytesPerClick": { "topic": in_topic, "clicks": raw, "allTables": whole },
    })
}
