use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use hny_domain::{LinkId, Timestamp};
use hny_store::StoreError;

use super::*;
use crate::rings::CAPACITY;
use crate::sink::{Answer, Rows};

/// So long nothing takes that does not hang.
const DEADLINE: Duration = Duration::from_mins(1);

fn click(link: i64) -> Click {
    Click { link: LinkId(link) }
}

fn start(clock: Clock, sink: impl Fn(Rows) -> Answer + Send + 'static) -> Recorder {
    Recorder::start(Box::new(sink), clock, 2).unwrap()
}

fn answer(answer: Result<(), StoreError>) -> Answer {
    Box::pin(std::future::ready(answer))
}

fn refusal() -> Answer {
    answer(Err(StoreError::Unavailable(Arc::new(io::Error::other("refused by this test")))))
}

/// A recorder whose sink takes everything, and what it took.
fn taking() -> (Recorder, Receiver<Rows>) {
    let (report, reports) = channel();
    let recorder = start(Clock::system(), move |rows| {
        report.send(rows).unwrap();
        answer(Ok(()))
    });
    (recorder, reports)
}

/// How many clicks of each link were taken.
fn sums(reports: &Receiver<Rows>) -> BTreeMap<i64, u64> {
    let mut sums = BTreeMap::new();
    for (LinkId(link), clicks) in reports.try_iter().flatten() {
        *sums.entry(link).or_default() += clicks;
    }
    sums
}

/// Waits until so many clicks have left their rings.
fn until_gathered(recorder: &Recorder, clicks: u64) -> Duration {
    let start = Instant::now();
    while recorder.counts().recorded < clicks {
        assert!(start.elapsed() < DEADLINE, "{:?}", recorder.counts());
        thread::yield_now();
    }
    start.elapsed()
}

#[tokio::test]
async fn what_is_discarded_is_not_counted() {
    let recorder = Recorder::discarding();
    recorder.record(click(1));
    recorder.close().await;
    assert_eq!(recorder.counts(), Counts::default());
}

#[tokio::test]
async fn closing_hands_over_what_was_recorded() {
    let (recorder, reports) = taking();
    for link in [3, 1, 3, 2, 3] {
        recorder.clone().record(click(link));
    }
    recorder.close().await;
    assert_eq!(sums(&reports), BTreeMap::from([(1, 1), (2, 1), (3, 3)]));
    assert_eq!(recorder.counts(), Counts { recorded: 5, ..Counts::default() });
    recorder.close().await;
}

#[test]
fn the_last_handle_that_is_dropped_hands_over_too() {
    let (recorder, reports) = taking();
    let other = recorder.clone();
    recorder.record(click(1));
    drop(recorder);
    other.record(click(1));
    drop(other);
    let taken: u64 = reports.iter().flatten().map(|(_, clicks)| clicks).sum();
    assert_eq!(taken, 2, "and then the thread ends");
}

#[test]
fn one_click_is_handed_over_by_itself() {
    let (recorder, reports) = taking();
    recorder.record(click(7));
    assert_eq!(reports.recv_timeout(DEADLINE), Ok(vec![(LinkId(7), 1)]));
}

/// Each is recorded when the writer has just fallen asleep, which is when it takes longest.
#[test]
fn a_click_is_out_of_its_ring_within_100_ms() {
    let (recorder, _reports) = taking();
    let mut took = [Duration::ZERO; 11];
    for (number, took) in (1..).zip(&mut took) {
        recorder.record(click(1));
        *took = until_gathered(&recorder, number);
    }
    took.sort_unstable();
    // Not the slowest: whatever else the machine does may keep the writer from its processor.
    assert!(took[5] < Duration::from_millis(100), "{took:?}");
}

#[test]
fn a_store_that_never_answers_holds_nobody_up() {
    let recorder = start(Clock::system(), |_| Box::pin(std::future::pending()));
    let mut all = 0;
    while all < 4 * CAPACITY as u64 {
        (0..1000).for_each(|_| recorder.record(click(1)));
        all += 1000;
        until_gathered(&recorder, all);
    }
    let counts = recorder.counts();
    assert_eq!((counts.recorded, counts.lost()), (all, 0), "the rings are emptied all the while");
    assert_eq!(counts.pending, all);
}

/// A sink that stops the writer itself, so that the rings fill up.
fn stopping(begun: Sender<()>, go_on: Receiver<()>, report: Sender<Rows>) -> Recorder {
    start(Clock::system(), move |rows| {
        // The test listens to the first only, and ends the waiting for all.
        let _ = begun.send(());
        let _ = go_on.recv();
        report.send(rows).unwrap();
        answer(Ok(()))
    })
}

