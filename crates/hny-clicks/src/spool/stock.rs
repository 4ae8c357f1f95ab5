//! The spools that a process ships: its own, and those that it found left behind.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hny_domain::Timestamp;
use hny_store::SpoolId;

use crate::spool::Spool;
use crate::spool::folder::Folder;
use crate::spool::segment::Extent;

/// What the writer of the spool, its shipper and those who ask how it is share. Its lock is held while a file is removed, and never
/// while one is written or read.
#[derive(Debug)]
pub(crate) struct Stock {
    state: Mutex<State>,
    news: Condvar,
    /// How many bytes all spools together may take.
    limit: u64,
}

#[derive(Debug)]
struct State {
    /// Those that were left behind, and behind them the own one.
    spools: VecDeque<Spool>,
    /// What is on its way: the spool, and up to which position.
    shipping: Option<(SpoolId, u64)>,
    /// When the oldest click came that is not counted.
    oldest: Option<Timestamp>,
    has_news: bool,
    is_ended: bool,
}

impl Stock {
    /// With the own spool, which is to be written.
    pub(crate) fn new(own: Folder, limit: u64) -> Self {
        let spools = VecDeque::from([Spool::new(own)]);
        let state = State { spools, shipping: None, oldest: None, has_news: false, is_ended: false };
        Self { state: Mutex::new(state), news: Condvar::new(), limit }
    }

    /// Makes room for so many bytes by giving up the oldest segments that are not on their way; how many clicks are lost with them.
    pub(crate) fn make_room(&self, bytes: u64) -> u64 {
        let mut state = self.lock();
        let mut lost = 0;
        while state.bytes().saturating_add(bytes) > self.limit
            && let Some(clicks) = state.give_up()
        {
            lost += clicks;
        }
        if lost > 0 {
            self.note_oldest(state);
        }
        lost
    }

    /// The writer goes on in a new segment.
    pub(crate) fn begin_segment(&self, base: u64) {
        self.lock().with_own(|own| own.begin_segment(base));
    }

    /// The writer has written a block.
    pub(crate) fn grow(&self, bytes: usize, clicks: usize, at: Timestamp) {
        let mut state = self.lock();
        state.oldest.get_or_insert(at);
        state.with_own(|own| own.grow(bytes, clicks, at));
        self.tell(state);
    }

    /// The writer has ended.
    pub(crate) fn end(&self) {
        let mut state = self.lock();
        state.with_own(Spool::end);
        state.is_ended = true;
        self.tell(state);
    }

    pub(crate) fn is_ended(&self) -> bool {
        self.lock().is_ended
    }

    /// Adds a spool that was left behind. It is older than what is here.
    pub(crate) fn adopt(&self, spool: Spool) {
        let mut state = self.lock();
        state.oldest = [state.oldest, spool.since()].into_iter().flatten().min();
        let behind_others = state.spools.len().saturating_sub(1);
        state.spools.insert(behind_others, spool);
    }

    /// Which spool is to be shipped first, if there are clicks in it.
    pub(crate) fn first(&self) -> Option<SpoolId> {
        self.lock().spools.front().filter(|spool| spool.bytes() > 0).map(|spool| spool.folder.spool)
    }

    /// The first part of the first spool behind this position, everything before which is counted. It is kept until it is shipped,
    /// or the shipping given up.
    pub(crate) fn begin_shipping(&self, from: u64) -> Option<Extent> {
        let mut state = self.lock();
        let first = state.spools.front_mut()?;
        let (spool, extent) = (first.folder.spool, first.begin_shipping(from)?);
        state.shipping = Some((spool, extent.to));
        Some(extent)
    }

    /// No more than what is before `until` is on its way; what is behind it may be given up.
    pub(crate) fn ship_until(&self, until: u64) {
        if let Some((_, to)) = &mut self.lock().shipping {
            *to = until;
        }
    }

    /// All that was on its way is counted: so many clicks of this segment.
    pub(crate) fn shipped(&self, segment: u64, clicks: u64) {
        let mut state = self.lock();
        let Some((spool, until)) = state.shipping.take() else { return };
        if let Some(spool) = state.spools.iter_mut().find(|other| other.folder.spool == spool) {
            spool.ship(until, segment, clicks);
        }
        self.note_oldest(state);
    }

    /// What was on its way is to be begun again.
    pub(crate) fn give_up_shipping(&self) {
        self.lock().shipping = None;
    }

    /// Takes the first spool away if nobody writes it.
    pub(crate) fn take_finished(&self) -> Option<Spool> {
        let mut state = self.lock();
        let is_finished = state.spools.front().is_some_and(|first| !first.is_open());
        let finished = if is_finished { state.spools.pop_front() } else { None };
        self.note_oldest(state);
        finished
    }

