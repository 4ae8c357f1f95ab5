//! `cargo xtask bench redirect`: what a redirect costs, beside nginx and beside the least that could answer.

mod report;
mod state;

use super::processors::{Processors, Spent};
use super::release::{self, Built};
use super::server::{Place, Server, Which};
use super::{BenchError, create, seeded};
use crate::packages;
use bench_visitors::{Draw, Plan, Sample, Traffic, visit};
use clap::ValueEnum;
use report::{Round, Row};
use state::{Case, Shape, State, cases};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to measure, what, and what to print.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Seconds for each measurement of a round
    #[arg(long, default_value_t = 0.5, value_parser = seconds)]
    seconds: f64,
    /// Rounds, each of which measures everything once; many short ones are disturbed less than a few long ones
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=1000))]
    rounds: u64,
    /// What to measure of hny, separated by commas; all of it if nothing is said
    #[arg(long, value_delimiter = ',', value_name = "STATE")]
    states: Vec<State>,
    /// How many links there are
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1_000..=100_000_000))]
    links: u64,
    /// Measure this build of hny too, in the same states where it is one thread with a warm cache
    #[arg(long, value_name = "PROGRAM")]
    beside: Option<PathBuf>,
    /// Print a JSON document instead of a table
    #[arg(long)]
    json: bool,
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.1..=60.0).contains(number));
    number.ok_or_else(|| "give seconds from 0.1 to 60".to_owned())
}

/// Builds, measures and prints.
pub(super) fn run(options: &Options) -> Result<(), BenchError> {
    packages::ensure(packages::REDIRECT)?;
    let built = release::build()?;
    let folder = tempfile::Builder::new().prefix("bench-redirect-").tempdir_in(built.folder());
    let folder =
        folder.map_err(|source| BenchError::Folder { folder: built.folder().display().to_string(), source })?;
    seeded::copy(&built, options.links, folder.path())?;
    let states = if options.states.is_empty() { State::value_variants() } else { &options.states };
    let bench = Bench::start(options, &built, folder.path(), cases(states, options.beside.is_some()))?;
    let rows = bench.measure()?;
    report::print(&rows, options.json);
    Ok(())
}

/// Everything that is measured, started.
struct Bench<'a> {
    options: &'a Options,
    cases: Vec<Case>,
    servers: Vec<Server>,
    key: String,
}

impl<'a> Bench<'a> {
    fn start(options: &'a Options, built: &Built, folder: &Path, cases: Vec<Case>) -> Result<Self, BenchError> {
        let key = create::key(&hny_testkit::Program::new(&built.hny).in_folder(folder))?;
        let processors = Processors::available()?;
        let place = Place { built, beside: options.beside.as_deref(), folder, processors: &processors };
        let mut bench = Self { options, cases, servers: Vec::new(), key };
        for which in Which::ALL {
            if bench.cases.iter().any(|case| case.which == which) {
                let server = Server::start(which, &place)?;
                bench.warm_up(&server)?;
                server.sleep()?;
                bench.servers.push(server);
            }
        }
        bench.check_sizes()?;
        Ok(bench)
    }

    /// The bare responder is a floor under hny only while it answers with as many bytes.
    fn check_sizes(&self) -> Result<(), BenchError> {
        let bytes = |which| {
            let Some(server) = self.servers.iter().find(|server| server.which == which) else { return Ok(None) };
            let plan = Plan { connections: 1, ..self.plan(server, Shape::Kept) };
            server.wake()?;
            let sample = visit(&plan, &mut Traffic::new(Draw::Each(0..1), 0), Duration::MAX)?;
            server.sleep()?;
            Ok::<_, BenchError>(Some(sample.bytes))
        };
        match (bytes(Which::Floor)?, bytes(Which::Hny)?) {
            (Some(floor), Some(hny)) if floor != hny => Err(BenchError::Sizes { floor, hny }),
            _ => Ok(()),
        }
    }

    /// Asks once for all that is to be in the server's cache.
    fn warm_up(&self, server: &Server) -> Result<(), BenchError> {
        let cases = self.cases.iter().filter(|case| case.which == server.which);
        let draws: Vec<_> = cases.filter_map(|case| case.warm_up(self.options.links)).collect();
        let first = |(number, draw): &(usize, &Draw)| !draws[..*number].contains(draw);
        for (_, draw) in draws.iter().enumerate().filter(first) {
            eprintln!("    warming up {:?}", server.which);
            visit(&self.plan(server, Shape::Kept), &mut Traffic::new(draw.clone(), 0), Duration::MAX)?;
        }
        Ok(())
    }

    fn plan(&self, server: &Server, shape: Shape) -> Plan<'_> {
        Plan {
            address: server.address(),
            connections: shape.connections(),
            fresh: shape == Shape::Fresh,
            key: &self.key,
            watches: server.is_apart,
        }
    }

    fn measure(&self) -> Result<Vec<Row>, BenchError> {
        let mut traffic: Vec<_> = self.cases.iter().map(|case| case.traffic(self.options.links)).collect();
        let mut rounds: Vec<Vec<Round>> = self.cases.iter().map(|_| Vec::new()).collect();
        for number in 1..=self.options.rounds {
            eprintln!("    round {number} of {}", self.options.rounds);
            for ((case, traffic), rounds) in self.cases.iter().zip(&mut traffic).zip(&mut rounds) {
                let (sample, spent) = self.round(*case, traffic)?;
                rounds.push(Round::new(sample, spent));
            }
        }
        let baseline = |case: &Case, which| {
            let place = self.cases.iter().position(|other| other.which == which && other.shape == case.shape);
            place.map_or(&[][..], |place| &rounds[place])
        };
        let row = |(case, own): (&Case, &Vec<Round>)| {
            let [nginx, floor, uncounted] =
                [Which::Nginx, Which::Floor, Which::Uncounted].map(|which| baseline(case, which));
            Row::new(case.name(), own, nginx, floor, uncounted)
        };
        Ok(self.cases.iter().zip(&rounds).map(row).collect())
    }

    fn round(&self, case: Case, traffic: &mut Traffic) -> Result<(Sample, Spent), BenchError> {
        let server = self.servers.iter().find(|server| server.which == case.which);
        let server = server.ok_or(BenchError::NoProgram("the server of this case"))?;
        server.measure(&self.plan(server, case.shape), traffic, Duration::from_secs_f64(self.options.seconds))
    }
}
