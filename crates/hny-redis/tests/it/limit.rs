//! The sliding window.

use std::time::Duration;

use hny_redis::{Redis, Verdict};
use tokio::task::JoinSet;

use crate::{PREFIX, connect};

const MINUTE: Duration = Duration::from_mins(1);

fn is_allowed(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Allowed { .. })
}

async fn ask(redis: &Redis, max: u32) -> Verdict {
    redis.limit("a", max, MINUTE).await.unwrap()
}

/// Moves what was counted in place `index` by so many seconds, as if the clock of Redis had been another then.
fn shift(server: &hny_testkit::Redis, index: &str, seconds: i64) {
    let key = format!("{PREFIX}limit:a");
    let time: i64 = server.command(&["LINDEX", &key, index]).trim_matches('"').parse().unwrap();
    server.command(&["LSET", &key, index, &(time + seconds * 1_000_000).to_string()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_thirty_on_two_nodes_exactly_ten_pass() {
    let server = hny_testkit::Redis::start();
    let nodes = [connect(&server).await, connect(&server).await];
    let mut asked = JoinSet::new();
    for number in 0..30 {
        let node = nodes[number % 2].clone();
        asked.spawn(async move { ask(&node, 10).await });
    }
    let verdicts = asked.join_all().await;
    assert_eq!(verdicts.iter().filter(|verdict| is_allowed(**verdict)).count(), 10, "{verdicts:?}");
    let mut left: Vec<u32> = verdicts
        .iter()
        .filter_map(|verdict| match verdict {
            Verdict::Allowed { remaining, .. } => Some(*remaining),
            Verdict::Refused { .. } => None,
        })
        .collect();
    left.sort_unstable();
    assert!(left.iter().copied().eq(0..10), "{left:?}");
}

#[tokio::test]
async fn what_is_given_back_is_free() {
    let server = hny_testkit::Redis::start();
    let redis = connect(&server).await;
    for _ in 0..2 {
        assert!(is_allowed(ask(&redis, 2).await));
    }
    assert!(!is_allowed(ask(&redis, 2).await));
    redis.give_back("a").await.unwrap();
    assert!(is_allowed(ask(&redis, 2).await) && !is_allowed(ask(&redis, 2).await));
    // Of nothing there is nothing to give back.
    redis.give_back("b").await.unwrap();
}

#[tokio::test]
async fn the_window_slides() {
    let server = hny_testkit::Redis::start();
    let redis = connect(&server).await;
    for _ in 0..3 {
        assert!(is_allowed(ask(&redis, 3).await));
    }
    shift(&server, "0", -59);
    let Verdict::Refused { retry_after, reset } = ask(&redis, 3).await else { panic!("a fourth was allowed") };
    assert!(retry_after <= Duration::from_secs(1), "{retry_after:?}");
    assert!(reset > Duration::from_secs(30) && reset <= MINUTE, "{reset:?}");
    shift(&server, "0", -1);
    // One has left: one is allowed, and no second one.
    assert_eq!(ask(&redis, 3).await, Verdict::Allowed { remaining: 0, reset: MINUTE });
    assert!(!is_allowed(ask(&redis, 3).await));
}

#[tokio::test]
async fn what_is_kept_has_a_bound_and_an_end() {
    let server = hny_testkit::Redis::start();
    let redis = connect(&server).await;
    for _ in 0..20 {
        ask(&redis, 3).await;
    }
    assert_eq!(server.command(&["LLEN", "test:limit:a"]), "(integer) 3");
    let lifetime = server.command(&["PTTL", "test:limit:a"]);
    let lifetime: i64 = lifetime.trim_start_matches("(integer) ").parse().unwrap();
    assert!((1..=60_000).contains(&lifetime), "{lifetime}");
    // Others are not counted with them.
    assert_eq!(redis.limit("b", 1, MINUTE).await, Ok(Verdict::Allowed { remaining: 0, reset: MINUTE }));
}

#[tokio::test]
async fn a_limit_that_was_lowered_holds() {
    let server = hny_testkit::Redis::start();
    let redis = connect(&server).await;
    for _ in 0..5 {
        assert!(is_allowed(ask(&redis, 5).await));
    }
    shift(&server, "0", -59);
    shift(&server, "2", -40);
    // Three must leave before there are fewer than three.
    let Verdict::Refused { retry_after, .. } = ask(&redis, 3).await else { panic!("a sixth was allowed") };
    assert!(retry_after > Duration::from_secs(10) && retry_after <= Duration::from_secs(20), "{retry_after:?}");
    assert!(!is_allowed(redis.limit("none", 0, MINUTE).await.unwrap()));
}

#[tokio::test]
async fn a_clock_that_is_set_back_does_not_lock_anybody_out() {
    let server = hny_testkit::Redis::start();
    let redis = connect(&server).await;
    for _ in 0..3 {
        assert!(is_allowed(ask(&redis, 3).await));
    }
    // By a little: the limit is still exact.
    shift(&server, "-1", 5);
    assert!(!is_allowed(ask(&redis, 3).await));
    // By an hour.
    shift(&server, "-1", 3600);
    assert_eq!(ask(&redis, 3).await, Verdict::Allowed { remaining: 2, reset: MINUTE });
}
