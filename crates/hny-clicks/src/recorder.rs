//! The handle by which clicks are recorded.

use std::io;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use hny_domain::{Click, Clock};
use hny_store::Store;
use tokio::task;

use crate::Counts;
use crate::intake::Intake;
use crate::sink::{self, Sink};
use crate::writer::Writer;

/// Records clicks. Cheap to clone; all clones are one. When the last is dropped, the writer takes what is there and ends.
#[derive(Debug, Clone)]
pub struct Recorder(Option<Arc<Road>>);

/// A road that leads somewhere.
#[derive(Debug)]
struct Road {
    intake: Arc<Intake>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Recorder {
    /// Records nothing, and costs nothing.
    pub const fn discarding() -> Self {
        Self(None)
    }

    /// Counts the clicks of each link in `store`. So many threads have a ring of their own; more may record.
    pub fn counting(store: Store, clock: Clock, threads: usize) -> io::Result<Self> {
        Self::start(sink::store(store), clock, threads)
    }

    fn start(sink: Sink, clock: Clock, threads: usize) -> io::Result<Self> {
        // The writer is handed to its thread, since it has to know the thread: that is whom the bell wakes.
        let (hand, handed) = mpsc::channel::<Writer>();
        let thread = thread::Builder::new().name("hny-clicks".to_owned()).spawn(move || {
            if let Ok(writer) = handed.recv() {
                writer.run();
            }
        })?;
        let intake = Arc::new(Intake::new(threads, thread.thread().clone()));
        // It waits for exactly this.
        drop(hand.send(Writer::new(Arc::clone(&intake), sink, clock)));
        Ok(Self(Some(Arc::new(Road { intake, thread: Mutex::new(Some(thread)) }))))
    }

    /// Records a click: one step that never waits, whatever the store does. Where there is no room the click is dropped and
    /// counted as lost.
    ///
    /// A click is out of the thread's ring within 100 ms, and in the store with the next flush: within a second or two, if the
    /// store is quick. After [`Recorder::close`] nothing is counted any more.
    pub fn record(&self, click: Click) {
        if let Some(road) = &self.0 {
            road.intake.record(click);
        }
    }

    /// How many clicks there were, and what became of them.
    pub fn counts(&self) -> Counts {
        self.0.as_ref().map_or_else(Counts::default, |road| road.intake.tally.counts(road.intake.rings.len()))
    }

    /// Takes everything recorded so far, hands it over, and ends the writer. Returns when that is done; what the store does not
    /// take then is lost and counted so. Closing again is nothing.
    pub async fn close(&self) {
        let Some(road) = self.0.clone() else { return };
        if let Err(error) = task::spawn_blocking(move || road.close()).await {
            tracing::warn!(%error, "the recording of clicks was not closed in order");
        }
    }
}

impl Road {
    fn close(&self) {
        // Held until the thread has ended, so that whoever else closes waits for that too.
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        self.intake.close();
        if thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread that counts clicks had panicked");
        }
    }
}

impl Drop for Road {
    fn drop(&mut self) {
        self.intake.close();
    }
}

#[cfg(test)]
mod tests;
