//! `cargo xtask bench growth`: what becomes dearer when the links become more, and what does not.

mod report;
mod start;
mod subject;

use super::processors::Processors;
use super::redirect::seconds;
use super::server::Place;
use super::{BenchError, release};
use report::Row;
use std::time::Duration;
use subject::Subject;

/// At which sizes to measure, how long, and what to print.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Numbers of links, separated by commas; the others are compared with the first. Making ten million takes some minutes
    /// and two gigabytes, once
    #[arg(long, value_delimiter = ',', default_value = "10000,100000,1000000,10000000", value_parser = size)]
    sizes: Vec<u64>,
    /// Seconds for each measurement of a round
    #[arg(long, default_value_t = 0.5, value_parser = seconds)]
    seconds: f64,
    /// Rounds, each of which measures everything once
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u64).range(1..=1000))]
    rounds: u64,
    /// Print a JSON document instead of a table
    #[arg(long)]
    json: bool,
}

fn size(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (1_000..=100_000_000).contains(number));
    number.ok_or_else(|| "give numbers from 1000 to 100000000".to_owned())
}

/// Builds, measures and prints.
pub(super) fn run(options: &Options) -> Result<(), BenchError> {
    let built = release::build()?;
    let processors = Processors::available()?;
    let mut subjects = Vec::new();
    for links in &options.sizes {
        eprintln!("    {links} links");
        let folder = tempfile::Builder::new().prefix("bench-growth-").tempdir_in(built.folder());
        let folder =
            folder.map_err(|source| BenchError::Folder { folder: built.folder().display().to_string(), source })?;
        let place = Place { built: &built, beside: None, folder: folder.path(), processors: &processors };
        let subject = Subject::start(*links, &place)?;
        subjects.push((subject, folder));
    }
    let time = Duration::from_secs_f64(options.seconds);
    rounds("redirects", options, || subjects.iter_mut().try_for_each(|(subject, _)| subject.redirects(time)))?;
    // Afterwards, because the links made here make the smallest file a larger one.
    rounds("creates", options, || subjects.iter_mut().try_for_each(|(subject, _)| subject.creates(time)))?;
    let first = subjects.first().map(|(first, _)| first);
    let rows: Vec<_> = subjects.iter().map(|(subject, _)| Row::new(subject, first.unwrap_or(subject))).collect();
    report::print(&rows, options.json);
    Ok(())
}

fn rounds(of: &str, options: &Options, mut round: impl FnMut() -> Result<(), BenchError>) -> Result<(), BenchError> {
    for number in 1..=options.rounds {
        eprintln!("    {of}, round {number} of {}", options.rounds);
        round()?;
    }
    Ok(())
}
