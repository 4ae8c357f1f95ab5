//! Handing over the clicks of one spool: each batch is one transaction, which has the new position in it.

use hny_domain::Click;
use hny_store::SpoolId;
use rdkafka::error::KafkaError;
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};
use rdkafka::types::RDKafkaErrorCode;

use super::cluster::{Cluster, Heard, LISTENING};
use super::deadline::Deadline;
use super::failure::KafkaFailure;
use super::{message, positions, topics};

/// The one producer of a spool: as soon as somebody makes another, this one is refused.
///
/// After any failure it is of no use any more, as nobody knows what has become of its transaction. Whoever makes the next one does.
pub(super) struct SpoolProducer {
    producer: BaseProducer<Heard>,
    heard: Heard,
    spool: SpoolId,
    clicks: String,
    positions: String,
    position: u64,
}

impl SpoolProducer {
    /// Shuts out whoever had the spool before, has Kafka end their transaction, and reads how far they have come.
    pub(super) fn open(cluster: &Cluster, spool: SpoolId, deadline: &Deadline) -> Result<Self, KafkaFailure> {
        let heard = Heard::default();
        let (clicks, positions) = (cluster.topic().to_owned(), topics::positions(cluster));
        let producer = cluster.producer(&format!("{positions}-{}", positions::key(spool)), &heard)?;
        let begun = producer.init_transactions(deadline.left());
        // What it has to say is heard only when it is listened to.
        producer.poll(LISTENING);
        heard.judge("to begin with a spool", begun, deadline)?;
        let position = positions::read(cluster, spool, deadline)?;
        Ok(Self { producer, heard, spool, clicks, positions, position })
    }

    /// Up to which position the clicks of the spool are handed over.
    pub(super) const fn position(&self) -> u64 {
        self.position
    }

    /// Hands over clicks, up to this position.
    pub(super) fn take(&mut self, clicks: &[Click], to: u64, deadline: &Deadline) -> Result<(), KafkaFailure> {
        self.fill(clicks, to, deadline)?;
        self.commit(deadline)?;
        self.position = to;
        Ok(())
    }

    /// Begins a transaction and puts clicks into it, and the position.
    pub(super) fn fill(&self, clicks: &[Click], to: u64, deadline: &Deadline) -> Result<(), KafkaFailure> {
        self.begin(deadline)?;
        let mut message = Vec::new();
        for click in clicks {
            message.clear();
            message::write(click, &mut message).map_err(|error| refused(&error))?;
            let key = message::key(click);
            self.send(BaseRecord::to(&self.clicks).key(key.as_str()).payload(message.as_slice()), deadline)?;
        }
        let (key, position) = (positions::key(self.spool), positions::write(to).map_err(|error| refused(&error))?);
        self.send(BaseRecord::to(&self.positions).key(key.as_str()).payload(position.as_bytes()), deadline)
    }

    /// Has the position forgotten.
    pub(super) fn forget(self, deadline: &Deadline) -> Result<(), KafkaFailure> {
        self.begin(deadline)?;
        let key = positions::key(self.spool);
        self.send(BaseRecord::<str, [u8]>::to(&self.positions).key(key.as_str()), deadline)?;
        self.commit(deadline)
    }

    fn begin(&self, deadline: &Deadline) -> Result<(), KafkaFailure> {
        self.heard.judge("to begin a transaction", self.producer.begin_transaction(), deadline)
    }

    /// Puts a record into the transaction, when there is room.
    fn send(&self, mut record: BaseRecord<'_, str, [u8]>, deadline: &Deadline) -> Result<(), KafkaFailure> {
        loop {
            match self.producer.send(record) {
                Ok(()) => return Ok(()),
                Err((KafkaError::MessageProduction(RDKafkaErrorCode::QueueFull), back)) if !deadline.is_over() => {
                    record = back;
                    self.producer.poll(LISTENING);
                }
                Err((error, _)) => return self.heard.judge("to send", Err(error), deadline),
            }
        }
    }

    /// Makes what is in the transaction visible, when all of it is where it should be.
    pub(super) fn commit(&self, deadline: &Deadline) -> Result<(), KafkaFailure> {
        self.wait_until_sent(deadline)?;
        self.heard.judge("to commit", self.producer.commit_transaction(deadline.left()), deadline)
    }

    pub(super) fn wait_until_sent(&self, deadline: &Deadline) -> Result<(), KafkaFailure> {
        while self.producer.in_flight_count() > 0 {
            if deadline.is_over() {
                return Err(self.heard.late("to send"));
            }
            self.producer.poll(LISTENING);
        }
        Ok(())
    }
}

fn refused(error: &serde_json::Error) -> KafkaFailure {
    KafkaFailure::Refused { what: "a click cannot be written", why: error.to_string() }
}