    /// How many clicks are not counted yet, and since when the oldest of them waits.
    pub(crate) fn pending(&self) -> (u64, Option<Timestamp>) {
        let state = self.lock();
        (state.spools.iter().map(Spool::left).sum(), state.oldest)
    }

    /// Whether there is something to ship, or to remove.
    pub(crate) fn has_work(&self) -> bool {
        let state = self.lock();
        state.next().is_some() || state.spools.front().is_some_and(|first| !first.is_open())
    }

    /// Whether half of the room is taken: time to make some.
    pub(crate) fn is_much(&self) -> bool {
        self.lock().bytes() >= self.limit / 2
    }

    /// Waits for something new to ship, or the end, but no longer than is said.
    pub(crate) fn wait(&self, limit: Duration) {
        let waited = self.news.wait_timeout_while(self.lock(), limit, |state| !state.has_news);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.has_news = false;
    }

    /// Looks when the oldest click came that is left.
    fn note_oldest(&self, mut state: MutexGuard<'_, State>) {
        let next = state.next();
        if next.is_none() {
            state.oldest = None;
        }
        drop(state);
        if let Some((next, since)) = next {
            // There is an oldest all the while, so that the writer leaves it alone.
            let oldest = next.time().or(since);
            let mut state = self.lock();
            state.oldest = state.next().and(oldest);
        }
    }

    fn tell(&self, mut state: MutexGuard<'_, State>) {
        state.has_news = true;
        drop(state);
        self.news.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn bytes(&self) -> u64 {
        self.spools.iter().map(Spool::bytes).sum()
    }

    fn with_own(&mut self, change: impl FnOnce(&mut Spool)) {
        if let Some(own) = self.spools.back_mut() {
            change(own);
        }
    }

    fn give_up(&mut self) -> Option<u64> {
        let shipping = self.shipping;
        let from = |spool: &Spool| shipping.filter(|(id, _)| *id == spool.folder.spool).map_or(0, |(_, until)| until);
        self.spools.iter_mut().find_map(|spool| spool.give_up(from(spool)))
    }

    /// What is to be shipped next, and since when it or something before it waits.
    fn next(&self) -> Option<(Extent, Option<Timestamp>)> {
        self.spools.iter().find_map(Spool::next)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use hny_store::DatabaseId;
    use tempfile::TempDir;

    use super::*;
    use crate::spool::folder::Place;
    use crate::spool::segment::Segment;

    const AT: Timestamp = Timestamp::from_millis(7);

    /// A stock with so many segments of 100 bytes and ten clicks, and the last of them still written.
    fn stock(segments: u64) -> (TempDir, Stock) {
        let folder = TempDir::new().unwrap();
        let place = Place { path: folder.path().to_owned(), database: DatabaseId(1) };
        let own = place.make(SpoolId(1)).unwrap();
        let path = own.path.clone();
        let stock = Stock::new(own, 100 * segments);
        for number in 0..segments {
            fs::write(Segment::new(100 * number).path(&path), [0; 100]).unwrap();
            stock.begin_segment(100 * number);
            stock.grow(100, 10, AT);
        }
        (folder, stock)
    }

    #[test]
    fn what_is_on_its_way_or_written_is_not_given_up() {
        let (_folder, stock) = stock(4);
        assert_eq!(stock.make_room(0), 0);
        assert_eq!(stock.begin_shipping(0).map(|part| (part.from, part.to)), Some((0, 100)));
        stock.ship_until(50);
        assert_eq!(stock.make_room(1), 10, "the second: the first is on its way in part");
        assert_eq!(stock.make_room(101), 10, "the third");
        assert_eq!(stock.make_room(u64::MAX), 0, "the fourth is written");
        assert_eq!(stock.pending(), (20, Some(AT)));
    }

    #[test]
    fn what_is_shipped_is_removed_and_does_not_wait() {
        let (_folder, stock) = stock(2);
        let first = stock.begin_shipping(0).unwrap();
        stock.shipped(0, 10);
        assert_eq!((first.path.exists(), stock.pending()), (false, (10, Some(AT))));
        let second = stock.begin_shipping(100).unwrap();
        stock.shipped(100, 10);
        assert_eq!((stock.pending(), stock.has_work()), ((0, None), false));
        assert!(stock.take_finished().is_none() && second.path.exists(), "it may still be written");
        stock.end();
        assert!(stock.has_work() && stock.take_finished().is_some());
    }

    #[test]
    fn what_is_shipped_only_in_part_is_kept_with_the_rest() {
        let (_folder, stock) = stock(2);
        stock.begin_shipping(0);
        stock.ship_until(50);
        stock.shipped(0, 4);
        assert_eq!(stock.pending().0, 16);
        assert_eq!(stock.begin_shipping(50).map(|part| (part.from, part.to)), Some((50, 100)));
        stock.give_up_shipping();
        assert_eq!(stock.pending().0, 16);
    }
}
