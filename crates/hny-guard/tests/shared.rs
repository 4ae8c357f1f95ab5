//! The limit across nodes, with a real Redis.

#![cfg(test)]

use std::net::Ipv4Addr;
use std::time::Duration;

use hny_guard::{Client, Creates, Limit, Pseudonyms};
use hny_redis::{Address, Prefix, Redis};
use hny_testkit::DEADLINE;

const LIMIT: Limit = Limit { count: 10, window: Duration::from_mins(1) };
const NOW: Duration = Duration::from_hours(1);

fn client(number: u32) -> Client {
    Client::of(Ipv4Addr::from(number).into())
}

/// What a node knows that is connected to `server`, and its connection.
async fn node(server: &hny_testkit::Redis) -> (Creates, Redis) {
    let redis = Redis::open(Address::parse(&server.url()).unwrap(), Prefix::parse("test:").unwrap());
    tokio::time::timeout(DEADLINE, redis.run_other_than(None)).await.unwrap();
    (Creates::new("creates", LIMIT).sharing(redis.clone(), Pseudonyms::new(["a secret"])), redis)
}

async fn passed(creates: &Creates, client: Client, asked: usize) -> usize {
    let mut passed = 0;
    for _ in 0..asked {
        passed += usize::from(creates.take(client, NOW).await.is_ok());
    }
    passed
}

#[tokio::test]
async fn what_one_node_lets_through_the_other_does_not() {
    let server = hny_testkit::Redis::start();
    let ((one, _), (other, _)) = (node(&server).await, node(&server).await);
    assert_eq!(one.take(client(1), NOW).await.unwrap().remaining, 9);
    assert_eq!(other.take(client(1), NOW).await.unwrap().remaining, 8);
    assert_eq!(passed(&one, client(1), 6).await, 6);
    assert_eq!(passed(&other, client(1), 10).await, 2);
    let refused = one.take(client(1), NOW).await.unwrap_err();
    assert!(refused.retry_after > Duration::from_secs(30) && refused.retry_after <= LIMIT.window, "{refused:?}");
    assert_eq!(passed(&one, client(2), 20).await, 10, "another client");
}

#[tokio::test]
async fn a_refusal_of_the_others_takes_no_place_on_this_node() {
    let server = hny_testkit::Redis::start();
    let ((one, redis), (other, _)) = (node(&server).await, node(&server).await);
    assert_eq!(passed(&one, client(1), 10).await, 10);
    assert_eq!(passed(&other, client(1), 50).await, 0);
    server.command(&["FLUSHALL"]);
    assert_eq!(passed(&other, client(1), 50).await, 10);
    // Who was let through here is still known here, whatever Redis has forgotten.
    server.command(&["FLUSHALL"]);
    assert!(redis.is_usable());
    assert_eq!(passed(&one, client(1), 50).await, 0);
}

#[tokio::test]
async fn a_place_is_given_back_on_every_node() {
    let server = hny_testkit::Redis::start();
    let ((one, _), (other, _)) = (node(&server).await, node(&server).await);
    assert_eq!(passed(&one, client(1), 9).await, 9);
    let last = one.take(client(1), NOW).await.unwrap();
    assert_eq!(passed(&other, client(1), 5).await, 0);
    one.give_back(client(1), last, NOW).await;
    assert_eq!(passed(&other, client(1), 5).await, 1);
    assert_eq!(passed(&one, client(1), 5).await, 0);
}

#[tokio::test]
async fn without_redis_each_node_keeps_the_limit_for_itself() {
    let mut server = hny_testkit::Redis::start();
    let ((one, _), (other, _)) = (node(&server).await, node(&server).await);
    assert_eq!((passed(&one, client(1), 4).await, passed(&other, client(1), 4).await), (4, 4));
    server.kill();
    assert_eq!(passed(&one, client(1), 20).await, 6, "with the four that it has let through before");
    assert_eq!(passed(&other, client(1), 20).await, 6);
}

#[tokio::test]
async fn redis_learns_no_address() {
    let server = hny_testkit::Redis::start();
    let (one, _) = node(&server).await;
    let client = Client::of(Ipv4Addr::new(203, 0, 113, 5).into());
    assert_eq!(passed(&one, client, 1).await, 1);
    let keys = server.command(&["KEYS", "*"]);
    assert!(keys.contains("test:limit:creates:") && !keys.contains("203"), "{keys}");
    // 203.0.113.5 in hexadecimal.
    assert!(!keys.contains("cb007105"), "{keys}");
}
