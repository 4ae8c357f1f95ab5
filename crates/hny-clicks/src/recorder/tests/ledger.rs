//! A sink that keeps its word as the store does, unless it is told not to.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use hny_domain::{Click, ClickId};
use hny_store::{SpoolId, SpoolStep, StoreError};

use crate::sink::{Answer, Sink, SinkError};

/// What goes wrong with a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing.
    None,
    /// It is refused.
    Refused,
    /// It is made, and nobody hears of it.
    Unheard,
    /// There is never an answer.
    Hangs,
}

/// The counts, and how far each spool is counted. All clones are one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger(Arc<Mutex<Book>>);

#[derive(Debug)]
struct Book {
    counts: BTreeMap<i64, u64>,
    positions: BTreeMap<SpoolId, u64>,
    ids: BTreeSet<ClickId>,
    /// How many clicks each change had that was asked for.
    asked: Vec<usize>,
    /// What goes wrong with the next changes, and then with all others.
    next: VecDeque<Fault>,
    then: Fault,
}

impl Default for Book {
    fn default() -> Self {
        let (counts, positions, ids) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        Self { counts, positions, ids, asked: Vec::new(), next: VecDeque::new(), then: Fault::None }
    }
}

impl Ledger {
    /// Has these faults happen to the next changes, and that to all others.
    pub(crate) fn plan(&self, next: &[Fault], then: Fault) {
        let mut book = self.book();
        (book.next, book.then) = (next.iter().copied().collect(), then);
    }

    /// How many clicks of each link are counted.
    pub(crate) fn counts(&self) -> BTreeMap<i64, u64> {
        self.book().counts.clone()
    }

    /// How many clicks are counted.
    pub(crate) fn sum(&self) -> u64 {
        self.book().counts.values().sum()
    }

    /// How many clicks each change had that was asked for.
    pub(crate) fn asked(&self) -> Vec<usize> {
        self.book().asked.clone()
    }

    /// How many spools are known.
    pub(crate) fn spools(&self) -> usize {
        self.book().positions.len()
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap()
    }
}

impl Book {
    fn take(&mut self, clicks: &[Click], step: SpoolStep) -> bool {
        let is_next = self.positions.get(&step.spool) == Some(&step.from);
        if is_next {
            self.positions.insert(step.spool, step.to);
            for click in clicks {
                *self.counts.entry(click.link.0).or_default() += 1;
                assert!(self.ids.insert(click.id), "no two clicks have the same id");
            }
        }
        is_next
    }
}

fn answer<T: Send + 'static>(answer: Result<T, StoreError>) -> Answer<T> {
    let answer = answer.map_err(SinkError::from);
    Box::pin(std::future::ready(answer))
}

fn refusal<T: Send + 'static>() -> Answer<T> {
    answer(Err(StoreError::Unavailable(Arc::new(io::Error::other("refused by this test")))))
}

impl Sink for Ledger {
    fn open(&self, spool: SpoolId) -> Answer<u64> {
        answer(Ok(*self.book().positions.entry(spool).or_default()))
    }

    fn take(&self, clicks: Vec<Click>, step: SpoolStep) -> Answer<bool> {
        let mut book = self.book();
        book.asked.push(clicks.len());
        match book.next.pop_front().unwrap_or(book.then) {
            Fault::None => answer(Ok(book.take(&clicks, step))),
            Fault::Refused => refusal(),
            Fault::Unheard => {
                book.take(&clicks, step);
                refusal()
            }
            Fault::Hangs => Box::pin(std::future::pending()),
        }
    }

    fn forget(&self, spool: SpoolId) -> Answer<()> {
        self.book().positions.remove(&spool);
        answer(Ok(()))
    }
}
