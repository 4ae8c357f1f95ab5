//! Several services on one PostgreSQL database, that share a Redis.

mod expiry;
mod faults;
mod sharing;
mod visitors;

use std::time::Duration;

use hny_testkit::{Client, Program, Redis, Response};

use crate::instant::{until_some, until_some_within};
use crate::postgres;
use crate::site::Site;

/// Every other node shows a change within this time.
const PROMISE: Duration = Duration::from_secs(1);

/// A Redis and a database, and what is started on them.
struct Cluster {
    redis: Redis,
    program: Program,
}

impl Cluster {
    fn start() -> Self {
        let redis = Redis::start();
        let program = postgres::program().env("HNY_REDIS_URL", redis.url()).env("HNY_METRICS_LISTEN", "127.0.0.1:0");
        Self { redis, program }
    }

    /// A node as it is by default.
    fn node(&self) -> Site {
        Site::start(&self.program)
    }

    /// A node that keeps nothing in its own memory: for every visit it asks Redis, or the database.
    fn forgetful_node(&self) -> Site {
        Site::start(&self.program.clone().env("HNY_CACHE_BYTES", "0"))
    }
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
    let (before, mut visitor) = (hits(site), site.visitor());
    until_some(|| {
        assert_eq!(visitor.get(path).status, 302);
        (hits(site) > before).then_some(())
    });
}

/// Returns when a visit shows what is wanted, within the time that is promised.
fn soon(visitor: &mut Client, path: &str, wanted: impl Fn(&Response) -> bool) {
    until_some_within(PROMISE, || {
        let answer = visitor.get(path);
        assert!(answer.status < 500, "{answer:?}");
        wanted(&answer).then_some(())
    });
}

fn leads_to(answer: &Response, target: &str) -> bool {
    answer.status == 302 && answer.header("location") == Some(target)
}
