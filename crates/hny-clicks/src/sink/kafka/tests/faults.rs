//! Kafka goes away, and comes back.

use super::*;

/// How many clicks are in a batch of these tests.
const BATCH: u64 = 500;

/// Hands over a spool as the shipper does, whatever fails: the same batch again after an error, and from where it is where that is
/// not where we thought. Returns how often it failed.
fn ship(sink: &Kafka, spool: SpoolId, to: u64) -> u32 {
    let (mut failures, mut position) = (0, None);
    loop {
        let Some(from) = position else {
            match try_open(sink, spool) {
                Ok(from) => position = Some(from),
                Err(_) => failures += 1,
            }
            continue;
        };
        if from == to {
            return failures;
        }
        let next = (from + BATCH).min(to);
        match try_take(sink, spool, from, next) {
            Ok(true) => position = Some(next),
            Ok(false) => position = None,
            Err(_) => failures += 1,
        }
    }
}

#[test]
fn a_kafka_that_is_frozen_holds_nobody_up_for_long() {
    let (server, topic, spool) = (Server::start(), "frozen", SpoolId(20));
    let sink = sink(&server, topic);
    assert!(take(&sink, spool, 0, 10));
    server.pause();
    for what in ["with a connection", "without one"] {
        let began = Instant::now();
        let error = try_take(&sink, spool, 10, 20).unwrap_err().to_string();
        assert!(began.elapsed() < LONGEST_CALL + SLACK, "{what}: {:?}, {error}", began.elapsed());
    }
    server.resume();
    ship(&sink, spool, 20);
    assert_exact(&server, topic, &[(spool, 20)]);
}

#[test]
fn a_kafka_that_is_killed_and_frozen_under_load_has_everything_once() {
    let (mut server, topic) = (Server::start(), "load");
    let (spools, to) = ([21, 22].map(SpoolId), 60_000);
    let failures: u32 = thread::scope(|scope| {
        let sinks = spools.map(|_| sink(&server, topic));
        let shipping = spools.into_iter().zip(sinks).map(|(spool, sink)| scope.spawn(move || ship(&sink, spool, to)));
        let shipping: Vec<_> = shipping.collect();
        for _ in 0..3 {
            server.kill();
            server.start_again();
            server.pause();
            server.resume();
        }
        shipping.into_iter().map(|shipping| shipping.join().unwrap()).sum()
    });
    assert!(failures > 0, "it was never in the middle of it");
    assert_exact(&server, topic, &spools.map(|spool| (spool, to)));
    let next = sink(&server, topic);
    assert_eq!(spools.map(|spool| open(&next, spool)), [to; 2]);
}
