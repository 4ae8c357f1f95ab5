//! Every interleaving of a few threads, tried one after another by a model checker. Whoever sleeps here does so without a time
//! limit: a wake-up that is missed is a deadlock, which the checker reports.

use std::time::Duration;

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU8, AtomicUsize, Ordering, fence};
use loom::thread::{self, Thread};

use super::{Bell, Ground, Wish};

struct Modelled {
    wish: AtomicU8,
    sleeper: Thread,
    has_fences: bool,
}

impl Ground for Modelled {
    fn load(&self) -> Wish {
        self.wish.load(Ordering::Relaxed).into()
    }

    fn swap(&self, wish: Wish) -> Wish {
        self.wish.swap(wish as u8, Ordering::Relaxed).into()
    }

    fn fence(&self) {
        if self.has_fences {
            fence(Ordering::SeqCst);
        }
    }

    fn park(&self, _: Option<Duration>) {
        thread::park();
    }

    fn unpark(&self) {
        self.sleeper.unpark();
    }
}

/// A ring of which only the number of clicks matters, and the bell.
struct Road {
    clicks: AtomicUsize,
    bell: Bell<Modelled>,
}

impl Road {
    /// The calling thread is the one that sleeps.
    fn new(has_fences: bool) -> Arc<Self> {
        let bell = Bell::new(Modelled { wish: AtomicU8::new(0), sleeper: thread::current(), has_fences });
        Arc::new(Self { clicks: AtomicUsize::new(0), bell })
    }

    /// Two clicks are plenty here.
    fn has(&self, wish: Wish) -> bool {
        let least = match wish {
            Wish::Nothing => usize::MAX,
            Wish::AnyClick => 1,
            Wish::Plenty => 2,
        };
        self.clicks.load(Ordering::Relaxed) >= least
    }

    fn record(&self) {
        self.clicks.fetch_add(1, Ordering::Relaxed);
        self.bell.ring(|wish| self.has(wish));
    }

    /// Takes clicks as they come, until it has so many.
    fn take(&self, all: usize) {
        let mut taken = self.clicks.swap(0, Ordering::Relaxed);
        while taken < all {
            self.bell.sleep(Wish::AnyClick, || self.has(Wish::AnyClick), None);
            taken += self.clicks.swap(0, Ordering::Relaxed);
        }
    }

    /// Waits until there are plenty.
    fn wait_for_plenty(&self) {
        while !self.has(Wish::Plenty) {
            self.bell.sleep(Wish::Plenty, || self.has(Wish::Plenty), None);
        }
    }
}

/// Has threads record so many clicks each while the gatherer sleeps for `wish` until it has them all.
fn model(recorders: &'static [usize], wish: Wish, has_fences: bool) {
    let mut model = loom::model::Builder::new();
    // Of more than one click there are too many schedules to try them all: those in which threads are interrupted up to three times.
    model.preemption_bound = (recorders.iter().sum::<usize>() > 1).then_some(3);
    model.check(move || {
        let road = Road::new(has_fences);
        let recording = recorders.iter().map(|&clicks| {
            let road = Arc::clone(&road);
            thread::spawn(move || (0..clicks).for_each(|_| road.record()))
        });
        let recording: Vec<_> = recording.collect();
        match wish {
            Wish::Plenty => road.wait_for_plenty(),
            Wish::Nothing | Wish::AnyClick => road.take(recorders.iter().sum()),
        }
        for recording in recording {
            recording.join().unwrap();
        }
    });
}

#[test]
fn the_first_click_wakes() {
    model(&[1], Wish::AnyClick, true);
}

#[test]
fn the_next_click_after_a_round_wakes_again() {
    model(&[3], Wish::AnyClick, true);
}

#[test]
fn the_clicks_of_two_threads_wake() {
    model(&[1, 1], Wish::AnyClick, true);
    model(&[2, 1], Wish::AnyClick, true);
}

#[test]
fn plenty_of_clicks_wake() {
    model(&[2], Wish::Plenty, true);
    model(&[1, 1], Wish::Plenty, true);
}

#[test]
#[should_panic(expected = "deadlock")]
fn without_the_fences_a_call_is_missed() {
    model(&[1], Wish::AnyClick, false);
}

/// A call is remembered, also when it comes before the sleep.
#[test]
fn a_call_wakes_whatever_the_wish() {
    loom::model(|| {
        let road = Road::new(true);
        let calling = thread::spawn({
            let road = Arc::clone(&road);
            move || road.bell.call()
        });
        road.bell.sleep(Wish::Plenty, || false, None);
        calling.join().unwrap();
    });
}
