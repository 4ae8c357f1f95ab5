//! The sink with a real Kafka, which is read by another client than ours.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hny_domain::{ClickId, LinkId, Timestamp, Traits, VisitKind, VisitorId};
use hny_testkit::Kafka as Server;

use super::*;
use crate::sink::SinkError;

mod faults;

/// How often something is tried that is expected to succeed.
const TRIES: u32 = 10;

/// More than what the library needs beyond the deadline to end.
const SLACK: Duration = Duration::from_secs(4);

fn wait_for<T>(answer: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(answer)
}

/// The sink of a new process.
fn sink(server: &Server, topic: &str) -> Kafka {
    Kafka::new(KafkaAddress::parse(&server.url(topic)).unwrap(), Clock::system())
}

fn deadline() -> Deadline {
    Deadline::after(&Clock::system(), LONGEST_CALL)
}

/// The clicks of a spool from one position to another, where each click takes one.
fn clicks(spool: SpoolId, from: u64, to: u64) -> Vec<Click> {
    let click = |number| Click {
        id: ClickId(spool.0 * 1_000_000 + number),
        link: LinkId(i64::try_from(number % 7).unwrap()),
        at: Timestamp::from_millis(1_700_000_000_000),
        kind: VisitKind::Person,
        visitor: Some(VisitorId(number)),
        traits: Traits { country: Some(Arc::from("KR")), ..Traits::default() },
    };
    (from..to).map(click).collect()
}

fn try_open(sink: &Kafka, spool: SpoolId) -> Result<u64, SinkError> {
    wait_for(sink.open(spool))
}

fn try_take(sink: &Kafka, spool: SpoolId, from: u64, to: u64) -> Result<bool, SinkError> {
    wait_for(sink.take(clicks(spool, from, to), SpoolStep { spool, from, to }))
}

/// Opens a spool, as often as it takes: a busy machine may need more time than a call has.
fn open(sink: &Kafka, spool: SpoolId) -> u64 {
    let opened = (0..TRIES).map(|_| try_open(sink, spool)).find(Result::is_ok);
    opened.unwrap_or_else(|| try_open(sink, spool)).unwrap()
}

/// Hands over a step, as often as it takes; whether it was.
fn take(sink: &Kafka, spool: SpoolId, from: u64, to: u64) -> bool {
    let mut is_in_doubt = false;
    for _ in 0..TRIES {
        match try_take(sink, spool, from, to) {
            Ok(false) if is_in_doubt => return open(sink, spool) == to,
            Ok(taken) => return taken,
            Err(_) => is_in_doubt = true,
        }
    }
    try_take(sink, spool, from, to).unwrap()
}

/// How often each click is in a topic.
fn found(server: &Server, topic: &str) -> BTreeMap<u64, u32> {
    let mut found = BTreeMap::new();
    for record in server.read(topic) {
        let message: serde_json::Value = serde_json::from_str(&record.value).unwrap();
        let id = message["id"].as_str().unwrap().parse().unwrap();
        *found.entry(id).or_default() += 1;
    }
    found
}

/// Whether these are there, each once, and nothing else.
fn assert_exact(server: &Server, topic: &str, spools: &[(SpoolId, u64)]) {
    let all = spools.iter().flat_map(|&(spool, to)| clicks(spool, 0, to));
    let expected: BTreeMap<u64, u32> = all.map(|click| (click.id.0, 1)).collect();
    let found = found(server, topic);
    let wrong: Vec<_> = found.iter().filter(|(id, count)| expected.get(id) != Some(count)).collect();
    assert!(wrong.is_empty(), "more than once, or never taken: {wrong:?}");
    assert_eq!(found.len(), expected.len(), "some are missing");
}

/// A producer of a process that was killed when all of its batch was sent, and nothing committed.
fn killed_before_commit(server: &Server, topic: &str, spool: SpoolId, to: u64) -> SpoolProducer {
    let sink = sink(server, topic);
    open(&sink, spool);
    let producer = sink.0.producers.lock().unwrap().remove(&spool).unwrap();
    producer.fill(&clicks(spool, producer.position(), to), to, &deadline()).unwrap();
    producer.wait_until_sent(&deadline()).unwrap();
    producer
}

