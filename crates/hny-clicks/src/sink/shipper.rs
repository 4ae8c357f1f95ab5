//! The shipper: the one thread that reads the spools and hands their clicks over to the sink.

use std::io;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use hny_domain::Clock;
use hny_store::{SpoolId, SpoolStep};
use thiserror::Error;

use crate::recorder::intake::Intake;
use crate::sink::enricher::Enricher;
use crate::sink::haul::{self, Haul};
use crate::sink::pace::Pace;
use crate::sink::{Answer, Sink, SinkError};
use crate::spool::Spool;
use crate::spool::folder::{Folder, Place};
use crate::spool::stock::Stock;

/// How often it looks whether a process has left clicks behind.
const BETWEEN_LOOKS: Duration = Duration::from_secs(10);

/// How long it sleeps at most while there is something to ship: nobody tells it of the end of a peak.
const LONGEST_SLEEP: Duration = Duration::from_secs(1);

/// How long the handing over may take at the end. What is left then is in the spool, for the next start.
const LONGEST_END: Duration = Duration::from_secs(10);

/// What the thread owns.
pub(crate) struct Shipper {
    intake: Arc<Intake>,
    stock: Arc<Stock>,
    sink: Box<dyn Sink>,
    place: Place,
    clock: Clock,
    pace: Pace,
    enricher: Enricher,
    /// Up to where the clicks of the spool are counted that is shipped.
    position: Option<(SpoolId, u64)>,
    /// What is on its way.
    haul: Option<Haul>,
    next_look: Duration,
    /// When the end has come, and until when there is time.
    end: Option<Duration>,
}

/// What became of an attempt to ship.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// It brought us further.
    Shipped,
    /// There is nothing to ship.
    Idle,
}

