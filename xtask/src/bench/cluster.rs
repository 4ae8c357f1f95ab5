//! `cargo xtask bench cluster`: nodes on PostgreSQL and Redis, beside what these can do by themselves; and what many links take.

mod comparison;
mod creates;
mod hits;
mod hot;
mod lookups;
mod misses;
mod node;
mod pgbench;
mod sizes;

use super::site::Site;
use super::{BenchError, release};
use crate::packages;
use clap::ValueEnum;
use comparison::Comparison;
use hits::Hits;
use serde_json::json;
use sizes::Size;
use std::time::Duration;

/// How long to measure, what, and what to print.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// What to measure, separated by commas; all of it if nothing is said
    #[arg(long, value_delimiter = ',', value_name = "PART")]
    parts: Vec<Part>,
    /// Seconds for each measurement of a round
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=60))]
    seconds: u64,
    /// Rounds, each of which measures everything once
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u64).range(1..=1000))]
    rounds: u64,
    /// How many links there are where they are looked up
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1_000..=9_000_000))]
    links: u64,
    /// Numbers of links whose tables and indexes are weighed, separated by commas. Ten million take some minutes and some
    /// gigabytes
    #[arg(long, value_delimiter = ',', default_value = "1000000,10000000", value_parser = size)]
    sizes: Vec<u64>,
    /// Caches whose hit rate is simulated, in MiB, separated by commas. 4096 takes minutes, and as much memory
    #[arg(long, value_delimiter = ',', default_value = "256,1024")]
    caches: Vec<u64>,
    /// Print a JSON document instead of tables
    #[arg(long)]
    json: bool,
}

fn size(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (1_000..=60_000_000).contains(number));
    number.ok_or_else(|| "give numbers from 1000 to 60000000".to_owned())
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Cold redirects a second, beside the same select by pgbench
    Lookups,
    /// Creates a second, beside single inserts by pgbench
    Creates,
    /// A hot redirect on PostgreSQL, beside one on SQLite
    Hot,
    /// What the cache does not know: answered by Redis, beside PostgreSQL
    Misses,
    /// Bytes of the links, and of each index
    Sizes,
    /// How many redirects a cache answers, where few of many links are asked for often
    Hits,
}

/// What was measured.
#[derive(Default)]
struct Figures {
    comparisons: Vec<Comparison>,
    sizes: Vec<Size>,
    hits: Vec<Hits>,
}

impl Options {
    fn time(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    /// Does something as often as there are rounds.
    fn each_round(&self, of: &str, mut round: impl FnMut() -> Result<(), BenchError>) -> Result<(), BenchError> {
        for number in 1..=self.rounds {
            eprintln!("    {of}, round {number} of {}", self.rounds);
            round()?;
        }
        Ok(())
    }
}

/// Builds, measures and prints.
pub(super) fn run(options: &Options) -> Result<(), BenchError> {
    packages::ensure(packages::CLUSTER)?;
    let parts = if options.parts.is_empty() { Part::value_variants() } else { &options.parts };
    let mut figures = Figures::default();
    if parts.iter().any(|part| *part != Part::Hits) {
        let built = release::build()?;
        let site = Site::start(&built)?;
        for part in parts {
            measure(*part, options, &site, &mut figures)?;
        }
    }
    if parts.contains(&Part::Hits) {
        figures.hits = hits::simulate(&options.caches)?;
    }
    print(options, &figures);
    Ok(())
}

fn measure(part: Part, options: &Options, site: &Site<'_>, figures: &mut Figures) -> Result<(), BenchError> {
    let comparisons = match part {
        Part::Lookups => lookups::measure(options, site)?,
        Part::Creates => creates::measure(options, site)?,
        Part::Hot => hot::measure(options, site)?,
        Part::Misses => misses::measure(options, site)?,
        Part::Sizes => {
            figures.sizes = sizes::measure(&options.sizes, site)?;
            Vec::new()
        }
        Part::Hits => Vec::new(),
    };
    figures.comparisons.extend(comparisons);
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the figures are the data of this command")]
fn print(options: &Options, figures: &Figures) {
    let Figures { comparisons, sizes, hits } = figures;
    if options.json {
        let documents = |comparisons: &[Comparison]| comparisons.iter().map(Comparison::document).collect::<Vec<_>>();
        let sizes: Vec<_> = sizes.iter().map(Size::document).collect();
        let hits: Vec<_> = hits.iter().map(Hits::document).collect();
        println!("{}", json!({ "comparisons": documents(comparisons), "sizes": sizes, "hits": hits }));
        return;
    }
    let tables = [comparison::table(comparisons), sizes::table(sizes), hits::table(hits)];
    let tables: Vec<_> = tables.into_iter().filter(|table| !table.is_empty()).collect();
    println!("{}", tables.join("\n\n"));
}