#[test]
fn what_is_taken_is_there_once_and_in_order() {
    let (server, topic, spool) = (Server::shared(), "taken", SpoolId(1));
    let sink = sink(server, topic);
    assert_eq!(open(&sink, spool), 0);
    assert!(take(&sink, spool, 0, 3));
    assert!(take(&sink, spool, 3, 2_000));
    assert!(!take(&sink, spool, 3, 2_000), "they are there already");
    assert_exact(server, topic, &[(spool, 2_000)]);
    let records = server.read(topic);
    let mut last = BTreeMap::new();
    for record in &records {
        let message: serde_json::Value = serde_json::from_str(&record.value).unwrap();
        assert_eq!((&message["link"], &message["schema"]), (&record.key.as_str().into(), &1.into()));
        let id: u64 = message["id"].as_str().unwrap().parse().unwrap();
        let before = last.insert(&record.key, (record.partition, id));
        assert!(before.is_none_or(|(partition, before)| partition == record.partition && before < id), "{record:?}");
    }
    assert_eq!(last.len(), 7, "a key for each link");
}

#[test]
fn whoever_comes_later_goes_on_where_the_last_one_was() {
    let (server, topic, spool) = (Server::shared(), "later", SpoolId(2));
    let first = sink(server, topic);
    assert_eq!(open(&first, spool), 0);
    assert!(take(&first, spool, 0, 10));
    let second = sink(server, topic);
    assert!(!take(&second, spool, 0, 10), "it asks how far they are before it hands over any");
    assert_eq!(open(&second, spool), 10);
    assert!(take(&second, spool, 10, 20));
    assert!(try_take(&first, spool, 10, 20).is_err(), "it was shut out");
    assert!(!take(&first, spool, 10, 20), "and hears that the spool is further");
    assert_exact(server, topic, &[(spool, 20)]);
}

#[test]
fn what_was_not_committed_never_was() {
    let (server, topic, spool) = (Server::shared(), "uncommitted", SpoolId(3));
    let killed = killed_before_commit(server, topic, spool, 10);
    let next = sink(server, topic);
    assert_eq!(open(&next, spool), 0);
    assert!(killed.commit(&deadline()).is_err(), "a zombie");
    assert!(take(&next, spool, 0, 5));
    drop(killed);
    assert_exact(server, topic, &[(spool, 5)]);
}

#[test]
fn an_open_transaction_of_another_spool_does_not_hide_a_position() {
    let (server, topic, [one, other]) = (Server::shared(), "hidden", [SpoolId(4), SpoolId(5)]);
    let first = sink(server, topic);
    assert_eq!(open(&first, other), 0);
    let unfinished = killed_before_commit(server, topic, one, 10);
    assert!(take(&first, other, 0, 7));
    let second = sink(server, topic);
    let opened = thread::spawn(move || open(&second, other));
    unfinished.commit(&deadline()).unwrap();
    assert_eq!(opened.join().unwrap(), 7);
    assert_exact(server, topic, &[(one, 10), (other, 7)]);
}

#[test]
fn spools_do_not_get_in_each_others_way() {
    let (server, topic) = (Server::shared(), "several");
    let spools = [6, 7, 8, 9].map(SpoolId);
    thread::scope(|scope| {
        for pair in spools.chunks(2) {
            scope.spawn(move || {
                let sink = sink(server, topic);
                for spool in pair {
                    assert_eq!(open(&sink, *spool), 0);
                }
                for (from, spool) in (0..10).flat_map(|from| pair.iter().map(move |spool| (from * 100, *spool))) {
                    assert!(take(&sink, spool, from, from + 100));
                }
            });
        }
    });
    assert_exact(server, topic, &spools.map(|spool| (spool, 1_000)));
}

#[test]
fn a_spool_that_is_gone_is_forgotten() {
    let (server, topic, spool) = (Server::shared(), "forgotten", SpoolId(10));
    let sink = sink(server, topic);
    assert!(take(&sink, spool, 0, 10));
    wait_for(sink.forget(spool)).unwrap();
    assert_eq!(open(&sink, spool), 0);
}

#[test]
fn positions_are_not_kept_where_they_would_be_forgotten() {
    let (server, topic, spool) = (Server::shared(), "careless", SpoolId(11));
    server.create_topic("careless-spools", 1);
    let error = try_open(&sink(server, topic), spool).unwrap_err().to_string();
    assert!(error.contains("careless-spools") && error.contains("compact"), "{error}");
}

#[test]
fn where_no_kafka_is_that_is_said_in_time() {
    let began = Instant::now();
    let address = KafkaAddress::parse("kafka://hny:secret@127.0.0.1:1/clicks").unwrap();
    let error = try_open(&Kafka::new(address, Clock::system()), SpoolId(12)).unwrap_err().to_string();
    assert!(error.contains("127.0.0.1:1") && !error.contains("secret"), "{error}");
    assert!(began.elapsed() < LONGEST_CALL + SLACK);
}
