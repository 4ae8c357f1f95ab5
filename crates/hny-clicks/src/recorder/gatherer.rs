//! The gatherer: the one thread that takes clicks out of the rings. It does nothing that could take long, so that they do not
//! fill up.

use std::sync::Arc;
use std::time::Duration;

use hny_domain::Clock;

use crate::recorder::bell::Wish;
use crate::recorder::intake::Intake;
use crate::recorder::waiting::Waiting;

/// How long the gatherer sleeps while clicks come, unless a ring fills up. Half of the time in which a click shall be in the
/// spool; so there are twenty rounds a second, whatever the number of clicks.
const NAP: Duration = Duration::from_millis(50);

/// From how many clicks in a nap on it is a peak: 20,000 a second. A database could hardly keep up with more anyway.
const PEAK: usize = 1_000;

/// How long it is at least between two words in the log about losses, or a full ring would fill the log.
const SECOND: Duration = Duration::from_secs(1);

/// What the thread owns.
pub(crate) struct Gatherer {
    intake: Arc<Intake>,
    waiting: Arc<Waiting>,
    clock: Clock,
    /// How many lost clicks the log was told of, and when it may be told of more.
    told_lost: u64,
    next_telling: Duration,
}

impl Gatherer {
    pub(crate) fn new(intake: Arc<Intake>, waiting: Arc<Waiting>, clock: Clock) -> Self {
        Self { intake, waiting, clock, told_lost: 0, next_telling: Duration::ZERO }
    }

    /// Works until the intake is closed and everything that was recorded before that is gathered.
    pub(crate) fn run(mut self) {
        loop {
            // In this order: what was recorded before the wish to close is gathered in this round.
            let is_closing = self.intake.is_closing();
            let has_found = self.gather();
            self.tell_losses(is_closing);
            if is_closing {
                return self.waiting.close();
            }
            self.sleep(has_found);
        }
    }

    /// Takes what is in the rings; whether there was something.
    fn gather(&self) -> bool {
        let mut clicks = Vec::with_capacity(self.intake.rings.len());
        let gathered = self.intake.rings.drain(|click| clicks.push(click));
        if gathered > 0 {
            let lost = self.waiting.push(self.clock.now(), clicks);
            self.intake.tally.not_written(lost);
            // Last: whoever reads that so many were recorded also reads what became of them.
            self.intake.tally.gathered(gathered);
        }
        self.intake.tally.note_peak(gathered >= PEAK);
        gathered > 0
    }

    /// Says in the log when clicks were lost.
    fn tell_losses(&mut self, is_closing: bool) {
        let (lost, now) = (self.intake.tally.losses().all(), self.clock.monotonic());
        if lost > self.told_lost && (is_closing || now >= self.next_telling) {
            tracing::warn!(clicks = lost - self.told_lost, "clicks were lost; /metrics says why");
            (self.told_lost, self.next_telling) = (lost, now + SECOND);
        }
    }

    /// Sleeps for a while when clicks come, and until the first one when none do.
    fn sleep(&self, has_found: bool) {
        let (wish, nap) = if has_found { (Wish::Plenty, Some(NAP)) } else { (Wish::AnyClick, None) };
        self.intake.bell.sleep(wish, || self.intake.rings.have(wish), nap);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::recorder::seen::Seen;

    #[test]
    fn it_tells_a_peak_by_what_comes_in_a_nap() {
        let intake = Arc::new(Intake::new(1, thread::current()));
        let waiting = Arc::new(Waiting::new(usize::MAX));
        let gatherer = Gatherer::new(Arc::clone(&intake), waiting, Clock::system());
        for (clicks, is_peak) in [(PEAK - 1, false), (PEAK, true), (1, false), (PEAK, true), (0, false)] {
            (0..clicks).for_each(|_| intake.record(Seen::of(1)));
            assert_eq!((gatherer.gather(), intake.tally.is_peak()), (clicks > 0, is_peak), "{clicks}");
        }
    }
}
