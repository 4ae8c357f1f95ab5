//! Clicks that are not in the spool yet: in bounded memory, since a disk may take its time, or have no room.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::recorder::seen::Seen;
use hny_domain::Timestamp;

/// How many clicks are taken at a time.
const MOST_AT_ONCE: usize = 1 << 16;

/// Clicks that were gathered at about the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Batch {
    /// When the first of them were.
    pub(crate) at: Timestamp,
    pub(crate) clicks: Vec<Seen>,
}

impl Batch {
    /// Clicks of the same second share a batch, so that even those of days without a disk take little more than themselves.
    fn takes(&self, at: Timestamp, clicks: usize) -> bool {
        at.as_millis() - self.at.as_millis() < 1_000 && self.clicks.len() + clicks <= MOST_AT_ONCE
    }
}

/// Clicks by age, between the thread that gathers them and the one that writes them.
#[derive(Debug)]
pub(crate) struct Waiting {
    state: Mutex<State>,
    news: Condvar,
    /// How many bytes they may take.
    most: usize,
}

#[derive(Debug, Default)]
struct State {
    batches: VecDeque<Batch>,
    /// What is in them.
    waiting: Load,
    /// What was taken and is not written yet, and the time of the oldest.
    in_hand: Load,
    in_hand_since: Option<Timestamp>,
    is_closed: bool,
}

/// How many clicks, and how many bytes they take.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Load {
    clicks: usize,
    bytes: usize,
}

impl Load {
    fn of(clicks: &[Seen]) -> Self {
        Self { clicks: clicks.len(), bytes: clicks.iter().map(Seen::weight).sum() }
    }

    fn add(&mut self, other: Self) {
        (self.clicks, self.bytes) = (self.clicks + other.clicks, self.bytes + other.bytes);
    }

    fn remove(&mut self, other: Self) {
        (self.clicks, self.bytes) = (self.clicks - other.clicks, self.bytes - other.bytes);
    }
}

/// What there is to write.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// These, the oldest first.
    Clicks(Vec<Batch>),
    /// Nothing now.
    Nothing,
    /// Nothing any more.
    End,
}

impl Waiting {
    /// Room for clicks of so many bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self { state: Mutex::default(), news: Condvar::new(), most }
    }

    /// Adds clicks. Those for which there is no room are forgotten from the oldest on; how many those are.
    pub(crate) fn push(&self, at: Timestamp, clicks: Vec<Seen>) -> u64 {
        let mut state = self.lock();
        state.waiting.add(Load::of(&clicks));
        match state.batches.back_mut() {
            Some(last) if last.takes(at, clicks.len()) => last.clicks.extend(clicks),
            _ => state.batches.push_back(Batch { at, clicks }),
        }
        let excess = (state.waiting.bytes + state.in_hand.bytes).saturating_sub(self.most);
        self.news.notify_one();
        state.forget(excess)
    }

    /// Takes the oldest clicks, once there are any; waits for them no longer than is said.
    pub(crate) fn take(&self, limit: Duration) -> Taken {
        let is_idle = |state: &mut State| state.batches.is_empty() && !state.is_closed;
        let waited = self.news.wait_timeout_while(self.lock(), limit, is_idle);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match state.take() {
            taken if !taken.is_empty() => Taken::Clicks(taken),
            _ if state.is_closed => Taken::End,
            _ => Taken::Nothing,
        }
    }

    /// These, which were taken, are in the spool.
    pub(crate) fn written(&self, clicks: &[Seen]) {
        self.lock().in_hand.remove(Load::of(clicks));
    }

    /// Takes back those that could not be written. They are older than everything else.
    pub(crate) fn give_back(&self, batches: Vec<Batch>) {
        let mut state = self.lock();
        for batch in batches.into_iter().rev() {
            let load = Load::of(&batch.clicks);
            state.in_hand.remove(load);
            state.waiting.add(load);
            state.batches.push_front(batch);
        }
    }

    /// Waits, unless the end has come.
    pub(crate) fn pause(&self, time: Duration) {
        let goes_on = |state: &mut State| !state.is_closed;
        drop(self.news.wait_timeout_while(self.lock(), time, goes_on));
    }

    /// There come no more.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.news.notify_one();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// Forgets everything; how many clicks that was.
    pub(crate) fn forget_all(&self) -> u64 {
        self.lock().forget(usize::MAX)
    }

    /// How many clicks are not in the spool, and since when the oldest of them waits.
    pub(crate) fn pending(&self) -> (u64, Option<Timestamp>) {
        let state = self.lock();
        let in_hand = state.in_hand_since.filter(|_| state.in_hand.clicks > 0);
        let oldest = in_hand.or_else(|| state.batches.front().map(|batch| batch.at));
        ((state.waiting.clicks + state.in_hand.clicks) as u64, oldest)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn take(&mut self) -> Vec<Batch> {
        let mut taken = 0;
        let fits = |batch: &&Batch| {
            taken += batch.clicks.len();
            taken <= MOST_AT_ONCE
        };
        // The first in any case, however many clicks of one moment it has.
        let batches = self.batches.iter().take_while(fits).count().max(1).min(self.batches.len());
        let taken: Vec<Batch> = self.batches.drain(..batches).collect();
        for batch in &taken {
            let load = Load::of(&batch.clicks);
            self.waiting.remove(load);
            self.in_hand.add(load);
        }
        if let Some(first) = taken.first() {
            self.in_hand_since = Some(first.at);
        }
        taken
    }

    /// Forgets the oldest clicks, of at least so many bytes if there are; how many those are.
    fn forget(&mut self, excess: usize) -> u64 {
        let before = self.waiting;
        while before.bytes - self.waiting.bytes < excess
            && let Some(oldest) = self.batches.front_mut()
        {
            let left = excess - (before.bytes - self.waiting.bytes);
            let mut bytes = 0;
            let until = oldest.clicks.iter().position(|click| {
                let is_enough = bytes >= left;
                bytes += click.weight();
                is_enough
            });
            let forgotten: Vec<Seen> = oldest.clicks.drain(..until.unwrap_or(oldest.clicks.len())).collect();
            if oldest.clicks.is_empty() {
                self.batches.pop_front();
            }
            self.waiting.remove(Load::of(&forgotten));
        }
        (before.clicks - self.waiting.clicks) as u64
    }
}

#[cfg(test)]
mod tests;
