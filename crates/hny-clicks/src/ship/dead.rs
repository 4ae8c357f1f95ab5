//! Where messages go that are no clicks.

use std::time::Duration;

use rdkafka::admin::{AdminOptions, NewTopic, TopicReplication};
use rdkafka::message::{Header, OwnedHeaders};
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};
use rdkafka::types::RDKafkaErrorCode;
use tokio::runtime::Handle;

use super::block::Sorted;
use super::failure::{ShipFailure, kafka};
use crate::sink::kafka::{Cluster, Heard};

/// What the name of their topic has more than that of the clicks.
const DEAD: &str = "-dead";

/// How long it may take to write them, or to make their topic.
const LIMIT: Duration = Duration::from_secs(10);

/// The topic for dead letters.
pub(super) struct DeadLetters {
    producer: BaseProducer<Heard>,
    topic: String,
}

impl DeadLetters {
    /// Makes the topic, if nobody has.
    pub(super) fn open(cluster: &Cluster, runtime: &Handle) -> Result<Self, ShipFailure> {
        let heard = Heard::default();
        let topic = format!("{}{DEAD}", cluster.topic());
        let client = |failure: crate::sink::kafka::KafkaFailure| ShipFailure::Client(failure.to_string());
        let admin = cluster.admin(&heard).map_err(client)?;
        let options = AdminOptions::new().request_timeout(Some(LIMIT)).operation_timeout(Some(LIMIT));
        let new = NewTopic::new(&topic, 1, TopicReplication::Fixed(-1));
        let made = runtime.block_on(admin.create_topics([&new], &options));
        for (topic, error) in
            made.map_err(kafka("to make the topic for dead letters"))?.into_iter().filter_map(Result::err)
        {
            if error != RDKafkaErrorCode::TopicAlreadyExists {
                // Somebody else may have made it who may; else it is told when there is a letter.
                tracing::debug!(topic, %error, "the topic for dead letters cannot be made");
            }
        }
        Ok(Self { producer: cluster.plain_producer(&heard).map_err(client)?, topic })
    }

    /// Its name.
    pub(super) fn topic(&self) -> &str {
        &self.topic
    }

    /// Keeps what is no click, with where it came from and why: a block that is made again writes it again.
    pub(super) fn bury(&self, sorted: &Sorted, partition: i32) -> Result<(), ShipFailure> {
        for (waiting, reason) in &sorted.dead {
            let place = format!("{partition}/{}", waiting.offset);
            tracing::warn!(place, %reason, topic = self.topic, "a message is no click");
            let reason = reason.to_string();
            let headers = OwnedHeaders::new()
                .insert(Header { key: "place", value: Some(&place) })
                .insert(Header { key: "reason", value: Some(&reason) });
            let record = BaseRecord::to(&self.topic).key(&place).headers(headers);
            let payload = waiting.payload.as_deref().unwrap_or_default();
            let sent = self.producer.send(record.payload(payload));
            sent.map_err(|(why, _)| kafka("to keep a dead letter")(why))?;
        }
        if sorted.dead.is_empty() {
            return Ok(());
        }
        self.producer.flush(LIMIT).map_err(kafka("to keep dead letters"))
    }
}
