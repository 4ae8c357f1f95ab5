//! The click road from end to end, with a sink that does as it is told. `ledger.rs` has the sink, `faults.rs` what may go wrong with
//! spools, `clock.rs` a clock that is put.

mod clock;
mod faults;
mod ledger;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hny_domain::Timestamp;
use tempfile::TempDir;

use super::*;
use crate::recorder::rings::CAPACITY;
use ledger::{Fault, Ledger};

/// So long nothing takes that does not hang.
const DEADLINE: Duration = Duration::from_mins(1);

/// What a spool may take here.
const LIMIT: u64 = 64 << 20;

/// A process with a spool of its own in this folder.
fn start(folder: &Path, ledger: &Ledger) -> Recorder {
    start_with(folder, ledger, Clock::system(), LIMIT)
}

fn start_with(folder: &Path, ledger: &Ledger, clock: Clock, limit: u64) -> Recorder {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let spool = SpoolId(LAST.fetch_add(1, Ordering::Relaxed));
    let spooling = Spooling { folder: folder.to_owned(), limit, database: DatabaseId(1), spool };
    let visitors = Visitors { kept: Kept::ALL, keys: VisitorKeys::new([7; 32]), countries: Countries::compiled_in() };
    Recorder::start(Box::new(ledger.clone()), spooling, visitors, clock, 2).unwrap()
}

/// A process in a folder that nobody else has.
fn alone() -> (TempDir, Ledger, Recorder) {
    let (folder, ledger) = (TempDir::new().unwrap(), Ledger::default());
    let recorder = start(folder.path(), &ledger);
    (folder, ledger, recorder)
}

/// Looks again and again until it is so.
fn until(recorder: &Recorder, mut is_so: impl FnMut() -> bool) -> Duration {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < DEADLINE, "{:?}", recorder.counts());
        thread::yield_now();
    }
    start.elapsed()
}

/// Waits until so many clicks were recorded and are on disk.
fn until_written(recorder: &Recorder, clicks: u64) -> Duration {
    let waiting = &recorder.0.as_ref().unwrap().waiting;
    until(recorder, || recorder.counts().recorded >= clicks && waiting.pending().0 == 0)
}

/// How many files and folders there are in the folder of the spools.
fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[tokio::test]
async fn what_is_discarded_is_not_counted() {
    let recorder = Recorder::discarding();
    recorder.record(Visited::of(1));
    recorder.close().await;
    assert_eq!(recorder.counts(), Counts::default());
}

#[tokio::test]
async fn closing_hands_over_what_was_recorded_and_leaves_nothing_behind() {
    let (folder, ledger, recorder) = alone();
    for link in [3, 1, 3, 2, 3] {
        recorder.clone().record(Visited::of(link));
    }
    assert_eq!(entries(folder.path()), 1);
    recorder.close().await;
    assert_eq!(ledger.counts(), BTreeMap::from([(1, 1), (2, 1), (3, 3)]));
    assert_eq!(recorder.counts(), Counts { recorded: 5, ..Counts::default() });
    assert_eq!((entries(folder.path()), ledger.spools()), (0, 0));
    recorder.close().await;
}

#[tokio::test]
async fn who_records_nothing_leaves_nothing_behind() {
    let (folder, ledger, recorder) = alone();
    recorder.close().await;
    assert_eq!((entries(folder.path()), ledger.spools(), ledger.asked()), (0, 0, vec![]));
}

#[test]
fn the_last_handle_that_is_dropped_hands_over_too() {
    let (folder, ledger, recorder) = alone();
    let other = recorder.clone();
    recorder.record(Visited::of(1));
    drop(recorder);
    other.record(Visited::of(1));
    drop(other);
    let start = Instant::now();
    while ledger.sum() < 2 || entries(folder.path()) > 0 {
        assert!(start.elapsed() < DEADLINE, "{ledger:?}");
        thread::yield_now();
    }
    assert_eq!(ledger.sum(), 2, "and then the threads end");
}

