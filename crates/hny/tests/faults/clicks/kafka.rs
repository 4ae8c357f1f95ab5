//! Clicks that go to Kafka, when it or the node goes away: what a reader of what is committed gets, by Kafka's own client.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use hny_testkit::{Kafka, Program};

use super::kills::{assert_counted, kill_at_every_step, kill_at_random, pass};
use super::{follow, node, stop, until};
use crate::program;

/// How long Kafka is away.
const AWAY: Duration = Duration::from_mins(1);

/// How long a link is followed when it is back.
const AFTERWARDS: Duration = Duration::from_secs(3);

/// How often a link is followed between two looks at whether that is enough, and how long there is rest then.
const AT_ONCE: u64 = 20;
const REST: Duration = Duration::from_millis(40);

/// The calls by which a node speaks to Kafka, each with the times at which it is killed as it enters it: before it is asked to begin,
/// to take, to commit, and before its answer is heard. Each thread is counted by itself.
const POINTS: &[(&str, &[usize])] =
    &[("sendmsg", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14, 18, 23]), ("recvmsg", &[5, 6, 7, 8, 9, 11, 14, 18, 23, 30])];

/// What is said when there is trouble, and when it is over.
const TROUBLE: &str = "clicks cannot be counted now";
const AGAIN: &str = "clicks are counted again";

/// A program whose clicks go to a topic.
fn sending(kafka: &Kafka, topic: &str) -> Program {
    program().env("HNY_CLICKS_URL", kafka.url(topic))
}

/// How many clicks of a link are committed, of which none may be there twice.
fn committed(kafka: &Kafka, topic: &str) -> u64 {
    let mut ids = BTreeSet::new();
    for record in kafka.read(topic) {
        let click: serde_json::Value = serde_json::from_str(&record.value).expect("it is JSON");
        assert_eq!((&click["schema"], &click["link"]), (&1.into(), &record.key.as_str().into()));
        assert!(ids.insert(click["id"].as_str().map(str::to_owned)), "twice: {click}");
    }
    ids.len() as u64
}

#[test]
fn clicks_arrive_while_the_service_runs() {
    let (kafka, topic) = (Kafka::shared(), "arrive");
    let program = sending(kafka, topic);
    let (hny, code) = node(&program);
    follow(&hny, &code, 300);
    until(|| committed(kafka, topic) == 300);
    follow(&hny, &code, 7);
    stop(hny);
    assert_eq!(committed(kafka, topic), 307);
}

#[test]
fn a_kafka_that_was_killed_for_a_minute_has_every_click_once() {
    let kafka = Kafka::start();
    away(kafka, |mut kafka| {
        kafka.kill();
        pass(AWAY);
        kafka.start_again();
        kafka
    });
}

#[test]
fn a_kafka_that_was_frozen_for_a_minute_has_every_click_once() {
    let kafka = Kafka::start();
    away(kafka, |kafka| {
        kafka.pause();
        pass(AWAY);
        kafka.resume();
        kafka
    });
}

/// Says that it is over when it is dropped, also by a test that fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Follows a link before, while and after Kafka is away.
fn away(kafka: Kafka, go_and_come_back: impl FnOnce(Kafka) -> Kafka) {
    let (topic, is_over) = ("away", AtomicBool::new(false));
    let program = sending(&kafka, topic);
    let (hny, code) = node(&program);
    follow(&hny, &code, 1);
    until(|| committed(&kafka, topic) == 1);
    let times = |said: &str, words: &str| said.matches(words).count();
    let [before, again_before] = [TROUBLE, AGAIN].map(|words| times(&hny.stderr(), words));
    let (kafka, followed) = thread::scope(|scope| {
        let following = scope.spawn(|| {
            let mut followed = 1;
            while !is_over.load(Ordering::Relaxed) {
                follow(&hny, &code, AT_ONCE);
                followed += AT_ONCE;
                pass(REST);
            }
            followed
        });
        let over = Over(&is_over);
        let kafka = go_and_come_back(kafka);
        pass(AFTERWARDS);
        drop(over);
        (kafka, following.join().expect("every visitor was sent on"))
    });
    until(|| times(&hny.stderr(), AGAIN) > again_before);
    let said = stop(hny);
    // It may stumble once more on its way back. Whatever it tried meanwhile, each trouble is told once, and that it is over.
    let (troubles, ends) = (times(&said, TROUBLE) - before, times(&said, AGAIN) - again_before);
    assert!(troubles == ends && (1..=2).contains(&troubles), "{said}");
    assert_eq!(committed(&kafka, topic), followed);
}

#[test]
fn a_node_that_is_killed_at_random_times_hands_over_every_click_once() {
    let (kafka, topic) = (Kafka::shared(), "random");
    let program = sending(kafka, topic);
    let (hny, code) = node(&program);
    stop(hny);
    let seen = kill_at_random(&program, &code);
    assert_counted(&program, || committed(kafka, topic), seen);
}

#[test]
fn a_node_that_is_killed_at_every_step_to_kafka_hands_over_every_click_once() {
    let (kafka, topic) = (Kafka::shared(), "steps");
    let program = sending(kafka, topic);
    let (hny, code) = node(&program);
    stop(hny);
    let seen = kill_at_every_step(&program, &code, POINTS);
    assert_counted(&program, || committed(kafka, topic), seen);
}
