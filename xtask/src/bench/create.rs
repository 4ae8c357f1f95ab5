//! `cargo xtask bench create`: how much of what the disk can do is left when links are created.

use super::figures::{Other, Series, document, table};
use super::load::Callers;
use super::{BenchError, append, release};
use hny_testkit::Program;
use std::path::Path;
use std::time::Duration;

/// How long to measure, and what to print.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Seconds for each measurement of a round
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=60))]
    seconds: u64,
    /// Rounds, each of which measures everything once; many short ones are disturbed less than a few long ones
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u64).range(1..=60))]
    rounds: u64,
    /// Callers at once, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "1,8,64,256", value_parser = callers)]
    concurrency: Vec<usize>,
    /// Print a JSON document instead of a table
    #[arg(long)]
    json: bool,
}

/// What everything is compared with.
const OTHERS: [Other; 2] =
    [Other { word: "one", field: "ratioToOne" }, Other { word: "append", field: "ratioToAppend" }];

fn callers(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=1024).contains(number));
    number.ok_or_else(|| "give numbers from 1 to 1024".to_owned())
}

/// Builds, measures and prints.
pub(super) fn run(options: &Options) -> Result<(), BenchError> {
    let binary = release::hny()?;
    // Beside the build, not in the folder for temporary files: that one may be memory, which is always in sync.
    let near = binary.parent().unwrap_or(Path::new("."));
    let folder = tempfile::Builder::new().prefix("bench-create-").tempdir_in(near);
    let folder = folder.map_err(|source| BenchError::Folder { folder: near.display().to_string(), source })?;
    let program = Program::new(binary).in_folder(folder.path());
    let key = key(&program)?;
    let running = program.start();
    let series = measure(options, &Callers::new(running.address(), key), folder.path())?;
    print(options, &series);
    Ok(())
}

/// A key, because strangers may create a few links a minute only.
pub(super) fn key(program: &Program) -> Result<String, BenchError> {
    let output = program.run(["key", "create", "--name", "bench", "--role", "admin"]);
    let said = String::from_utf8_lossy(&output.stdout);
    let key = said.split_whitespace().find(|word| word.starts_with("hny_"));
    key.map(str::to_owned)
        .ok_or_else(|| BenchError::NoKey(format!("{said}{}", String::from_utf8_lossy(&output.stderr))))
}

/// The series of the disk, of a single caller, and of the callers asked for.
struct All {
    append: Series,
    one: Series,
    many: Vec<Series>,
}

fn measure(options: &Options, callers: &Callers, folder: &Path) -> Result<All, BenchError> {
    let time = Duration::from_secs(options.seconds);
    let numbers: Vec<_> = options.concurrency.iter().copied().filter(|number| *number > 1).collect();
    let many = numbers.iter().map(|number| Series::new(format!("create at {number}"))).collect();
    let mut all = All { append: Series::new("append+fdatasync"), one: Series::new("create at 1"), many };
    for round in 1..=options.rounds {
        eprintln!("    round {round} of {}", options.rounds);
        all.append.samples.push(append::measure(folder, time)?);
        all.one.samples.push(callers.measure(1, time)?);
        for (series, number) in all.many.iter_mut().zip(&numbers) {
            series.samples.push(callers.measure(*number, time)?);
        }
    }
    Ok(all)
}

#[expect(clippy::print_stdout, reason = "the figures are the data of this command")]
fn print(options: &Options, all: &All) {
    let series = [&all.append, &all.one].into_iter().chain(&all.many);
    let rows: Vec<_> = series.map(|series| series.row(&[&all.one, &all.append])).collect();
    if options.json {
        println!("{}", document(&rows, &OTHERS));
    } else {
        println!("{}", table(&rows, &OTHERS));
    }
}
