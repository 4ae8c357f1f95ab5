//! Several services on one PostgreSQL database, that share a Redis.

mod claims;
mod expiry;
mod faults;
mod sharing;
mod visitors;

use std::thread;
use std::time::{Duration, Instant};

use hny_testkit::{Client, DEADLINE, Program, Redis, Response, Running};
use serde_json::json;

use crate::instant::until_some;
use crate::postgres;
use crate::site::Site;

/// Every other node shows a change within this time.
const PROMISE: Duration = Duration::from_secs(1);

/// Between two pairs of visits of the same visitor: hundreds in a second.
const PACE: Duration = Duration::from_millis(5);

/// A Redis and a database, and what is started on them.
struct Cluster {
    redis: Redis,
    program: Program,
}

impl Cluster {
    fn start() -> Self {
        Self::over(postgres::program())
    }

    /// On the database of `program`.
    fn over(program: Program) -> Self {
        let redis = Redis::start();
        let program = program.env("HNY_REDIS_URL", redis.url()).env("HNY_METRICS_LISTEN", "127.0.0.1:0");
        Self { redis, program }
    }

    /// A node as it is by default.
    fn node(&self) -> Site {
        Site::start(&self.program)
    }

    /// A node that keeps but one link in its own memory: for the others it asks Redis, or the database.
    fn forgetful_node(&self) -> Site {
        Site::start(&self.program.clone().env("HNY_CACHE_BYTES", "0"))
    }
}

/// What an attempt finds while these nodes use their Redis. Where one has left it out meanwhile, as it may where the machine is too busy
/// for answers in time, that says nothing of what they share, and there is another attempt.
pub(crate) fn while_in_use<T>(nodes: &[&Running], mut attempt: impl FnMut() -> T) -> T {
    let left_out = || nodes.iter().map(|node| node.stderr().matches("Redis is left out").count()).sum::<usize>();
    until_some(|| {
        let before = left_out();
        let found = attempt();
        (left_out() == before).then_some(found)
    })
}

/// The value of a series of a node; none is 0.
fn series(site: &Site, name: &str) -> f64 {
    let metrics = Client::connect(site.hny().metrics_address()).get("/metrics");
    let line = metrics.text().lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.map_or(0.0, |value| value.parse().expect("a series has a number"))
}

/// How many visits to a node were answered by Redis.
fn hits(site: &Site) -> f64 {
    series(site, "hny_shared_cache_lookups_total{outcome=\"hit\"}")
}

/// Returns when visits to `path` are answered by Redis.
fn wait_for_hits(site: &Site, path: &str) {
    let (filler, mut visitor) = (filler(site), site.visitor());
    until_paced(DEADLINE, || {
        let before = hits(site);
        for path in [&filler, path] {
            assert_eq!(visitor.get(path).status, 302);
        }
        hits(site) >= before + 2.0
    });
}

/// Another link: a forgetful node still keeps the last one that it was asked for, until it is asked for another.
fn filler(site: &Site) -> String {
    site.admin().link(&json!({"originalUrl": "https://example.com/filler"}))
}

/// Returns when a visit shows what is wanted, within the time that is promised.
fn soon(visitor: &mut Client, path: &str, wanted: impl Fn(&Response) -> bool) {
    until_paced(PROMISE, || {
        let answer = visitor.get(path);
        assert!(answer.status < 500, "{answer:?}");
        wanted(&answer)
    });
}

/// Looks again and again, but not so often that several nodes, their database and the visitors have no processor left.
fn until_paced(deadline: Duration, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < deadline, "it has not happened within {deadline:?}");
        thread::park_timeout(PACE);
    }
}

fn leads_to(answer: &Response, target: &str) -> bool {
    answer.status == 302 && answer.header("location") == Some(target)
}
