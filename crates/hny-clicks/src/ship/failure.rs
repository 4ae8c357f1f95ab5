//! Why shipping begins anew.

use rdkafka::error::KafkaError;
use thiserror::Error;

/// What went wrong with the membership in the group.
#[derive(Debug, Error)]
pub enum ShipFailure {
    /// Kafka did not do it.
    #[error("Kafka: {what}: {why}")]
    Kafka {
        /// What was asked for.
        what: &'static str,
        /// What its client says.
        why: KafkaError,
    },
    /// A client cannot be made.
    #[error("{0}")]
    Client(String),
    /// The process stood still for so long that others may have what it had.
    #[error("the process stood still for some time, and begins anew")]
    StoodStill,
    /// What is committed beside an offset is none of ours.
    #[error("a later version has shipped partition {partition}, or something else has: {metadata:?} is no plan")]
    NoPlan {
        /// The partition.
        partition: i32,
        /// What is there.
        metadata: String,
    },
    /// A block was given up, as a task that panicked was.
    #[error("a block was given up: {0}")]
    GivenUp(String),
}

/// Makes one of an error of the client.
pub(super) fn kafka(what: &'static str) -> impl FnOnce(KafkaError) -> ShipFailure {
    move |why| ShipFailure::Kafka { what, why }
}
