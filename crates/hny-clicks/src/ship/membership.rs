//! Being one of those who share the partitions.

use std::sync::{Arc, Mutex, PoisonError};

use rdkafka::ClientContext;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::consumer::{BaseConsumer, ConsumerContext, Rebalance};
use rdkafka::error::KafkaError;
use rdkafka::topic_partition_list::{TopicPartitionList, TopicPartitionListElem};

use crate::sink::kafka::Heard;

/// What the group has decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Decision {
    /// These partitions are ours.
    Ours(Vec<i32>),
    /// These are ours no more.
    Lost(Vec<i32>),
}

/// Hears what the group decides, on the thread that listens, and nowhere else: nothing is decided behind its back.
#[derive(Debug, Clone, Default)]
pub(super) struct Membership {
    decisions: Arc<Mutex<Vec<Decision>>>,
    heard: Heard,
}

impl Membership {
    /// What was decided since the last time.
    pub(super) fn decisions(&self) -> Vec<Decision> {
        std::mem::take(&mut self.decisions.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, decision: Decision) {
        self.decisions.lock().unwrap_or_else(PoisonError::into_inner).push(decision);
    }
}

impl ClientContext for Membership {
    fn log(&self, level: RDKafkaLogLevel, part: &str, message: &str) {
        self.heard.log(level, part, message);
    }

    fn error(&self, error: KafkaError, reason: &str) {
        self.heard.error(error, reason);
    }
}

impl ConsumerContext for Membership {
    fn pre_rebalance(&self, _: &BaseConsumer<Self>, rebalance: &Rebalance<'_>) {
        let partitions =
            |list: &TopicPartitionList| list.elements().iter().map(TopicPartitionListElem::partition).collect();
        match rebalance {
            Rebalance::Assign(list) => self.note(Decision::Ours(partitions(list))),
            Rebalance::Revoke(list) => self.note(Decision::Lost(partitions(list))),
            Rebalance::Error(error) => tracing::warn!(%error, "the group cannot share the partitions"),
        }
    }
}
