//! One limit for all nodes, by way of Redis, and what is left of it without.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use hny_testkit::{Client, Program, Redis, Running};

use super::shorten_for;
use crate::instant::until_some;
use crate::postgres;
use crate::redis::while_in_use;
use crate::site::program;

/// Two nodes on one database and one Redis, both connected.
struct Nodes {
    redis: Redis,
    nodes: [Running; 2],
}

impl Nodes {
    fn start(limit: &str) -> Self {
        Self::over(program(), limit)
    }

    /// On the database of `program`.
    fn over(program: Program, limit: &str) -> Self {
        let redis = Redis::start();
        let program = program.env("HNY_CREATE_LIMIT", limit).env("HNY_TRUSTED_PROXIES", "127.0.0.1");
        let program = program.env("HNY_REDIS_URL", redis.url());
        let nodes = Self { redis, nodes: [program.start(), program.start()] };
        nodes.wait_for_redis();
        nodes
    }

    fn client(&self, node: usize) -> Client {
        Client::connect(self.nodes[node].address())
    }

    /// Returns when each node counts in Redis: what it counts for a client of its own shows up there.
    fn wait_for_redis(&self) {
        for node in 0..2 {
            let mut client = self.client(node);
            let mut address = 0_u16;
            until_some(|| {
                self.redis.command(&["FLUSHALL"]);
                address += 1;
                let made = shorten_for(&mut client, &format!("2001:db8:{node}:{address:x}::1"));
                assert_eq!(made, 201);
                let keys = self.redis.command(&["KEYS", "*"]);
                (keys.lines().filter(|key| key.contains(":limit:")).count() == 1).then_some(())
            });
        }
    }

    fn running(&self) -> [&Running; 2] {
        self.nodes.each_ref()
    }

    /// The answers to forty creates at once of one client, by both nodes.
    fn answers_at_once(&self, client: &str) -> Vec<u16> {
        let barrier = Barrier::new(40);
        let ask = |number: usize| {
            let mut connection = self.client(number % 2);
            barrier.wait();
            // What the client itself claims changes nothing.
            shorten_for(&mut connection, &format!("198.51.100.{number}, {client}"))
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..40).map(|number| scope.spawn(move || ask(number))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    /// The answers to so many creates of one client after the other, by one node.
    fn answers(&self, node: usize, forwarded_for: &str, count: usize) -> Vec<u16> {
        let mut client = self.client(node);
        (0..count).map(|_| shorten_for(&mut client, forwarded_for)).collect()
    }
}

fn passed(answers: &[u16]) -> usize {
    assert!(answers.iter().all(|status| [201, 429].contains(status)), "{answers:?}");
    answers.iter().filter(|status| **status == 201).count()
}

#[test]
fn of_forty_at_once_on_two_nodes_ten_pass() {
    assert_ten_of_forty_pass(program());
}

#[test]
fn of_forty_at_once_on_two_nodes_over_postgresql_ten_pass() {
    assert_ten_of_forty_pass(postgres::program());
}

fn assert_ten_of_forty_pass(program: Program) {
    let nodes = Nodes::over(program, "10/60s");
    let mut client = 100..;
    let answers = while_in_use(&nodes.running(), || {
        nodes.wait_for_redis();
        nodes.answers_at_once(&format!("203.0.113.{}", client.next().unwrap()))
    });
    assert_eq!(passed(&answers), 10);
    assert_eq!(passed(&nodes.answers(1, "203.0.113.6", 12)), 10, "another client");
    let keys = nodes.redis.command(&["KEYS", "*"]);
    assert!(!keys.contains("203.0") && !keys.contains("cb0071"), "{keys}");
}

#[test]
fn without_redis_each_node_keeps_the_limit_and_nothing_fails() {
    let mut nodes = Nodes::start("4/60s");
    assert_eq!(passed(&nodes.answers(0, "203.0.113.5", 3)), 3);
    nodes.redis.kill();
    assert_eq!(passed(&nodes.answers(0, "203.0.113.5", 5)), 1, "what it let through before counts");
    assert_eq!(passed(&nodes.answers(1, "203.0.113.5", 8)), 4);
    nodes.redis.start_again_empty();
    nodes.wait_for_redis();
    assert_eq!(passed(&nodes.answers(0, "203.0.113.5", 5)), 0);
    let mut client = 100..;
    let answers = while_in_use(&nodes.running(), || {
        nodes.wait_for_redis();
        let client = format!("203.0.113.{}", client.next().unwrap());
        [0, 1].map(|node| nodes.answers(node, &client, 3)).concat()
    });
    assert_eq!(passed(&answers), 4);
}

#[test]
fn a_redis_that_hangs_holds_nobody_up_for_long() {
    let nodes = Nodes::start("4/60s");
    nodes.redis.pause();
    let start = Instant::now();
    assert_eq!(passed(&nodes.answers(0, "203.0.113.5", 10)), 4);
    // It is given 100 ms once or a few times, until it is given up; the rest is for a busy machine.
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    nodes.redis.resume();
    nodes.wait_for_redis();
    assert_eq!(passed(&nodes.answers(1, "203.0.113.6", 10)), 4);
}
