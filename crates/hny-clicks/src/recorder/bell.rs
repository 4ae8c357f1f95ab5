//! How the gatherer sleeps and is woken: no call is missed, and as long as it is awake or does not mind, none costs anything.
//!
//! The gatherer publishes what it wishes to be woken for and then looks whether that is there already; whoever records puts the
//! click down and then looks what the gatherer wishes. A fence stands between the two steps on both sides, and of two fences one
//! comes first: either the gatherer's look finds the click, or the recorder's look finds the wish. So it cannot be that the gatherer
//! sleeps and nobody wakes it. (`schedules.rs` has a model checker try every interleaving, and shows that it needs the fences.)

use std::sync::atomic::{AtomicU8, Ordering, fence};
use std::thread::{self, Thread};
use std::time::Duration;

#[cfg(test)]
mod schedules;

/// What the gatherer wishes to be woken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Nothing: it is awake.
    Nothing = 0,
    /// A ring that is half full.
    Plenty = 1,
    /// The first click.
    AnyClick = 2,
}

impl From<u8> for Wish {
    fn from(number: u8) -> Self {
        match number {
            1 => Self::Plenty,
            2 => Self::AnyClick,
            _ => Self::Nothing,
        }
    }
}

/// What the handshake is made of. A trait, so that a test can put the parts of a model checker in its place.
pub(crate) trait Ground {
    fn load(&self) -> Wish;
    /// The only way to change the wish, for the gatherer too: so there is one order of all changes, each of which knows the last.
    fn swap(&self, wish: Wish) -> Wish;
    /// Orders what stands before it against what stands behind it, as all threads see it.
    fn fence(&self);
    /// Has the calling thread, which is the sleeper, sleep. It may wake for no reason.
    fn park(&self, limit: Option<Duration>);
    /// Wakes the sleeper, or keeps its next sleep from beginning.
    fn unpark(&self);
}

/// The bell at the gatherer's bed.
#[derive(Debug)]
pub(crate) struct Bell<G>(G);

impl<G: Ground> Bell<G> {
    pub(crate) fn new(ground: G) -> Self {
        Self(ground)
    }

    /// Says that a click was put down. The gatherer is woken if it sleeps and `fulfils` says that its wish is there.
    pub(crate) fn ring(&self, fulfils: impl FnOnce(Wish) -> bool) {
        self.0.fence();
        let wish = self.0.load();
        // Of several who see the wish fulfilled one wakes the gatherer: that is a system call.
        if wish != Wish::Nothing && fulfils(wish) && self.0.swap(Wish::Nothing) != Wish::Nothing {
            self.0.unpark();
        }
    }

    /// Wakes the gatherer, whatever it wishes.
    pub(crate) fn call(&self) {
        self.0.unpark();
    }

    /// Has the gatherer sleep until its wish is there, it is called, or the time is over. It may wake for nothing.
    pub(crate) fn sleep(&self, wish: Wish, is_there: impl FnOnce() -> bool, limit: Option<Duration>) {
        self.0.swap(wish);
        self.0.fence();
        if !is_there() {
            self.0.park(limit);
        }
        self.0.swap(Wish::Nothing);
    }
}

/// The gatherer of the running program.
#[derive(Debug)]
pub(crate) struct Sleeper {
    wish: AtomicU8,
    thread: Thread,
}

impl Sleeper {
    pub(crate) fn new(thread: Thread) -> Self {
        Self { wish: AtomicU8::new(Wish::Nothing as u8), thread }
    }
}

impl Ground for Sleeper {
    // Relaxed: the fences order them.
    fn load(&self) -> Wish {
        self.wish.load(Ordering::Relaxed).into()
    }

    fn swap(&self, wish: Wish) -> Wish {
        self.wish.swap(wish as u8, Ordering::Relaxed).into()
    }

    fn fence(&self) {
        fence(Ordering::SeqCst);
    }

    fn park(&self, limit: Option<Duration>) {
        match limit {
            Some(limit) => thread::park_timeout(limit),
            None => thread::park(),
        }
    }

    fn unpark(&self) {
        self.thread.unpark();
    }
}