#[tokio::test]
async fn what_does_not_fit_is_dropped_and_counted_exactly() {
    let (begun, has_begun) = channel();
    let (go_on, wait) = channel();
    let (report, reports) = channel();
    let recorder = stopping(begun, wait, report);
    recorder.record(click(1));
    has_begun.recv().unwrap();
    (0..CAPACITY + 100).for_each(|_| recorder.record(click(2)));
    let counts = recorder.counts();
    assert_eq!((counts.lost_buffer_full, counts.lost_store_down), (100, 0));
    drop(go_on);
    recorder.close().await;
    assert_eq!(sums(&reports), BTreeMap::from([(1, 1), (2, CAPACITY as u64)]));
    let all = 1 + CAPACITY as u64 + 100;
    assert_eq!(recorder.counts(), Counts { recorded: all, lost_buffer_full: 100, ..Counts::default() });
}

#[tokio::test]
async fn of_many_threads_every_click_is_stored_or_lost() {
    const THREADS: i64 = 8;
    const EACH: u64 = 50_000;
    let (recorder, reports) = taking();
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let recorder = &recorder;
            scope.spawn(move || (0..EACH).for_each(|_| recorder.record(click(thread))));
        }
    });
    recorder.close().await;
    let sums = sums(&reports);
    let (counts, stored) = (recorder.counts(), sums.values().sum::<u64>());
    assert_eq!((counts.recorded, counts.pending), (THREADS.unsigned_abs() * EACH, 0));
    assert_eq!(counts.recorded, stored + counts.lost());
    assert!(sums.values().all(|&clicks| clicks <= EACH), "none is counted twice: {sums:?}");
}

#[tokio::test]
async fn a_store_that_fails_for_a_while_loses_nothing() {
    const FAILURES: usize = 3;
    let clock = Clock::standing(Timestamp::from_millis(0));
    let (report, reports) = channel();
    let asked = Mutex::new(0);
    let recorder = start(clock.clone(), move |rows| {
        let mut asked = asked.lock().unwrap();
        *asked += 1;
        let is_refused = *asked <= FAILURES;
        report.send((is_refused, rows)).unwrap();
        if is_refused { refusal() } else { answer(Ok(())) }
    });
    let (mut all, mut answers) = (0, Vec::new());
    while answers.len() <= FAILURES {
        // The rest after a failure is over by the clock, and the click wakes the writer, which looks at it.
        clock.advance(Duration::from_secs(20));
        recorder.record(click(5));
        all += 1;
        answers.extend(reports.recv_timeout(Duration::from_millis(100)));
    }
    recorder.close().await;
    answers.extend(reports.try_iter());
    let (refused, taken): (Vec<_>, Vec<_>) = answers.into_iter().partition(|(is_refused, _)| *is_refused);
    assert_eq!(refused.len(), FAILURES);
    let taken: u64 = taken.iter().flat_map(|(_, rows)| rows).map(|(_, clicks)| clicks).sum();
    assert_eq!((taken, recorder.counts()), (all, Counts { recorded: all, ..Counts::default() }));
}

#[tokio::test]
async fn what_the_store_does_not_take_at_the_end_is_lost_and_counted() {
    let recorder = start(Clock::system(), |_| refusal());
    (0..10).for_each(|_| recorder.record(click(1)));
    recorder.close().await;
    assert_eq!(recorder.counts(), Counts { recorded: 10, lost_store_down: 10, ..Counts::default() });
}

#[tokio::test]
async fn what_was_refused_before_the_end_is_tried_once_more() {
    let (begun, has_begun) = channel();
    let (go_on, wait) = channel::<()>();
    let (report, reports) = channel();
    let recorder = start(Clock::system(), move |rows| {
        // The first is refused, when the end has come; then nobody waits any more.
        if begun.send(()).is_ok() && wait.recv().is_ok() {
            return refusal();
        }
        report.send(rows).unwrap();
        answer(Ok(()))
    });
    recorder.record(click(1));
    has_begun.recv().unwrap();
    recorder.record(click(2));
    let closing = tokio::spawn({
        let recorder = recorder.clone();
        async move { recorder.close().await }
    });
    while !recorder.0.as_ref().unwrap().intake.is_closing() {
        tokio::task::yield_now().await;
    }
    go_on.send(()).unwrap();
    drop(go_on);
    closing.await.unwrap();
    assert_eq!(sums(&reports), BTreeMap::from([(1, 1), (2, 1)]));
    assert_eq!(recorder.counts(), Counts { recorded: 2, ..Counts::default() });
}