/// Why something could not be shipped now.
#[derive(Debug, Error)]
enum Failure {
    #[error(transparent)]
    Sink(#[from] SinkError),
    #[error("the spool cannot be read")]
    Spool(#[from] io::Error),
    #[error("others have counted clicks of this spool")]
    Moved,
}

/// What a shipper works with.
pub(crate) struct Parts {
    pub(crate) intake: Arc<Intake>,
    pub(crate) stock: Arc<Stock>,
    pub(crate) sink: Box<dyn Sink>,
    pub(crate) place: Place,
    pub(crate) clock: Clock,
    pub(crate) enricher: Enricher,
}

impl Shipper {
    pub(crate) fn new(Parts { intake, stock, sink, place, clock, enricher }: Parts) -> Self {
        Self {
            intake,
            stock,
            sink,
            place,
            clock,
            pace: Pace::default(),
            enricher,
            position: None,
            haul: None,
            next_look: Duration::ZERO,
            end: None,
        }
    }

    /// Works until the writer has ended and everything is shipped, or cannot be.
    pub(crate) fn run(mut self) {
        loop {
            // In this order: what was there at the start is adopted, however soon the end comes.
            self.adopt();
            self.note_end();
            if self.end.is_some() || self.wait().is_zero() {
                match self.try_to_ship() {
                    Some(Outcome::Shipped) if !self.is_late() => continue,
                    _ if self.end.is_some() => return self.tell_rest(),
                    Some(_) | None => {}
                }
            }
            self.sleep();
        }
    }

    fn note_end(&mut self) {
        if self.end.is_none() && self.stock.is_ended() {
            self.end = Some(self.clock.monotonic() + LONGEST_END);
        }
    }

    fn is_late(&self) -> bool {
        self.end.is_some_and(|end| self.clock.monotonic() >= end)
    }

    /// Says what is left for the next start.
    fn tell_rest(&self) {
        let (clicks, _) = self.stock.pending();
        if clicks > 0 {
            tracing::warn!(clicks, "clicks are left in the spool; the next start counts them");
        }
    }

    /// Takes what processes have left behind that are gone.
    fn adopt(&mut self) {
        let now = self.clock.monotonic();
        if now < self.next_look || self.end.is_some() {
            return;
        }
        self.next_look = now + BETWEEN_LOOKS;
        match self.place.left_behind() {
            Ok(folders) => folders.into_iter().for_each(|folder| self.adopt_one(folder)),
            Err(error) => tracing::warn!(%error, path = ?self.place.path, "the spool cannot be looked into"),
        }
    }

    fn adopt_one(&self, folder: Folder) {
        let path = folder.path.clone();
        match Spool::left_behind(folder) {
            Ok(spool) => {
                let clicks = spool.left();
                tracing::info!(clicks, ?path, "a process has left clicks behind; they are counted now");
                self.stock.adopt(spool);
            }
            Err(error) => tracing::warn!(%error, ?path, "clicks that were left behind cannot be read"),
        }
    }

    /// `None` when it failed.
    fn try_to_ship(&mut self) -> Option<Outcome> {
        let began = self.clock.monotonic();
        match self.ship(began) {
            Ok(outcome) => Some(outcome),
            Err(failure) => {
                self.fail(&failure, began);
                None
            }
        }
    }

    /// Makes one change of the sink, if there is something to ship.
    fn ship(&mut self, began: Duration) -> Result<Outcome, Failure> {
        if self.haul.is_none() {
            self.haul = match self.stock.first() {
                Some(spool) => self.next_haul(spool)?,
                None => None,
            };
        }
        let Some(haul) = &self.haul else { return self.finish() };
        let step = SpoolStep { spool: haul.spool, from: haul.from, to: haul.until };
        if !wait_for(self.sink.take(haul.clicks.clone(), step))? {
            return Err(Failure::Moved);
        }
        self.stock.shipped(haul.segment, haul.clicks.len() as u64);
        (self.position, self.haul) = (Some((step.spool, step.to)), None);
        if self.pace.has_failed() {
            tracing::info!("clicks are counted again");
        }
        self.pace.changed(began, self.clock.monotonic(), self.waiting() >= haul::FEWEST as u64);
        Ok(Outcome::Shipped)
    }

    /// How many clicks wait.
    fn waiting(&self) -> u64 {
        self.stock.pending().0
    }

    /// How many clicks are taken at once. At a peak a change is a short one, unless there is no time to lose.
    fn enough(&self) -> usize {
        let has_time = self.intake.tally.is_peak() && !self.stock.is_much();
        if has_time { haul::FEWEST } else { haul::enough(self.waiting()) }
    }

    /// What there is to ship of a spool.
    fn next_haul(&mut self, spool: SpoolId) -> Result<Option<Haul>, Failure> {
        let position = match self.position {
            Some((other, position)) if other == spool => position,
            _ => wait_for(self.sink.open(spool))?,
        };
        self.position = Some((spool, position));
        let Some(extent) = self.stock.begin_shipping(position) else { return Ok(None) };
        let haul = Haul::read(spool, position, &extent, self.enough(), &mut self.enricher)?;
        self.intake.tally.damaged(haul.damaged);
        self.stock.ship_until(haul.until);
        Ok(Some(haul))
    }

    /// Removes the first spool if all of it is shipped and nobody writes it.
    fn finish(&mut self) -> Result<Outcome, Failure> {
        let Some(Spool { folder, .. }) = self.stock.take_finished() else { return Ok(Outcome::Idle) };
        let spool = folder.spool;
        folder.remove()?;
        // Only now: with its files there, and not known, it would be counted once more. What nobody forgets takes a row.
        if let Err(error) = wait_for(self.sink.forget(spool)) {
            tracing::debug!(%error, "a spool that is gone is not forgotten");
        }
        Ok(Outcome::Shipped)
    }

    /// It is tried again later: the same change, as long as nobody else has counted some of its clicks.
    fn fail(&mut self, failure: &Failure, began: Duration) {
        if !matches!(failure, Failure::Sink(_)) {
            (self.haul, self.position) = (None, None);
            self.stock.give_up_shipping();
        }
        let (clicks, _) = self.stock.pending();
        if self.pace.failed(began, self.clock.monotonic()) {
            tracing::warn!(%failure, clicks, "clicks cannot be counted now; they are kept in the spool until they can");
        } else {
            tracing::debug!(%failure, clicks, "clicks still cannot be counted");
        }
    }

    /// How long it is until something may be shipped.
    fn wait(&self) -> Duration {
        self.pace.wait(self.clock.monotonic(), self.stock.is_much(), self.intake.tally.is_peak())
    }

    /// Sleeps until there is something new, until what there is may be shipped, or until it is time to look around.
    fn sleep(&self) {
        let look = self.next_look.saturating_sub(self.clock.monotonic());
        self.stock.wait(if self.stock.has_work() { look.min(self.wait()).min(LONGEST_SLEEP) } else { look });
    }
}

/// Has the calling thread sleep until an answer is there.
fn wait_for<T>(mut answer: Answer<T>) -> Result<T, SinkError> {
    let waker = Waker::from(Arc::new(Sleeper(thread::current())));
    loop {
        match answer.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(answer) => return answer,
            Poll::Pending => thread::park(),
        }
    }
}

/// A thread that waits for an answer.
struct Sleeper(Thread);

impl Wake for Sleeper {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
