//! The handle by which clicks are recorded.

mod bell;
pub(crate) mod gatherer;
pub(crate) mod intake;
pub(crate) mod rings;
pub mod seen;
pub(crate) mod waiting;

use std::path::PathBuf;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use hny_domain::Clock;
use hny_store::{DatabaseId, SpoolId, Store};
use tokio::task;

use crate::recorder::gatherer::Gatherer;
use crate::recorder::intake::Intake;
use crate::recorder::seen::{Seen, Visited};
use crate::recorder::waiting::Waiting;
use crate::sink::Sink;
use crate::sink::enricher::Enricher;
use crate::sink::shipper::{self, Shipper};
use crate::spool::folder::Place;
use crate::spool::stock::Stock;
use crate::spool::syncer::Syncer;
use crate::spool::writer::{self, Writer};
use crate::visitor::anonymiser::{Anonymiser, Kept};
use crate::visitor::country::Countries;
use crate::visitor::keys::VisitorKeys;
use crate::{Counts, SpoolError};

/// How many bytes the clicks may take that wait in memory for the disk: half a million clicks, which a busy node records in some
/// seconds and most nodes not in a day.
const MOST_WAITING: usize = 128 << 20;

/// Records clicks. Cheap to clone; all clones are one. When the last is dropped, the threads hand over what is there and end.
#[derive(Debug, Clone)]
pub struct Recorder(Option<Arc<Road>>);

/// A road that leads somewhere.
#[derive(Debug)]
struct Road {
    intake: Arc<Intake>,
    waiting: Arc<Waiting>,
    stock: Arc<Stock>,
    clock: Clock,
    /// In the order in which they end.
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// Where clicks wait on disk until they are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spooling {
    /// The folder in which each process has a spool of its own; it is made if it is not there.
    pub folder: PathBuf,
    /// How many bytes the clicks may take there that this process ships; [`LEAST_LIMIT`](crate::LEAST_LIMIT) or more.
    pub limit: u64,
    /// The database that they are counted in.
    pub database: DatabaseId,
    /// The number of this process's spool: drawn, and never used again.
    pub spool: SpoolId,
}

/// What is kept of those who click, and what it takes to find that out.
#[derive(Debug, Clone)]
pub struct Visitors {
    /// What is kept.
    pub kept: Kept,
    /// Whose keys tell visitors apart.
    pub keys: VisitorKeys,
    /// Who knows where they are.
    pub countries: Countries,
}

impl Recorder {
    /// Records nothing, and costs nothing.
    pub const fn discarding() -> Self {
        Self(None)
    }

    /// Keeps clicks in `store`, by way of a spool. So many threads have a ring of their own; more may record.
    pub fn counting(
        store: Store,
        spooling: Spooling,
        visitors: Visitors,
        clock: Clock,
        threads: usize,
    ) -> Result<Self, SpoolError> {
        Self::start(Box::new(store), spooling, visitors, clock, threads)
    }

    /// Hands clicks over to a topic of Kafka, by way of a spool.
    #[cfg(feature = "kafka")]
    pub fn handing_over(
        address: crate::KafkaAddress,
        spooling: Spooling,
        visitors: Visitors,
        clock: Clock,
        threads: usize,
    ) -> Result<Self, SpoolError> {
        let kafka = crate::sink::kafka::Kafka::new(address, clock.clone());
        Self::start(Box::new(kafka), spooling, visitors, clock, threads)
    }

