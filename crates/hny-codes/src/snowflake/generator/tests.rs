use std::cell::Cell;
use std::collections::HashSet;
use std::sync::atomic::Ordering::Relaxed;

use super::*;

mod any_clock;

/// Some day in 2026.
const DAY: u64 = 1_780_000_000_000;

/// Clocks that a test sets by hand.
struct Hands {
    unix_ms: Cell<u64>,
    monotonic_ms: Cell<u64>,
}

impl Hands {
    fn at(unix_ms: u64) -> Self {
        Self { unix_ms: Cell::new(unix_ms), monotonic_ms: Cell::new(77) }
    }

    /// Time passes, for both clocks.
    fn pass(&self, ms: u64) {
        self.unix_ms.set(self.unix_ms.get() + ms);
        self.monotonic_ms.set(self.monotonic_ms.get() + ms);
    }

    /// The wall clock is set; no time passes.
    fn step(&self, unix_ms: u64) {
        self.unix_ms.set(unix_ms);
    }
}

impl Clock for Hands {
    fn unix_ms(&self) -> u64 {
        self.unix_ms.get()
    }

    fn monotonic_ms(&self) -> u64 {
        self.monotonic_ms.get()
    }
}

fn node() -> Node {
    Node::new(3, 17).unwrap()
}

fn generator(clock: &Hands) -> Generator {
    Generator::new(node(), Lease::UNLIMITED, clock).unwrap()
}

fn id(generator: &Generator, clock: &Hands) -> Id {
    match generator.next(clock).unwrap() {
        Next::Id(id) => id,
        Next::Wait(time) => panic!("asked to wait {time:?}"),
    }
}

#[test]
fn gives_4096_ids_a_millisecond_and_then_asks_to_wait() {
    let clock = Hands::at(DAY);
    let generator = generator(&clock);
    for sequence in 0..4096 {
        let id = id(&generator, &clock);
        assert_eq!((id.unix_ms(), id.node(), id.sequence()), (DAY, node(), sequence));
    }
    for _ in 0..3 {
        assert_eq!(generator.next(&clock), Ok(Next::Wait(Duration::from_millis(1))));
    }
    clock.pass(1);
    let next = id(&generator, &clock);
    assert_eq!((next.unix_ms(), next.sequence()), (DAY + 1, 0));
    assert_eq!(generator.high_water_ms(), DAY + 1);
}

#[test]
fn a_step_back_of_up_to_5_ms_is_waited_for() {
    let clock = Hands::at(DAY);
    let generator = generator(&clock);
    let first = id(&generator, &clock);
    for back in 1..=5 {
        clock.step(DAY - back);
        assert_eq!(generator.next(&clock), Ok(Next::Wait(Duration::from_millis(back))));
    }
    clock.pass(5);
    assert!(id(&generator, &clock) > first);
}

#[test]
fn after_a_greater_step_back_ids_go_on_by_the_monotonic_clock() {
    let clock = Hands::at(DAY);
    let generator = generator(&clock);
    clock.pass(1000);
    let before = id(&generator, &clock);
    clock.step(DAY - 3_600_000);
    clock.pass(20);
    let after = id(&generator, &clock);
    assert!(after > before);
    assert_eq!(after.unix_ms(), DAY + 1020);
    // The wall clock is set right again, and is used again.
    clock.step(DAY + 5000);
    assert_eq!(id(&generator, &clock).unix_ms(), DAY + 5000);
}

/// Forward by a day by mistake, and back: the monotonic clock, anchored at the start, is a day behind the ids too.
#[test]
fn after_a_step_forward_and_back_ids_go_on_from_the_last_one() {
    let clock = Hands::at(DAY);
    let generator = generator(&clock);
    let tomorrow = DAY + 86_400_000;
    clock.step(tomorrow);
    id(&generator, &clock);
    clock.step(DAY);
    assert_eq!(id(&generator, &clock).unix_ms(), tomorrow);
    for _ in 2..4096 {
        id(&generator, &clock);
    }
    assert_eq!(generator.next(&clock), Ok(Next::Wait(Duration::from_millis(1))));
    clock.pass(1);
    assert_eq!(id(&generator, &clock).unix_ms(), tomorrow + 1);
    clock.pass(1000);
    assert_eq!(id(&generator, &clock).unix_ms(), tomorrow + 1001);
}

