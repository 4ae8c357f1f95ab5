//! Where clicks wait for the gatherer: bounded rings, one for each thread that records.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::recorder::seen::Seen;
use crossbeam_queue::ArrayQueue;

use crate::recorder::bell::Wish;

/// How many clicks a ring has room for. One thread that answers 100,000 redirects a second, which is all the traffic that we
/// are made for, records 10,000 in the 100 ms in which a click leaves its ring at the latest. It is a quarter of a megabyte.
pub(crate) const CAPACITY: usize = 16_384;

/// From how many clicks on the gatherer comes early. The other half has room for what is recorded until it is there.
pub(crate) const PLENTY: usize = CAPACITY / 2;

/// How many rings there are at most (16 MiB). Where more threads record, some share one, which is slower and as safe.
const MOST_RINGS: usize = 64;

/// The rings.
#[derive(Debug)]
pub(crate) struct Rings(Box<[ArrayQueue<Seen>]>);

/// Threads are numbered when they first record something, so the workers of the service have the first numbers.
static NEXT_THREAD: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static THREAD: usize = NEXT_THREAD.fetch_add(1, Ordering::Relaxed);
}

impl Rings {
    /// A ring for each of so many threads, rounded up to a power of two.
    pub(crate) fn new(threads: usize) -> Self {
        let rings = threads.clamp(1, MOST_RINGS).next_power_of_two();
        Self((0..rings).map(|_| ArrayQueue::new(CAPACITY)).collect())
    }

    /// The ring of the calling thread.
    pub(crate) fn own(&self) -> &ArrayQueue<Seen> {
        // There is a power of two of them, so this is the number modulo that, without a division.
        &self.0[THREAD.with(|number| number & (self.0.len() - 1))]
    }

    /// Hands over what is in the rings now; how many clicks that were.
    pub(crate) fn drain(&self, mut take: impl FnMut(Seen)) -> usize {
        // As many as there are now, and no more: threads that record without a pause would keep the gatherer here.
        let of_ring = |ring: &ArrayQueue<Seen>| (0..ring.len()).map_while(|_| ring.pop()).map(&mut take).count();
        self.0.iter().map(of_ring).sum()
    }

    /// Whether there is what the gatherer sleeps for.
    pub(crate) fn have(&self, wish: Wish) -> bool {
        self.0.iter().any(|ring| has(ring, wish))
    }

    /// How many clicks are in the rings.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(ArrayQueue::len).sum()
    }
}

/// Whether a ring has what the gatherer sleeps for.
pub(crate) fn has(ring: &ArrayQueue<Seen>, wish: Wish) -> bool {
    match wish {
        Wish::Nothing => false,
        Wish::AnyClick => !ring.is_empty(),
        Wish::Plenty => ring.len() >= PLENTY,
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn click(link: usize) -> Seen {
        Seen::of(i64::try_from(link).unwrap())
    }

    #[test]
    fn there_is_a_ring_for_each_thread_up_to_a_bound() {
        for (threads, rings) in [(0, 1), (1, 1), (2, 2), (3, 4), (64, 64), (65, 64), (usize::MAX, 64)] {
            assert_eq!(Rings::new(threads).0.len(), rings, "{threads}");
        }
    }

    #[test]
    fn a_full_ring_refuses_and_gives_back_what_it_has_in_order() {
        let rings = Rings::new(1);
        for number in 0..CAPACITY {
            assert_eq!(rings.own().push(click(number)), Ok(()));
        }
        assert!(rings.own().push(click(CAPACITY)).is_err());
        let mut drained = Vec::new();
        assert_eq!(rings.drain(|click| drained.push(click)), CAPACITY);
        assert_eq!(drained, (0..CAPACITY).map(click).collect::<Vec<_>>());
        assert_eq!((rings.len(), rings.own().push(click(0))), (0, Ok(())));
    }

    #[test]
    fn threads_keep_to_rings_of_their_own() {
        let rings = Rings::new(2);
        // Whoever comes next has the next number.
        let places = [(); 2].map(|()| {
            std::thread::scope(|scope| scope.spawn(|| std::ptr::from_ref(rings.own()).addr()).join().unwrap())
        });
        let mine = || std::ptr::from_ref(rings.own()).addr();
        assert_eq!(mine(), mine());
        let known = [0, 1].map(|ring| std::ptr::from_ref(&rings.0[ring]).addr());
        assert!(places.iter().all(|place| known.contains(place)));
    }

    #[test]
    fn the_gatherer_is_told_what_it_wants_to_know() {
        let rings = Rings::new(4);
        assert!(!rings.have(Wish::AnyClick));
        for number in 0..PLENTY {
            assert!(!rings.have(Wish::Plenty), "{number}");
            rings.own().push(click(number)).unwrap();
            assert!(rings.have(Wish::AnyClick) && !rings.have(Wish::Nothing));
        }
        assert!(rings.have(Wish::Plenty));
    }
}
