//! `cargo xtask bench clicks`: what it costs to hand clicks over, from the spool to the database.

use super::backlog::{Backlog, LINKS, Load, Wanted, a_second};
use super::database::{Database, Kind};
use super::{BenchError, release};
use std::time::Duration;

/// How many clicks, on how many links, where to, and what to print.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    wanted: Wanted,
    /// Which database takes them
    #[arg(long, default_value = "sqlite")]
    database: Kind,
    /// Print a JSON document instead of a table
    #[arg(long)]
    json: bool,
}

/// What was seen.
struct Row {
    links: u64,
    clicks: u64,
    /// From when the database took the first to when it had the last.
    elapsed: Duration,
    /// The processor time of all threads meanwhile, and that of a server's processes.
    own: Duration,
    server: Duration,
    /// How much larger the database has become.
    bytes: u64,
}

/// Builds, measures and prints.
pub(super) fn run(options: &Options) -> Result<(), BenchError> {
    let built = release::build()?;
    let mut rows = Vec::new();
    for load in options.wanted.loads() {
        let database = Database::new(options.database, &built, LINKS)?;
        eprintln!("    {} clicks on {} links", load.clicks, load.links);
        rows.push(measure(&database, load)?);
    }
    print(&rows, options.json);
    Ok(())
}

/// Has clicks wait in the spool, and watches how they are handed over.
fn measure(database: &Database<'_>, load: Load) -> Result<Row, BenchError> {
    let (backlog, hold) = Backlog::record(database, database.program(), load, || database.hold())?;
    drop(hold);
    let (size, behind) = (database.size()?, database.accounts());
    let node = backlog.hand_over()?;
    let server = database.spent(&behind);
    let bytes = database.size()?.saturating_sub(size);
    Ok(Row { links: load.links, clicks: backlog.clicks, elapsed: node.elapsed, own: node.spent, server, bytes })
}

impl Row {
    /// Clicks a second; of a processor that only our program has; of one that it shares with the server.
    fn rates(&self) -> [u64; 3] {
        [self.elapsed, self.own, self.own + self.server].map(|time| a_second(self.clicks, time))
    }

    fn bytes_a_click(&self) -> u64 {
        self.bytes / self.clicks.max(1)
    }
}

#[expect(clippy::print_stdout, reason = "the figures are the data of this command")]
fn print(rows: &[Row], json: bool) {
    if json {
        let rows = rows.iter().map(|row| {
            let [rate, own, all] = row.rates();
            serde_json::json!({
                "links": row.links,
                "clicks": row.clicks,
                "clicksPerSecond": rate,
                "clicksPerProcessorSecond": own,
                "clicksPerProcessorSecondWithServer": all,
                "bytesPerClick": row.bytes_a_click(),
            })
        });
        println!("{}", rows.collect::<serde_json::Value>());
        return;
    }
    println!(
        "{:>10} {:>10} {:>10} {:>14} {:>14} {:>14}",
        "links", "clicks", "clicks/s", "of processor", "with server", "bytes a click"
    );
    for row in rows {
        let [rate, own, all] = row.rates();
        println!("{:>10} {:>10} {rate:>10} {own:>14} {all:>14} {:>14}", row.links, row.clicks, row.bytes_a_click());
    }
}
