//! What can go wrong with Kafka.

use thiserror::Error;

/// Why Kafka has not taken clicks, or has not said how far it has. No message has a password in it.
#[derive(Debug, Error)]
pub(crate) enum KafkaFailure {
    /// It refuses, or cannot be reached.
    #[error("Kafka: {what}: {why}")]
    Refused {
        /// What was asked for.
        what: &'static str,
        /// What the library says.
        why: String,
    },
    /// It does not answer. What was asked for may have been done, or not.
    #[error("Kafka does not answer in time: {what}{}", in_brackets(.heard.as_deref()))]
    Late {
        /// What was asked for.
        what: &'static str,
        /// What the library has said last.
        heard: Option<String>,
    },
    /// A topic that nobody has made, and that we may not make.
    #[error("Kafka has no topic {topic:?} and does not let us make it ({why}); make it as docs/clicks.md says")]
    NoTopic {
        /// Its name.
        topic: String,
        /// Why.
        why: String,
    },
    /// A topic that forgets what must be known for as long as a spool is there.
    #[error(
        "the topic {topic:?} says how far clicks are handed over, and must not forget that: set its cleanup.policy to compact; it is {policy:?}"
    )]
    Forgetful {
        /// Its name.
        topic: String,
        /// What is set.
        policy: String,
    },
    /// What is in the topic of positions is none.
    #[error("the topic {topic:?} has a record for this spool that is no position; was it written by a later version?")]
    Unreadable {
        /// Its name.
        topic: String,
    },
}

fn in_brackets(heard: Option<&str>) -> String {
    heard.map(|heard| format!(" ({heard})")).unwrap_or_default()
}