#[test]
fn one_click_is_handed_over_by_itself() {
    let (_folder, ledger, recorder) = alone();
    recorder.record(Visited::of(7));
    until(&recorder, || ledger.counts() == BTreeMap::from([(7, 1)]));
}

/// Each is recorded when the gatherer has just fallen asleep, which is when it takes longest.
#[test]
fn a_click_is_in_the_spool_within_100_ms() {
    let (_folder, _ledger, recorder) = alone();
    let mut took = [Duration::ZERO; 11];
    for (number, took) in (1..).zip(&mut took) {
        recorder.record(Visited::of(1));
        *took = until_written(&recorder, number);
    }
    took.sort_unstable();
    // Not the slowest: whatever else the machine does may keep the threads from their processors.
    assert!(took[5] < Duration::from_millis(100), "{took:?}");
}

#[test]
fn a_store_that_never_answers_holds_nobody_up() {
    let (_folder, ledger, recorder) = alone();
    ledger.plan(&[], Fault::Hangs);
    let mut all = 0;
    while all < 4 * CAPACITY as u64 {
        (0..1000).for_each(|_| recorder.record(Visited::of(1)));
        all += 1000;
        until_written(&recorder, all);
    }
    let counts = recorder.counts();
    assert_eq!((counts.recorded, counts.lost.all(), counts.pending), (all, 0, all), "it is in the spool");
}

#[tokio::test]
async fn of_many_threads_every_click_is_stored_or_lost() {
    const THREADS: i64 = 8;
    const EACH: u64 = 50_000;
    let (_folder, ledger, recorder) = alone();
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let recorder = &recorder;
            scope.spawn(move || (0..EACH).for_each(|_| recorder.record(Visited::of(thread))));
        }
    });
    recorder.close().await;
    let counts = recorder.counts();
    assert_eq!((counts.recorded, counts.pending), (THREADS.unsigned_abs() * EACH, 0));
    assert_eq!(counts.recorded, ledger.sum() + counts.lost.all());
    assert!(ledger.counts().values().all(|&clicks| clicks <= EACH), "none is counted twice: {ledger:?}");
}

#[tokio::test]
async fn what_is_pending_grows_old() {
    let (folder, ledger) = (TempDir::new().unwrap(), Ledger::default());
    ledger.plan(&[], Fault::Refused);
    let clock = Clock::standing(Timestamp::from_millis(1_900_000_000_000));
    let recorder = start_with(folder.path(), &ledger, clock.clone(), LIMIT);
    assert_eq!(recorder.counts().oldest, Duration::ZERO);
    recorder.record(Visited::of(1));
    until_written(&recorder, 1);
    clock.advance(Duration::from_secs(70));
    recorder.record(Visited::of(1));
    until_written(&recorder, 2);
    assert_eq!(recorder.counts().oldest, Duration::from_secs(70));
    ledger.plan(&[], Fault::None);
    recorder.close().await;
    assert_eq!((recorder.counts().oldest, ledger.sum()), (Duration::ZERO, 2));
}

#[tokio::test]
async fn a_store_that_fails_for_a_while_loses_nothing() {
    const FAULTS: &[Fault] = &[Fault::Refused, Fault::Unheard, Fault::Refused, Fault::Unheard];
    let (folder, ledger) = (TempDir::new().unwrap(), Ledger::default());
    ledger.plan(FAULTS, Fault::None);
    let clock = Clock::standing(Timestamp::from_millis(0));
    let recorder = start_with(folder.path(), &ledger, clock.clone(), LIMIT);
    let mut all = 0;
    // Two faults are not heard of: then the same is asked once more, and turns out to be done.
    while ledger.asked().len() < FAULTS.len() + 2 {
        // The rest after a failure is over by the clock, and the click wakes the shipper, which looks at it.
        clock.advance(Duration::from_secs(20));
        recorder.record(Visited::of(5));
        all += 1;
        until_written(&recorder, all);
    }
    recorder.close().await;
    assert_eq!((ledger.sum(), recorder.counts()), (all, Counts { recorded: all, ..Counts::default() }));
}
