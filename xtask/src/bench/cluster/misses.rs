//! What a redirect costs that the node's own cache does not know: answered by Redis, beside one that PostgreSQL answers.

use super::Options;
use super::comparison::{Comparison, Goal};
use super::node::{Node, Seen};
use crate::bench::BenchError;
use crate::bench::server::BARE;
use crate::bench::site::Site;
use bench_visitors::{Draw, Traffic};
use hny_testkit::{Client, Redis};

/// So many links are asked for: all are in Redis, hardly any in the node's cache.
const LINKS: u64 = 20_000;

/// How often all are asked for before the measurement: under load a node does not hand on all that it finds.
const LAPS: u32 = 50;

/// Of a hundred lookups as many must have been answered by Redis, or the figures are not about it.
const LEAST_HITS: u64 = 99;

pub(super) fn measure(options: &Options, site: &Site<'_>) -> Result<Vec<Comparison>, BenchError> {
    let database = site.seed(LINKS)?;
    let redis = Redis::start();
    let program = site.program(&database).env("HNY_CACHE_BYTES", BARE);
    let without = Node::alone(program.clone(), &site.processors)?;
    let with = program.env("HNY_REDIS_URL", redis.url()).env("HNY_METRICS_LISTEN", "127.0.0.1:0");
    let with = Node::alone(with, &site.processors)?;
    fill(&with, &redis)?;
    let before = lookups(&with);
    let mut comparisons = Vec::new();
    for at_once in [64, 1] {
        comparisons.extend(compare(options, at_once, [&with, &without], site, &redis)?);
    }
    before.must_have_hit(&lookups(&with))?;
    Ok(comparisons)
}

/// Has all links handed on to Redis.
fn fill(node: &Node, redis: &Redis) -> Result<(), BenchError> {
    for _ in 0..LAPS {
        node.warm_up(&mut all())?;
        let said = redis.command(&["DBSIZE"]);
        if said.rsplit(' ').next().and_then(|count| count.parse().ok()).is_some_and(|count: u64| count >= LINKS) {
            return Ok(());
        }
    }
    Err(BenchError::Unfilled)
}

fn all() -> Traffic {
    Traffic::new(Draw::Each(0..LINKS), 0).of_digits()
}

fn compare(
    options: &Options,
    at_once: usize,
    [with, without]: [&Node; 2],
    site: &Site<'_>,
    redis: &Redis,
) -> Result<Vec<Comparison>, BenchError> {
    // One at a time, what costs is to sleep and be woken, twice for each, whoever answers: that is shown and has no goal.
    let goal = (at_once > 1).then_some(Goal::AtMost(0.7));
    let what = |of: &str| Comparison::new(format!("misses: µs {of}, {at_once} at once"), "from PostgreSQL", goal);
    let mut comparisons = ["of the node and servers", "of the node alone", "to the answer (p50)"].map(what);
    let mut traffic = Traffic::new(Draw::Any(LINKS), 0).of_digits();
    options.each_round(&format!("misses, {at_once} at once"), || {
        // All processes of both servers, in both cases: what a node asks for beside its lookups is little, and is there in both.
        let behind = [site.postgres.pids(), vec![redis.pid()]].concat();
        let ours = with.measure(at_once, &mut traffic, options.time(), &behind)?;
        let theirs = without.measure(at_once, &mut traffic, options.time(), &behind)?;
        let figures: [fn(&Seen) -> f64; 3] = [|seen| seen.own + seen.behind, |seen| seen.own, |seen| seen.p50];
        for (comparison, figure) in comparisons.iter_mut().zip(figures) {
            comparison.round(figure(&ours), figure(&theirs));
        }
        Ok(())
    })?;
    Ok(comparisons.into())
}

/// What became of lookups in Redis until now.
#[derive(Debug, Default, PartialEq, Eq)]
struct Lookups {
    hits: u64,
    all: u64,
}

fn lookups(node: &Node) -> Lookups {
    let answer = Client::connect(node.running().metrics_address()).get("/metrics");
    Lookups::read(&String::from_utf8_lossy(&answer.body))
}

impl Lookups {
    fn read(metrics: &str) -> Self {
        let counts = metrics.lines().filter_map(|line| {
            let (outcome, count) =
                line.strip_prefix("hny_shared_cache_lookups_total{outcome=\"")?.split_once("\"} ")?;
            Some((outcome, count.parse::<u64>().ok()?))
        });
        counts.fold(Self::default(), |Self { hits, all }, (outcome, count)| Self {
            hits: hits + if outcome == "hit" { count } else { 0 },
            all: all + count,
        })
    }

    fn must_have_hit(&self, later: &Self) -> Result<(), BenchError> {
        let (hits, all) = (later.hits - self.hits, later.all - self.all);
        if hits * 100 >= all * LEAST_HITS && all > 0 { Ok(()) } else { Err(BenchError::NoHits { hits, all }) }
    }
}

#[test]
fn lookups_that_redis_did_not_answer_are_no_figure() {
    let read = |hits: u64, late: u64| {
        Lookups::read(&format!(
            "# TYPE hny_shared_cache_lookups counter\nhny_shared_cache_lookups_total{{outcome=\"hit\"}} {hits}\n\
             hny_shared_cache_lookups_total{{outcome=\"late\"}} {late}\nhny_redis_usable 1\n"
        ))
    };
    assert_eq!(read(5, 2), Lookups { hits: 5, all: 7 });
    assert!(read(0, 10).must_have_hit(&read(990, 20)).is_ok());
    assert!(matches!(read(0, 0).must_have_hit(&read(98, 2)), Err(BenchError::NoHits { hits: 98, all: 100 })));
    assert!(read(1, 1).must_have_hit(&read(1, 1)).is_err(), "nothing was asked");
}
