//! `cargo xtask bench clicks`: what it costs to hand clicks over, from the spool to the database.

use super::database::{Database, Kind};
use super::processors::Account;
use super::release;
use super::{BenchError, create};
use bench_visitors::{Draw, Plan, Traffic, visit};
use hny_testkit::{Client, Running};
use std::thread;
use std::time::{Duration, Instant};

/// How many clicks, on how many links, where to, and what to print.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How many clicks are handed over
    #[arg(long, default_value_t = 500_000, value_parser = clap::value_parser!(u64).range(1_000..=10_000_000))]
    clicks: u64,
    /// On how many links, each as often as another, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "1,1000,100000", value_parser = clap::value_parser!(u64).range(1..=LINKS))]
    links: Vec<u64>,
    /// Which database takes them
    #[arg(long, default_value = "sqlite")]
    database: Kind,
    /// Print a JSON document instead of a table
    #[arg(long)]
    json: bool,
}

/// How many links there are.
const LINKS: u64 = 1_000_000;

/// How often it is looked whether all clicks are there.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// What was seen.
struct Row {
    links: u64,
    clicks: u64,
    /// From when the database took the first to when it had the last.
    elapsed: Duration,
    /// The processor time of all threads meanwhile, and of the database's processes.
    spent: Duration,
    /// How much larger the database has become.
    bytes: u64,
}

/// Builds, measures and prints.
pub(super) fn run(options: &Options) -> Result<(), BenchError> {
    let built = release::build()?;
    let mut rows = Vec::new();
    for &links in &options.links {
        let database = Database::new(options.database, &built, LINKS)?;
        eprintln!("    {} clicks on {links} links", options.clicks);
        rows.push(measure(&database, options.clicks, links)?);
    }
    print(&rows, options.json);
    Ok(())
}

/// Has clicks wait in the spool, and watches how they are handed over.
fn measure(database: &Database<'_>, clicks: u64, links: u64) -> Result<Row, BenchError> {
    let program = database.program().env("HNY_LOG", "error").env("HNY_CACHE_BYTES", "1GiB");
    let program = program.env("HNY_METRICS_LISTEN", "127.0.0.1:0").env("HNY_SPOOL_LIMIT", "8GiB");
    let key = create::key(&program)?;
    let running = program.start();
    let plan = Plan { address: running.address(), connections: 16, fresh: false, key: &key, watches: false };
    // All that is asked for is in the cache.
    visit(&plan, &mut database.traffic(Traffic::new(Draw::Each(0..links), 0)), Duration::MAX)?;
    let hold = database.hold()?;
    let mut traffic = database.traffic(Traffic::new(Draw::Any(links), 0));
    let before = number(&running, "hny_clicks_recorded_total");
    while number(&running, "hny_clicks_recorded_total") < before + clicks {
        visit(&plan, &mut traffic, Duration::from_millis(100))?;
    }
    drop(hold);
    let (size, waiting) = (database.size()?, number(&running, "hny_clicks_pending"));
    let (behind, own, began) = (database.accounts(), Account::of(running.pid())?, Instant::now());
    while number(&running, "hny_clicks_pending") > 0 {
        // Nobody tells; and looking costs what is measured.
        thread::park_timeout(BETWEEN_LOOKS);
    }
    let spent = own.until(&Account::of(running.pid())?).total + database.spent(&behind);
    Ok(Row { links, clicks: waiting, elapsed: began.elapsed(), spent, bytes: database.size()?.saturating_sub(size) })
}

/// A number of the metrics.
fn number(running: &Running, name: &str) -> u64 {
    let metrics = Client::connect(running.metrics_address()).get("/metrics");
    let line = metrics.text().lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    line.unwrap_or(0)
}

impl Row {
    fn a_second(&self, time: Duration) -> u128 {
        u128::from(self.clicks) * 1_000_000 / time.as_micros().max(1)
    }

    fn bytes_a_click(&self) -> u64 {
        self.bytes / self.clicks.max(1)
    }
}

#[expect(clippy::print_stdout, reason = "the figures are the data of this command")]
fn print(rows: &[Row], json: bool) {
    if json {
        let rows = rows.iter().map(|row| {
            serde_json::json!({
                "links": row.links,
                "clicks": row.clicks,
                "clicksPerSecond": u64::try_from(row.a_second(row.elapsed)).ok(),
                "clicksPerProcessorSecond": u64::try_from(row.a_second(row.spent)).ok(),
                "bytesPerClick": row.bytes_a_click(),
            })
        });
        println!("{}", rows.collect::<serde_json::Value>());
        return;
    }
    println!(
        "{:>10} {:>10} {:>12} {:>24} {:>13}",
        "links", "clicks", "clicks/s", "clicks/s of a processor", "bytes a click"
    );
    for row in rows {
        let (rate, work) = (row.a_second(row.elapsed), row.a_second(row.spent));
        println!("{:>10} {:>10} {rate:>12} {work:>24} {:>13}", row.links, row.clicks, row.bytes_a_click());
    }
}
