//! Clicks go to Kafka: each batch is one transaction, which holds the clicks and how far the spool is handed over with them.
//!
//! A producer that only numbers its messages hands them over twice when it has to begin anew. So the position is kept with them, in a
//! topic beside theirs that keeps the last record of each spool; and each spool has one name for transactions, by which Kafka shuts
//! out whoever had the spool before and ends what they left open. What is committed is known then, and is gone on from.

mod address;
mod cluster;
mod deadline;
mod failure;
pub(crate) mod message;
mod positions;
mod producer;
mod topics;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hny_domain::{Click, Clock};
use hny_store::{SpoolId, SpoolStep};

pub use address::{KafkaAddress, KafkaAddressError};
pub(crate) use cluster::{Cluster, Heard};
pub(crate) use failure::KafkaFailure;

use deadline::Deadline;
use producer::SpoolProducer;
use topics::Topics;

use crate::sink::{Answer, Sink};

/// How long a call may take, with all that it asks for. Then it has failed, and is tried again.
const LONGEST_CALL: Duration = Duration::from_secs(8);

/// A topic of Kafka as the place where clicks go. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Kafka(Arc<Inner>);

struct Inner {
    cluster: Cluster,
    clock: Clock,
    topics: Topics,
    /// Of the spools that are open here.
    producers: Mutex<BTreeMap<SpoolId, SpoolProducer>>,
}

impl Kafka {
    pub(crate) fn new(address: KafkaAddress, clock: Clock) -> Self {
        let (topics, producers) = (Topics::default(), Mutex::default());
        Self(Arc::new(Inner { cluster: Cluster::new(address), clock, topics, producers }))
    }

    /// Has something done within the time that a call may take, when the topics are as they must be.
    fn call<T: 'static>(
        &self,
        task: impl FnOnce(&Inner, &Deadline) -> Result<T, KafkaFailure> + Send + 'static,
    ) -> Answer<T> {
        let inner = Arc::clone(&self.0);
        Box::pin(async move {
            let deadline = Deadline::after(&inner.clock, LONGEST_CALL);
            inner.topics.ensure(&inner.cluster, &deadline).await?;
            Ok(task(&inner, &deadline)?)
        })
    }
}

impl Sink for Kafka {
    /// Whoever had the spool open has lost it then.
    fn open(&self, spool: SpoolId) -> Answer<u64> {
        self.call(move |inner, deadline| inner.open(spool, deadline))
    }

    fn take(&self, clicks: Vec<Click>, step: SpoolStep) -> Answer<bool> {
        self.call(move |inner, deadline| inner.take(&clicks, step, deadline))
    }

    fn forget(&self, spool: SpoolId) -> Answer<()> {
        self.call(move |inner, deadline| inner.forget(spool, deadline))
    }
}

/// All of these wait for Kafka: the thread that asks has nothing else to do.
impl Inner {
    fn open(&self, spool: SpoolId, deadline: &Deadline) -> Result<u64, KafkaFailure> {
        let mut producers = self.producers.lock().unwrap_or_else(PoisonError::into_inner);
        // Before the next is made: it would be shut out anyway.
        producers.remove(&spool);
        let producer = SpoolProducer::open(&self.cluster, spool, deadline)?;
        let position = producer.position();
        producers.insert(spool, producer);
        Ok(position)
    }

    fn take(&self, clicks: &[Click], step: SpoolStep, deadline: &Deadline) -> Result<bool, KafkaFailure> {
        let SpoolStep { spool, from, to } = step;
        let mut producers = self.producers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut entry = match producers.entry(spool) {
            Entry::Occupied(entry) => entry,
            Entry::Vacant(entry) => entry.insert_entry(SpoolProducer::open(&self.cluster, spool, deadline)?),
        };
        if entry.get().position() != from {
            return Ok(false);
        }
        let taken = entry.get_mut().take(clicks, to, deadline);
        if taken.is_err() {
            // Perhaps it was committed and the answer is lost. The next one knows.
            entry.remove();
        }
        taken.map(|()| true)
    }

    fn forget(&self, spool: SpoolId, deadline: &Deadline) -> Result<(), KafkaFailure> {
        let open = self.producers.lock().unwrap_or_else(PoisonError::into_inner).remove(&spool);
        let producer = match open {
            Some(producer) => producer,
            None => SpoolProducer::open(&self.cluster, spool, deadline)?,
        };
        producer.forget(deadline)
    }
}

#[cfg(test)]
mod tests;
