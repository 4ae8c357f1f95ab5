//! What those who record share with the gatherer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;

use crate::recorder::seen::Seen;

use crate::recorder::bell::{Bell, Sleeper};
use crate::recorder::rings::{self, Rings};
use crate::tally::Tally;

/// The rings, the bell beside them, and what is counted.
#[derive(Debug)]
pub(crate) struct Intake {
    pub(crate) rings: Rings,
    pub(crate) bell: Bell<Sleeper>,
    pub(crate) tally: Tally,
    is_closing: AtomicBool,
}

impl Intake {
    /// Rings for so many threads, and a bell for the thread that is to be the gatherer.
    pub(crate) fn new(threads: usize, gatherer: Thread) -> Self {
        Self {
            rings: Rings::new(threads),
            bell: Bell::new(Sleeper::new(gatherer)),
            tally: Tally::default(),
            is_closing: AtomicBool::new(false),
        }
    }

    /// One step of the hot road: it waits for nothing, and makes a system call only to wake a gatherer that sleeps.
    pub(crate) fn record(&self, click: Seen) {
        let ring = self.rings.own();
        if ring.push(click).is_err() {
            self.tally.refused();
        }
        self.bell.ring(|wish| rings::has(ring, wish));
    }

    /// Has the gatherer take what is there, and end.
    pub(crate) fn close(&self) {
        self.is_closing.store(true, Ordering::Release);
        self.bell.call();
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{channel, sync_channel};
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::recorder::bell::Wish;
    use crate::recorder::rings::{CAPACITY, PLENTY};

    /// Has a thread sleep without a time limit until its wish is there, and so many clicks recorded. It must wake, and not before.
    fn wakes_after(wish: Wish, clicks: usize) {
        let (hand, handed) = sync_channel::<Arc<Intake>>(1);
        let (report, reports) = channel();
        let sleeper = thread::spawn(move || {
            let intake = handed.recv().unwrap();
            while !intake.rings.have(wish) {
                intake.bell.sleep(wish, || intake.rings.have(wish), None);
            }
            report.send(intake.rings.len()).unwrap();
        });
        let intake = Arc::new(Intake::new(1, sleeper.thread().clone()));
        hand.send(Arc::clone(&intake)).unwrap();
        for link in 0..clicks {
            intake.record(Seen::of(i64::try_from(link).unwrap()));
        }
        assert_eq!(reports.recv_timeout(Duration::from_mins(1)), Ok(clicks));
        sleeper.join().unwrap();
    }

    #[test]
    fn what_does_not_fit_is_dropped_and_counted_exactly() {
        // Nobody takes anything out.
        let intake = Intake::new(1, thread::current());
        (0..CAPACITY + 100).for_each(|_| intake.record(Seen::of(1)));
        assert_eq!((intake.rings.len(), intake.tally.losses().buffer_full), (CAPACITY, 100));
    }

    #[test]
    fn the_first_click_wakes() {
        // Often, as the one may come before, in and after the falling asleep of the other.
        (0..1000).for_each(|_| wakes_after(Wish::AnyClick, 1));
    }

    #[test]
    fn half_a_ring_wakes() {
        (0..100).for_each(|_| wakes_after(Wish::Plenty, PLENTY));
    }
}