    fn start(
        sink: Box<dyn Sink>,
        spooling: Spooling,
        visitors: Visitors,
        clock: Clock,
        threads: usize,
    ) -> Result<Self, SpoolError> {
        let Spooling { folder, limit, database, spool } = spooling;
        let Visitors { kept, keys, countries } = visitors;
        let place = Place { path: folder, database };
        let own = place.make(spool)?;
        let folder = own.path.clone();
        let (waiting, stock) = (Arc::new(Waiting::new(MOST_WAITING)), Arc::new(Stock::new(own, limit)));
        // The gatherer is handed to its thread, since it has to know the thread: that is whom the bell wakes.
        let (hand, handed) = mpsc::channel::<Gatherer>();
        let gatherer = spawn("hny-clicks", move || handed.recv().map_or((), Gatherer::run))?;
        let intake = Arc::new(Intake::new(threads, gatherer.thread().clone()));
        let parts = writer::Parts {
            intake: Arc::clone(&intake),
            waiting: Arc::clone(&waiting),
            stock: Arc::clone(&stock),
            clock: clock.clone(),
            folder,
            limit,
            anonymiser: Anonymiser { keys, countries, kept },
        };
        let writer = Writer::new(parts, Syncer::start().map_err(SpoolError::Thread)?);
        let shipper = Shipper::new(shipper::Parts {
            intake: Arc::clone(&intake),
            stock: Arc::clone(&stock),
            sink,
            place,
            clock: clock.clone(),
            enricher: Enricher::new(kept),
        });
        let others = [spawn("hny-spool", || writer.run())?, spawn("hny-ship", || shipper.run())?];
        // It waits for exactly this.
        drop(hand.send(Gatherer::new(Arc::clone(&intake), Arc::clone(&waiting), clock.clone())));
        let threads = Mutex::new([gatherer].into_iter().chain(others).collect());
        Ok(Self(Some(Arc::new(Road { intake, waiting, stock, clock, threads }))))
    }

    /// Records a click: one step that never waits, whatever the store does. Where there is no room the click is dropped and
    /// counted as lost.
    ///
    /// A click is in the spool within 100 ms, and in the store with the next flush: within a second or two, if the store is quick.
    /// After [`Recorder::close`] nothing is counted any more.
    pub fn record(&self, visited: Visited<'_>) {
        if let Some(road) = &self.0 {
            road.intake.record(Seen::new(visited));
        }
    }

    /// Whether anything becomes of what is recorded.
    pub const fn is_recording(&self) -> bool {
        self.0.is_some()
    }

    /// How many clicks there were, and what became of them.
    pub fn counts(&self) -> Counts {
        self.0.as_ref().map_or_else(Counts::default, |road| road.counts())
    }

    /// Takes everything recorded so far, writes it into the spool, hands it over, and ends the threads. Returns when that is done;
    /// what the store does not take then is left in the spool for the next process. Closing again is nothing.
    pub async fn close(&self) {
        let Some(road) = self.0.clone() else { return };
        if let Err(error) = task::spawn_blocking(move || road.close()).await {
            tracing::warn!(%error, "the recording of clicks was not closed in order");
        }
    }
}

impl Road {
    fn counts(&self) -> Counts {
        // In this order: clicks go from one to the next, so none is missed. Some may be seen twice for a moment.
        let counts = self.intake.tally.counts();
        let in_rings = self.intake.rings.len() as u64;
        let (in_memory, since) = self.waiting.pending();
        let (in_spool, before) = self.stock.pending();
        let now = self.clock.now().as_millis();
        let age = before.or(since).map_or(0, |oldest| now.saturating_sub(oldest.as_millis()));
        let oldest = Duration::from_millis(u64::try_from(age).unwrap_or(0));
        Counts { pending: in_rings + in_memory + in_spool, oldest, ..counts }
    }

    fn close(&self) {
        // Held until the threads have ended, so that whoever else closes waits for that too.
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        self.intake.close();
        for thread in threads.drain(..) {
            let name = thread.thread().name().unwrap_or_default().to_owned();
            if thread.join().is_err() {
                tracing::error!(thread = name, "a thread that counts clicks had panicked");
            }
        }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, SpoolError> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map_err(SpoolError::Thread)
}

impl Drop for Road {
    fn drop(&mut self) {
        self.intake.close();
    }
}

#[cfg(test)]
mod tests;
