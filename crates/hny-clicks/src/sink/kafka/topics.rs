//! The two topics: that of the clicks, and that of how far each spool's clicks are in it.

use std::sync::atomic::{AtomicBool, Ordering};

use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, ResourceSpecifier, TopicReplication};
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::types::RDKafkaErrorCode;

use super::address::POSITIONS;
use super::cluster::{BETWEEN_LOOKS, Cluster, Heard, LISTENING};
use super::deadline::Deadline;
use super::failure::KafkaFailure;

/// As many copies, or partitions, as the servers are set to.
const AS_SET: i32 = -1;

/// What the topic of positions is made with: it keeps the last of each spool, and is short, as all of it is read.
const KEPT: [(&str, &str); 4] = [
    ("cleanup.policy", COMPACT),
    ("segment.bytes", "1048576"),
    ("segment.ms", "3600000"),
    ("min.cleanable.dirty.ratio", "0.1"),
];
const COMPACT: &str = "compact";

/// Whether both are known to be as they must be.
#[derive(Debug, Default)]
pub(super) struct Topics {
    are_good: AtomicBool,
}

impl Topics {
    /// Makes what is missing, and sees to it that positions are not forgotten.
    pub(super) async fn ensure(&self, cluster: &Cluster, deadline: &Deadline) -> Result<(), KafkaFailure> {
        if self.are_good.load(Ordering::Relaxed) {
            return Ok(());
        }
        let admin = Admin::reach(cluster, deadline)?;
        admin.make(cluster).await?;
        admin.check(&positions(cluster)).await?;
        self.are_good.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// The topic of positions.
pub(super) fn positions(cluster: &Cluster) -> String {
    format!("{}{POSITIONS}", cluster.topic())
}

struct Admin<'a> {
    client: AdminClient<Heard>,
    options: AdminOptions,
    /// It makes no topic by asking for it, and can be listened to.
    witness: BaseConsumer<Heard>,
    heard: Heard,
    deadline: &'a Deadline,
}

impl<'a> Admin<'a> {
    /// Finds out first whether anybody answers: the client for what follows does not tell why nobody does.
    fn reach(cluster: &Cluster, deadline: &'a Deadline) -> Result<Self, KafkaFailure> {
        let heard = Heard::default();
        let witness = cluster.consumer("read_uncommitted", &heard)?;
        let found = witness.fetch_metadata(Some(cluster.topic()), deadline.left());
        while witness.poll(LISTENING).is_some() {}
        heard.judge("to reach it", found, deadline)?;
        let client = cluster.admin(&heard)?;
        let options = AdminOptions::new();
        let options = options.request_timeout(Some(deadline.left())).operation_timeout(Some(deadline.left()));
        Ok(Self { client, options, witness, heard, deadline })
    }

    async fn make(&self, cluster: &Cluster) -> Result<(), KafkaFailure> {
        let positions = positions(cluster);
        let topic = |name, partitions| NewTopic::new(name, partitions, TopicReplication::Fixed(AS_SET));
        let mut kept = topic(&positions, 1);
        kept.config.extend(KEPT);
        let made = self.client.create_topics(&[topic(cluster.topic(), AS_SET), kept], &self.options).await;
        let made = self.heard.judge("to make the topics", made, self.deadline)?;
        for (topic, error) in made.into_iter().filter_map(Result::err) {
            // Who may not make topics finds them there.
            if error != RDKafkaErrorCode::TopicAlreadyExists && !self.exists(&topic) {
                return Err(KafkaFailure::NoTopic { topic, why: error.to_string() });
            }
        }
        Ok(())
    }

    fn exists(&self, topic: &str) -> bool {
        let found = self.witness.fetch_metadata(Some(topic), self.deadline.left());
        found.is_ok_and(|found| found.topics().iter().any(|found| found.name() == topic && found.error().is_none()))
    }

    async fn check(&self, topic: &str) -> Result<(), KafkaFailure> {
        loop {
            match self.policy(topic).await? {
                Some(policy) if policy == COMPACT => return Ok(()),
                Some(policy) => return Err(KafkaFailure::Forgetful { topic: topic.to_owned(), policy }),
                // The server that is asked does not know it yet, or does not tell us.
                None if !self.deadline.is_over() => drop(self.witness.poll(BETWEEN_LOOKS)),
                None => {
                    let why = "its cleanup.policy is not told".to_owned();
                    return Err(KafkaFailure::NoTopic { topic: topic.to_owned(), why });
                }
            }
        }
    }

    async fn policy(&self, topic: &str) -> Result<Option<String>, KafkaFailure> {
        let asked = self.client.describe_configs(&[ResourceSpecifier::Topic(topic)], &self.options).await;
        let described = self.heard.judge("to describe the topic of positions", asked, self.deadline)?;
        let topic = described.into_iter().find_map(Result::ok);
        Ok(topic.and_then(|topic| topic.get("cleanup.policy")?.value.clone()))
    }
}
