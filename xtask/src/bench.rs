//! `cargo xtask bench`: figures as ratios, taken side by side in one run, because the machines differ and so do their days.

mod append;
mod backlog;
mod clicks;
mod cluster;
mod codes;
mod create;
mod database;
mod engine;
mod figures;
mod growth;
mod instructions;
mod lists;
mod load;
mod memory;
mod nginx;
mod processors;
mod raw;
mod redirect;
mod release;
mod seeded;
mod server;
mod ship;
mod site;
mod stats;
mod times;

use crate::command::CommandError;
use crate::packages::PackageError;
use bench_visitors::VisitError;
use clap::Subcommand;
use std::net::SocketAddr;
use thiserror::Error;

/// What to measure.
#[derive(Debug, Subcommand)]
pub(crate) enum Bench {
    /// Durable creates a second, at several numbers of callers at once
    Create(create::Options),
    /// The makers of codes, and creates a second with permuted codes against drawn ones
    Codes(codes::Options),
    /// Processor time, rate and latency of redirects, beside nginx and a bare epoll loop
    Redirect(redirect::Options),
    /// What redirects, creates, the start and memory cost as the links become more
    Growth(growth::Options),
    /// Nodes on PostgreSQL and Redis, beside what these do by themselves, and what many links take
    Cluster(cluster::Options),
    /// What it costs to hand clicks over, from the spool to the database
    Clicks(clicks::Options),
    /// What it costs to bring clicks to Kafka and from there to ClickHouse, and their bytes in both
    Ship(ship::Options),
    /// How long the statistics of a link take that ten million people followed in a year
    Stats(stats::Options),
    /// How long ClickHouse takes for raw counts of ten million clicks, and for statistics
    Raw(raw::Options),
    /// How long a page of links takes where there are a million
    Lists(lists::Options),
    /// Instructions for a redirect whose link is in the cache
    Instructions,
}

/// Why there are no figures.
#[derive(Debug, Error)]
pub(crate) enum BenchError {
    /// Something is not installed.
    #[error(transparent)]
    Packages(#[from] PackageError),
    /// The release build failed.
    #[error(transparent)]
    Build(#[from] CommandError),
    /// The benches of the makers of codes showed nothing that could be read.
    #[error("`cargo bench --package hny-codes` showed no times; it said:\n{0}")]
    NoTimes(String),
    /// The build left no program.
    #[error("cargo build named no program called {0}: is it a binary of the workspace?")]
    NoProgram(&'static str),
    /// The probe of the file system failed.
    #[error("the folder {folder} cannot be measured: {source}")]
    Folder {
        /// Where the database and the probe were to be.
        folder: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A program that started does not say that it is ready.
    #[error("/readyz was answered with {0} instead of 200")]
    NotReady(u16),
    /// No key, so every create would soon meet the limit for strangers.
    #[error("`hny key create` printed no key (a word that starts with hny_). It said:\n{0}")]
    NoKey(String),
    /// The connection failed in the middle.
    #[error("a create on {address} failed: {source}")]
    Connection {
        /// Where the program listened.
        address: SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// An answer other than the one measured.
    #[error("a create was answered with {status} instead of 201:\n{body}")]
    Answer {
        /// The status.
        status: u16,
        /// The body, which says why.
        body: String,
    },
    /// A redirect was not as it should be.
    #[error(transparent)]
    Visit(#[from] VisitError),
    /// The comparison would be unfair.
    #[error("a redirect of hny has {hny} bytes and one of bench/epoll {floor}: write its answer as hny's is")]
    Sizes {
        /// The bytes of the bare responder.
        floor: usize,
        /// The bytes of hny.
        hny: usize,
    },
    /// A database could not be made or asked.
    #[error("the database of the bench: {0}")]
    Database(String),
    /// pgbench has no figure, or something went wrong in it.
    #[error("pgbench said no rate, or had failures. It said:\n{0}")]
    Pgbench(String),
    /// Redis has not got all links.
    #[error("Redis does not have all links after they were asked for again and again: does the node use it?")]
    Unfilled,
    /// The figures would be about something else.
    #[error("of {all} lookups only {hits} were answered by Redis: is the machine too busy?")]
    NoHits {
        /// Those that Redis answered.
        hits: u64,
        /// All.
        all: u64,
    },
    /// The simulation showed nothing that could be read.
    #[error("`cargo bench --package hny-resolve` showed no hit rates; it said:\n{0}")]
    NoHitRate(String),
    /// nginx does not start.
    #[error("nginx cannot be started: {0}")]
    Nginx(std::io::Error),
    /// The system does not let us choose processors.
    #[error("processors cannot be chosen: {0}")]
    Processors(std::io::Error),
    /// A process cannot be looked at.
    #[error("process {pid} cannot be measured: {source}")]
    Account {
        /// Its number.
        pid: u32,
        /// What the system says.
        source: std::io::Error,
    },
}

impl BenchError {
    fn processors(source: rustix::io::Errno) -> Self {
        Self::Processors(source.into())
    }
}

impl Bench {
    /// Measures and prints.
    pub(crate) fn run(&self) -> Result<(), BenchError> {
        match self {
            Self::Create(options) => create::run(options),
            Self::Codes(options) => codes::run(options),
            Self::Redirect(options) => redirect::run(options),
            Self::Growth(options) => growth::run(options),
            Self::Cluster(options) => cluster::run(options),
            Self::Clicks(options) => clicks::run(options),
            Self::Ship(options) => ship::run(options),
            Self::Raw(options) => raw::run(options),
            Self::Stats(options) => stats::run(options),
            Self::Lists(options) => lists::run(options),
            Self::Instructions => instructions::run(),
        }
    }
}
