//! Against a real Redis.

#![cfg(test)]

mod faults;
mod limit;
mod links;
mod messages;
mod prefix;

use std::time::Duration;

use hny_redis::{Address, Prefix, Redis};
use hny_testkit::DEADLINE;

/// The prefix of these tests.
const PREFIX: &str = "test:";

/// A node's handle to `server`, whether it is there or not.
fn open(server: &hny_testkit::Redis) -> Redis {
    Redis::open(Address::parse(&server.url()).unwrap(), Prefix::parse(PREFIX).unwrap())
}

/// A node's handle to `server`, connected.
async fn connect(server: &hny_testkit::Redis) -> Redis {
    let redis = open(server);
    soon(redis.run_other_than(None)).await;
    redis
}

/// What must come, and come in time.
async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(DEADLINE, what).await.expect("it comes in time")
}

/// Returns when `is_so`: looks again and again, where nothing tells.
async fn until(is_so: impl Fn() -> bool) {
    soon(async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}
