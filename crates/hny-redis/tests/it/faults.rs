//! A Redis that goes away, stands still, and comes back.

use std::time::Duration;

use hny_redis::{Address, Prefix, Redis, Unavailable, Verdict};

use crate::{PREFIX, connect, open, soon, until};

async fn ask(redis: &Redis) -> Result<Verdict, Unavailable> {
    // Whatever Redis does, there is an answer soon.
    soon(redis.limit("a", 1_000_000, Duration::from_mins(1))).await
}

#[tokio::test]
async fn a_redis_that_is_killed_is_left_out_and_taken_back() {
    let mut server = hny_testkit::Redis::start();
    let redis = connect(&server).await;
    let first = redis.run().unwrap();
    assert!(ask(&redis).await.is_ok());
    server.kill();
    until(|| !redis.is_usable()).await;
    assert_eq!(ask(&redis).await, Err(Unavailable));
    server.start_again_empty();
    let second = soon(redis.run_other_than(Some(&first))).await;
    assert!(second != first && ask(&redis).await.is_ok());
}

#[tokio::test]
async fn a_redis_that_stands_still_is_left_out_and_taken_back() {
    let server = hny_testkit::Redis::start();
    let redis = connect(&server).await;
    let run = redis.run();
    server.pause();
    // The first one waits for a tenth of a second, and then nobody does.
    assert_eq!(ask(&redis).await, Err(Unavailable));
    assert!(!redis.is_usable());
    for _ in 0..1000 {
        assert_eq!(ask(&redis).await, Err(Unavailable));
    }
    server.resume();
    soon(redis.run_other_than(None)).await;
    assert!(redis.run() == run && ask(&redis).await.is_ok());
}

#[tokio::test]
async fn a_redis_that_nobody_asks_is_watched_all_the_same() {
    let server = hny_testkit::Redis::start();
    let redis = connect(&server).await;
    server.pause();
    until(|| !redis.is_usable()).await;
    server.resume();
    until(|| redis.is_usable()).await;
}

#[tokio::test]
async fn those_who_do_not_wait_notice_too() {
    let server = hny_testkit::Redis::start();
    let redis = connect(&server).await;
    server.pause();
    let mut asked = 0;
    while redis.is_usable() {
        let left = tokio::time::timeout(Duration::from_millis(10), redis.limit("a", 1, Duration::from_mins(1))).await;
        assert!(!matches!(left, Ok(Ok(_))));
        asked += 1;
    }
    assert!(asked <= 20, "{asked} had to find out");
    server.resume();
}

#[tokio::test]
async fn one_that_comes_later_is_found() {
    let mut server = hny_testkit::Redis::start();
    server.kill();
    let redis = open(&server);
    assert_eq!(ask(&redis).await, Err(Unavailable));
    server.start_again();
    soon(redis.run_other_than(None)).await;
    assert!(ask(&redis).await.is_ok());
}

#[tokio::test]
async fn a_replica_is_not_used() {
    let server = hny_testkit::Redis::start();
    let redis = connect(&server).await;
    assert!(ask(&redis).await.is_ok());
    server.command(&["REPLICAOF", "127.0.0.1", "1"]);
    assert_eq!(ask(&redis).await, Err(Unavailable));
    until(|| !redis.is_usable()).await;
    server.command(&["REPLICAOF", "NO", "ONE"]);
    soon(redis.run_other_than(None)).await;
    assert!(ask(&redis).await.is_ok());
}

#[tokio::test]
async fn a_password_is_needed_where_one_is() {
    let server = hny_testkit::Redis::start_with(&["--requirepass", "secret"]);
    let with = |user: &str| {
        let url = server.url().replace("redis://", &format!("redis://{user}"));
        Redis::open(Address::parse(&url).unwrap(), Prefix::parse(PREFIX).unwrap())
    };
    let (right, wrong) = (with(":secret@"), with(":wrong@"));
    soon(right.run_other_than(None)).await;
    assert!(ask(&right).await.is_ok());
    assert_eq!(ask(&wrong).await, Err(Unavailable));
}
