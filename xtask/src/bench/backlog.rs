//! A node with clicks that wait in its spool, because its sink takes none for a while.

use super::database::Database;
use super::processors::Account;
use super::{BenchError, create};
use bench_visitors::{Draw, Plan, Traffic, visit};
use clap::ValueEnum;
use hny_testkit::{Client, Program, Running};
use std::thread;
use std::time::{Duration, Instant};

/// How many links there are.
pub(super) const LINKS: u64 = 1_000_000;

/// How often it is looked whether all clicks are there.
pub(super) const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// What is to be recorded, as it is said at the command line.
#[derive(Debug, clap::Args)]
pub(super) struct Wanted {
    /// How many clicks
    #[arg(long, default_value_t = 500_000, value_parser = clap::value_parser!(u64).range(1_000..=10_000_000))]
    clicks: u64,
    /// On how many links, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "1,1000,100000", value_parser = clap::value_parser!(u64).range(1..=LINKS))]
    links: Vec<u64>,
    /// How often each of them is followed
    #[arg(long, default_value = "even")]
    popularity: Popularity,
    /// How many people follow them, with six hundred agents, from forty pages, in twelve languages
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=16_000_000))]
    people: u64,
}

impl Wanted {
    pub(super) fn loads(&self) -> impl Iterator<Item = Load> {
        let Self { clicks, popularity, people, .. } = *self;
        self.links.iter().map(move |&links| Load { clicks, links, popularity, people })
    }
}

/// How often each link is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Popularity {
    /// As often as another
    Even,
    /// The tenth a tenth as often as the first, and so on (Zipf's law)
    Zipf,
}

/// What waits.
pub(super) struct Backlog {
    pub(super) running: Running,
    /// How many clicks.
    pub(super) clicks: u64,
}

/// What it took to hand all of it over.
pub(super) struct HandedOver {
    pub(super) elapsed: Duration,
    /// The processor time of all threads of the node.
    pub(super) spent: Duration,
}

/// What is recorded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// How many clicks, on how many links.
    pub(super) clicks: u64,
    pub(super) links: u64,
    pub(super) popularity: Popularity,
    /// How many people follow them; each click is of any of them.
    pub(super) people: u64,
}

impl Backlog {
    /// Has a node record clicks while the sink is held. Each link was followed once before, and that was handed over: it is in the cache,
    /// and counted.
    pub(super) fn record<Hold>(
        database: &Database<'_>,
        program: Program,
        load: Load,
        hold: impl FnOnce() -> Result<Hold, BenchError>,
    ) -> Result<(Self, Hold), BenchError> {
        let program = program.env("HNY_LOG", "error").env("HNY_CACHE_BYTES", "1GiB");
        let program = program.env("HNY_METRICS_LISTEN", "127.0.0.1:0").env("HNY_SPOOL_LIMIT", "8GiB");
        let program = program.env("HNY_TRUSTED_PROXIES", "127.0.0.1/32");
        let key = create::key(&program)?;
        let mut waiting = Self { running: program.start(), clicks: 0 };
        let plan =
            Plan { address: waiting.running.address(), connections: 16, fresh: false, key: &key, watches: false };
        visit(&plan, &mut database.traffic(Traffic::new(Draw::Each(0..load.links), 0)), Duration::MAX)?;
        waiting.wait_until_handed_over();
        let kept = hold()?;
        let draw = match load.popularity {
            Popularity::Even => Draw::Any(load.links),
            Popularity::Zipf => Draw::Popular(load.links),
        };
        let mut traffic = database.traffic(Traffic::new(draw, 0).of_people(load.people));
        let before = waiting.recorded();
        while waiting.recorded() < before + load.clicks {
            visit(&plan, &mut traffic, Duration::from_millis(100))?;
        }
        waiting.clicks = waiting.number("hny_clicks_pending");
        Ok((waiting, kept))
    }

    /// How many were recorded since the start.
    pub(super) fn recorded(&self) -> u64 {
        self.number("hny_clicks_recorded_total")
    }

    /// Waits until nothing waits, and says what that took.
    pub(super) fn hand_over(&self) -> Result<HandedOver, BenchError> {
        let (own, began) = (Account::of(self.running.pid())?, Instant::now());
        self.wait_until_handed_over();
        let spent = own.until(&Account::of(self.running.pid())?).total;
        Ok(HandedOver { elapsed: began.elapsed(), spent })
    }

    fn wait_until_handed_over(&self) {
        while self.number("hny_clicks_pending") > 0 {
            // Nobody tells; and looking costs what is measured.
            thread::park_timeout(BETWEEN_LOOKS);
        }
    }

    /// A number of the metrics.
    fn number(&self, name: &str) -> u64 {
        let metrics = Client::connect(self.running.metrics_address()).get("/metrics");
        let line = metrics.text().lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        line.unwrap_or(0)
    }
}

/// How many of them there were in a second of a time.
pub(super) fn a_second(clicks: u64, time: Duration) -> u64 {
    u64::try_from(u128::from(clicks) * 1_000_000 / time.as_micros().max(1)).unwrap_or(u64::MAX)
}
