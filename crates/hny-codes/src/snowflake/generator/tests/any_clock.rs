//! Ids under any clock, and over restarts: a property test.

use proptest::prelude::*;

use super::*;

/// One after another, as the clocks of a process with restarts might do it.
#[derive(Debug, Clone)]
enum Event {
    Ask(u16),
    Pass(u64),
    Step(i64),
    Restart,
}

fn event() -> impl Strategy<Value = Event> {
    let step = prop_oneof![-8i64..8, -100_000i64..100_000, -4_000_000_000_000i64..400_000_000_000];
    prop_oneof![
        4 => (1u16..5000).prop_map(Event::Ask),
        2 => prop_oneof![0u64..10, 0u64..100_000].prop_map(Event::Pass),
        2 => step.prop_map(Event::Step),
        1 => Just(Event::Restart),
    ]
}

/// A process and its successors, all of one node.
struct World {
    clock: Hands,
    generator: Generator,
    last: Option<Id>,
}

impl World {
    fn meet(&mut self, event: &Event) {
        match *event {
            Event::Ask(times) => (0..times).for_each(|_| self.ask()),
            Event::Pass(ms) => self.clock.pass(ms),
            Event::Step(by) => self.clock.step(self.clock.unix_ms().saturating_add_signed(by)),
            Event::Restart => self.restart(),
        }
    }

    /// One id, waiting for it as told: at most for a millisecond, for the wall clock to catch up, and for a millisecond again.
    fn ask(&mut self) {
        for _ in 0..4 {
            match self.generator.next(&self.clock) {
                Ok(Next::Id(id)) => {
                    assert!(self.last.is_none_or(|last| last < id), "{id} after {:?}", self.last);
                    self.last = Some(id);
                    return;
                }
                Ok(Next::Wait(time)) => {
                    let ms = u64::try_from(time.as_millis()).unwrap();
                    assert!((1..=5).contains(&ms), "asked to wait {ms} ms");
                    self.clock.pass(ms);
                }
                Err(error) => {
                    assert_eq!(error, NextError::Exhausted);
                    assert!(self.clock.unix_ms().max(self.generator.high_water_ms()) >= EPOCH_MS + LAST_MS);
                    return;
                }
            }
        }
        panic!("waited four times for one id");
    }

    /// The next process starts, once its clock is right.
    fn restart(&mut self) {
        let lease = Lease { after_ms: self.generator.high_water_ms(), until_ms: u64::MAX };
        let started = Generator::new(node(), lease, &self.clock);
        self.generator = started.unwrap_or_else(|_| {
            assert!(self.clock.unix_ms() < lease.after_ms.max(EPOCH_MS));
            self.clock.step(lease.after_ms.max(EPOCH_MS));
            Generator::new(node(), lease, &self.clock).unwrap()
        });
    }
}

proptest! {
    /// The promise: never a duplicate and never a smaller id, and never a long wait, under any clock.
    #[test]
    fn ids_ascend_under_any_clock(events in prop::collection::vec(event(), 1..40)) {
        let clock = Hands::at(DAY);
        let mut world = World { generator: generator(&clock), clock, last: None };
        for event in &events {
            world.meet(event);
        }
    }
}
