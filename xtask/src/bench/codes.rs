//! `cargo xtask bench codes`: what a code costs, alone and as a part of a create.

mod times;

use super::figures::{Other, Series, document, table};
use super::load::Callers;
use super::{BenchError, create, release};
use crate::command::{command, output};
use hny_testkit::{Program, Running};
use std::path::Path;
use std::time::Duration;
use times::Time;

/// How long to measure, and what to print.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Seconds for each measurement of a round
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=60))]
    seconds: u64,
    /// Rounds, each of which measures both schemes once
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=60))]
    rounds: u64,
    /// Callers at once
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Print a JSON document instead of tables
    #[arg(long)]
    json: bool,
}

/// What creates are compared with.
const OTHERS: [Other; 1] = [Other { word: "random", field: "ratioToRandom" }];

/// Builds, measures and prints.
pub(super) fn run(options: &Options) -> Result<(), BenchError> {
    let times = times()?;
    let binary = release::hny()?;
    let (random, permuted) = (Site::start(&binary, "random")?, Site::start(&binary, "permuted")?);
    let series = measure(options, &random.callers, &permuted.callers)?;
    print(options, &times, &series);
    Ok(())
}

/// The times of the makers alone.
fn times() -> Result<Vec<Time>, BenchError> {
    let words = ["cargo", "bench", "--locked", "--package", "hny-codes", "--bench", "codes"];
    let said = output(&mut command(&words))?;
    let times = times::read(&said);
    if times.is_empty() { Err(BenchError::NoTimes(said)) } else { Ok(times) }
}

/// A service with a scheme, on a database of its own.
struct Site {
    callers: Callers,
    _running: Running,
    _folder: tempfile::TempDir,
}

impl Site {
    fn start(binary: &Path, scheme: &str) -> Result<Self, BenchError> {
        // Beside the build, not in the folder for temporary files: that one may be memory, which is always in sync.
        let near = binary.parent().unwrap_or(Path::new("."));
        let folder = tempfile::Builder::new().prefix("bench-codes-").tempdir_in(near);
        let folder = folder.map_err(|source| BenchError::Folder { folder: near.display().to_string(), source })?;
        let program = Program::new(binary).in_folder(folder.path());
        let program = program.env("HNY_CODES", scheme).env("HNY_CODE_KEY", "a secret of at least 32 characters");
        let key = create::key(&program)?;
        let running = program.start();
        Ok(Self { callers: Callers::new(running.address(), key), _running: running, _folder: folder })
    }
}

/// Each scheme goes first in every other round, so that neither always comes behind the other.
fn measure(options: &Options, random: &Callers, permuted: &Callers) -> Result<[Series; 2], BenchError> {
    let (time, callers) = (Duration::from_secs(options.seconds), usize::from(options.concurrency));
    let mut series = [Series::new("random"), Series::new("permuted")];
    for round in 1..=options.rounds {
        eprintln!("    round {round} of {}", options.rounds);
        let mut order = [(0, random), (1, permuted)];
        if round % 2 == 0 {
            order.reverse();
        }
        for (place, scheme) in order {
            series[place].samples.push(scheme.measure(callers, time)?);
        }
    }
    Ok(series)
}

#[expect(clippy::print_stdout, reason = "the figures are the data of this command")]
fn print(options: &Options, times: &[Time], series: &[Series; 2]) {
    let rows: Vec<_> = series.iter().map(|scheme| scheme.row(&[&series[0]])).collect();
    if options.json {
        let mut document = document(&rows, &OTHERS);
        document["codes"] = times::document(times);
        println!("{document}");
    } else {
        println!("{}\n\ncreates, {} at once\n{}", times::table(times), options.concurrency, table(&rows, &OTHERS));
    }
}