#[test]
fn a_start_below_the_high_water_mark_is_refused_and_says_why() {
    let clock = Hands::at(DAY);
    let lease = Lease { after_ms: DAY + 60_000, until_ms: u64::MAX };
    let error = Generator::new(node(), lease, &clock).unwrap_err();
    assert_eq!(error, StartError::BehindMark { now_ms: DAY, mark_ms: DAY + 60_000 });
    assert!(error.to_string().starts_with("the clock is 60000 ms behind the last id of this node"), "{error}");
    let early = Generator::new(node(), Lease::UNLIMITED, &Hands::at(EPOCH_MS - 1)).unwrap_err();
    assert_eq!(early, StartError::BeforeEpoch { now_ms: EPOCH_MS - 1 });
}

#[test]
fn a_restart_in_the_millisecond_of_the_mark_waits_for_the_next() {
    let clock = Hands::at(DAY);
    let lease = Lease { after_ms: DAY, until_ms: u64::MAX };
    let generator = Generator::new(node(), lease, &clock).unwrap();
    assert_eq!(generator.next(&clock), Ok(Next::Wait(Duration::from_millis(1))));
    clock.pass(1);
    assert_eq!(id(&generator, &clock).unix_ms(), DAY + 1);
}

#[test]
fn no_id_is_made_after_the_lease_until_it_is_renewed() {
    let clock = Hands::at(DAY);
    let lease = Lease { after_ms: 0, until_ms: DAY + 10 };
    let generator = Generator::new(node(), lease, &clock).unwrap();
    clock.pass(10);
    id(&generator, &clock);
    clock.pass(1);
    let over = Err(NextError::LeaseOver { until_ms: DAY + 10 });
    assert_eq!(generator.next(&clock), over);
    generator.renew(DAY);
    assert_eq!(generator.next(&clock), over, "a renewal takes no time away");
    generator.renew(DAY + 11);
    assert_eq!(id(&generator, &clock).unix_ms(), DAY + 11);
}

#[test]
fn the_41_bits_end_with_an_error() {
    let clock = Hands::at(EPOCH_MS + LAST_MS);
    let generator = generator(&clock);
    assert_eq!(id(&generator, &clock).get() >> 22, LAST_MS);
    clock.pass(1);
    assert_eq!(generator.next(&clock), Err(NextError::Exhausted));
}

/// A clock that all threads share, which also steps back now and then.
struct Restless(AtomicU64);

impl Clock for Restless {
    fn unix_ms(&self) -> u64 {
        let reads = self.0.fetch_add(1, Relaxed);
        let back = if reads % 10_007 < 5000 { 0 } else { 60_000 };
        DAY + reads / 1000 - back
    }

    fn monotonic_ms(&self) -> u64 {
        self.0.fetch_add(1, Relaxed) / 1000
    }
}

#[test]
fn threads_never_share_an_id_and_each_sees_them_ascend() {
    const EACH: usize = 200_000;
    let clock = Restless(AtomicU64::new(0));
    let generator = Generator::new(node(), Lease::UNLIMITED, &clock).unwrap();
    let work = || {
        let next = || match generator.next(&clock) {
            Ok(Next::Id(id)) => Some(id),
            _ => None,
        };
        let ids: Vec<_> = std::iter::repeat_with(next).flatten().take(EACH).collect();
        assert!(ids.is_sorted_by(|left, right| left < right));
        ids
    };
    let ids: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 4 * EACH);
}
