//! The writer: the one thread that takes clicks out of the rings and hands them over.
//!
//! It does both at once: while the store works, which may take seconds, it goes on to empty the rings, and the store's answer wakes
//! it as a click would.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use hny_domain::Clock;
use hny_store::StoreError;

use crate::bell::Wish;
use crate::flush::Flush;
use crate::intake::Intake;
use crate::pace::Pace;
use crate::pending::Pending;
use crate::sink::Sink;

/// How long the writer sleeps while clicks come, unless a ring fills up. Half of the time in which a click shall be out of its
/// ring; so there are twenty rounds a second, whatever the number of clicks.
const NAP: Duration = Duration::from_millis(50);

/// How many clicks may wait for the store: four million, 32 MiB. A busy node records that many in 40 seconds.
const MOST_PENDING: usize = 4 << 20;

/// How many clicks are sorted at a time: some hundredths of a second, in which the rings do not fill up.
const CLICKS_AT_ONCE: usize = 1 << 20;

/// What the thread owns.
pub(crate) struct Writer {
    intake: Arc<Intake>,
    sink: Sink,
    clock: Clock,
    waker: Waker,
    pending: Pending,
    flush: Option<Flush>,
    pace: Pace,
    /// Whether the last change was begun to end with.
    is_last_try: bool,
    /// How many lost clicks the log was told of.
    told_lost: u64,
}

impl Writer {
    pub(crate) fn new(intake: Arc<Intake>, sink: Sink, clock: Clock) -> Self {
        let waker = Waker::from(Arc::clone(&intake));
        let (pending, pace) = (Pending::new(MOST_PENDING), Pace::default());
        Self { intake, sink, clock, waker, pending, flush: None, pace, is_last_try: false, told_lost: 0 }
    }

    /// Works until the intake is closed and everything that was recorded before that is handed over.
    pub(crate) fn run(mut self) {
        loop {
            // In this order: what was recorded before the wish to close is gathered in this round.
            let is_closing = self.intake.is_closing();
            let has_found = self.gather();
            self.hand_over(is_closing);
            self.count_pending();
            if is_closing && self.flush.is_none() {
                return;
            }
            self.sleep(has_found);
        }
    }

    /// Takes what is in the rings; whether there was something.
    fn gather(&mut self) -> bool {
        let gathered = self.intake.rings.drain(|click| self.pending.push(click.link));
        let excess = self.pending.forget_excess(self.in_flight());
        self.intake.tally.given_up(excess);
        self.count_pending();
        // Last: whoever reads that so many were recorded also reads what became of them.
        self.intake.tally.gathered(gathered);
        gathered > 0
    }

    /// Brings the flush that runs further, or begins one that is due. At the end there is always one, until there are no clicks.
    fn hand_over(&mut self, is_closing: bool) {
        loop {
            if self.is_resting() {
                if !is_closing && !self.wait().is_zero() {
                    return;
                }
                self.begin_change(is_closing);
            }
            let Some(flush) = &mut self.flush else { return };
            match flush.poll(&mut Context::from_waker(&self.waker)) {
                Poll::Pending => return,
                Poll::Ready(Ok(())) => self.confirmed(),
                Poll::Ready(Err(error)) => self.refused(&error),
            }
        }
    }

    /// Whether there is something to hand over and no change of the store is under way.
    fn is_resting(&self) -> bool {
        self.flush.as_ref().map_or(self.pending.len() > 0, |flush| !flush.is_asking())
    }

    /// Begins the next change: of the flush there is, or of a new one with the oldest clicks.
    fn begin_change(&mut self, is_closing: bool) {
        let (pending, now) = (&mut self.pending, self.clock.monotonic());
        self.is_last_try = is_closing;
        self.flush.get_or_insert_with(|| Flush::new(pending.take(CLICKS_AT_ONCE))).ask(&self.sink, now);
    }

    /// A change is in the store, and with the last one the flush has ended.
    fn confirmed(&mut self) {
        let Some(flush) = &self.flush else { return };
        if self.pace.has_failed() {
            tracing::info!("clicks are counted again");
        }
        let is_last = flush.is_done();
        self.pace.changed(flush.began, self.clock.monotonic(), is_last);
        if is_last {
            self.flush = None;
            self.tell_losses();
        }
    }

    /// The store did not take them: they are kept and handed over later. At the end that is at once, and only once: the store has
    /// waited for its lock for as long as anyone should.
    fn refused(&mut self, error: &StoreError) {
        let Some(flush) = self.flush.take() else { return };
        self.pending.give_back(flush.unconfirmed());
        let clicks = self.pending.len();
        if self.is_last_try {
            let lost = self.pending.forget_all();
            self.intake.tally.given_up(lost);
            tracing::error!(%error, "clicks cannot be counted, and this process ends");
        } else if self.pace.failed(flush.began, self.clock.monotonic()) {
            tracing::warn!(%error, clicks, "clicks cannot be counted now; they are kept in memory until they can");
        } else {
            tracing::debug!(%error, clicks, "clicks still cannot be counted");
        }
        self.tell_losses();
    }

    /// Says in the log when clicks were lost: once per flush, or a full ring would fill the log.
    fn tell_losses(&mut self) {
        let lost = self.intake.tally.counts(0).lost();
        if lost > self.told_lost {
            tracing::warn!(clicks = lost - self.told_lost, "clicks were lost; /metrics says why");
            self.told_lost = lost;
        }
    }

    /// Sleeps for a while when clicks come, until the first one when none do, and no longer than until a change is due.
    fn sleep(&self, has_found: bool) {
        let (wish, nap) = if has_found { (Wish::Plenty, Some(NAP)) } else { (Wish::AnyClick, None) };
        let due = self.is_resting().then(|| self.wait());
        let limit = nap.into_iter().chain(due).min();
        self.intake.bell.sleep(wish, || self.intake.rings.have(wish), limit);
    }

    /// How long it is until a change may begin.
    fn wait(&self) -> Duration {
        self.pace.wait(self.clock.monotonic(), self.pending.is_much())
    }

    fn count_pending(&self) {
        self.intake.tally.pending(self.pending.len() as u64 + self.in_flight());
    }

    /// How many clicks are on their way to the store.
    fn in_flight(&self) -> u64 {
        self.flush.as_ref().map_or(0, Flush::left)
    }
}
