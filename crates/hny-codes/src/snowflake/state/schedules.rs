//! Every interleaving of a few threads, tried one after another by a model checker.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;

use super::{EPOCH_MS, Refusal, Shared, State};
use crate::snowflake::Clock;

impl Shared for AtomicU64 {
    fn new(value: u64) -> Self {
        Self::new(value)
    }

    fn load(&self) -> u64 {
        self.load(Ordering::Acquire)
    }

    fn replace(&self, expected: u64, new: u64) -> bool {
        self.compare_exchange(expected, new, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    fn raise(&self, value: u64) {
        self.fetch_max(value, Ordering::AcqRel);
    }
}

/// A wall clock that says the listed times, one for each reading by whichever thread comes first, then stays.
struct Script {
    times: &'static [u64],
    reading: AtomicU64,
}

impl Script {
    fn new(times: &'static [u64]) -> Self {
        Self { times, reading: AtomicU64::new(0) }
    }

    fn at(&self, reading: u64) -> u64 {
        let last = self.times.len() - 1;
        self.times[last.min(usize::try_from(reading).unwrap())]
    }
}

impl Clock for Script {
    fn unix_ms(&self) -> u64 {
        EPOCH_MS + self.at(self.reading.fetch_add(1, Ordering::AcqRel))
    }

    fn monotonic_ms(&self) -> u64 {
        self.reading.load(Ordering::Acquire)
    }
}

/// What two threads take, `each` times, from a state of which `used` instants are taken already.
fn taken_by_two(times: &'static [u64], used: usize, each: usize) -> [Vec<Result<u64, Refusal>>; 2] {
    let clock = Script::new(times);
    let state = State::<AtomicU64>::new(100, u64::MAX, &clock);
    for _ in 0..used {
        state.take(&clock).unwrap();
    }
    let shared = Arc::new((state, clock));
    let work = move |shared: &(State<AtomicU64>, Script)| (0..each).map(|_| shared.0.take(&shared.1)).collect();
    let other = thread::spawn({
        let shared = Arc::clone(&shared);
        move || work(&shared)
    });
    [work(&shared), other.join().unwrap()]
}

fn instants(taken: &[Result<u64, Refusal>]) -> Vec<u64> {
    taken.iter().copied().filter_map(Result::ok).collect()
}

fn assert_unique_and_ascending(taken: &[Vec<Result<u64, Refusal>>; 2]) {
    let [left, right] = [instants(&taken[0]), instants(&taken[1])];
    let ascends = |instants: &[u64]| instants.is_sorted_by(|a, b| a < b);
    assert!(ascends(&left) && ascends(&right), "{taken:?}");
    assert!(left.iter().all(|instant| !right.contains(instant)), "{taken:?}");
}

#[test]
fn in_one_millisecond() {
    loom::model(|| {
        let taken = taken_by_two(&[101], 0, 2);
        assert_unique_and_ascending(&taken);
        let mut all = [instants(&taken[0]), instants(&taken[1])].concat();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3].map(|sequence| 101 << 12 | sequence));
    });
}

/// Of three that want one of the last two instants of a millisecond, one is told to wait.
#[test]
fn at_the_end_of_a_millisecond() {
    // Taking 4,094 instants in every one of the schedules would be slow: begin there instead.
    loom::model(|| {
        let clock = Script::new(&[101]);
        let state = State::<AtomicU64>::new(100, u64::MAX, &clock);
        assert!(state.last.replace((100 << 12) + 4095, (101 << 12) + 4093));
        let shared = Arc::new((state, clock));
        let other = thread::spawn({
            let shared = Arc::clone(&shared);
            move || vec![shared.0.take(&shared.1)]
        });
        let taken = [vec![shared.0.take(&shared.1), shared.0.take(&shared.1)], other.join().unwrap()];
        assert_unique_and_ascending(&taken);
        let refused = taken.concat().into_iter().filter(|taken| *taken == Err(Refusal::Early(1)));
        assert_eq!(refused.count(), 1);
    });
}

#[test]
fn while_the_clock_ticks_on() {
    loom::model(|| {
        let taken = taken_by_two(&[100, 101, 101, 102, 102, 103, 104], 0, 2);
        assert_unique_and_ascending(&taken);
        assert!(taken.concat().iter().all(Result::is_ok), "a steady clock never makes anyone wait: {taken:?}");
    });
}

/// Back by hours between the readings of two threads, so that both may anchor the monotonic clock anew. There are too many
/// schedules to try them all: those in which threads are interrupted up to three times.
#[test]
fn while_the_clock_steps_back() {
    const HOUR: u64 = 3_600_000;
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let taken = taken_by_two(&[HOUR, 3 * HOUR, 3 * HOUR, HOUR, HOUR, 3 * HOUR, HOUR], 1, 2);
        assert_unique_and_ascending(&taken);
        let short = |taken: &Result<u64, Refusal>| matches!(taken, Ok(_) | Err(Refusal::Early(1..=5)));
        assert!(taken.concat().iter().all(short), "nobody waits for an hour: {taken:?}");
    });
}
