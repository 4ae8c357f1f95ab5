//! How far the clicks of a spool are handed over: read from the topic that has it.

use std::collections::{BTreeMap, BTreeSet};

use hny_store::SpoolId;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::KafkaError;
use rdkafka::metadata::MetadataPartition;
use rdkafka::{Message, Offset, TopicPartitionList};
use serde::{Deserialize, Serialize};

use super::cluster::{BETWEEN_LOOKS, Cluster, Heard};
use super::deadline::Deadline;
use super::failure::KafkaFailure;
use super::topics;

const SCHEMA: u32 = 1;

/// A record of the topic.
#[derive(Debug, Serialize, Deserialize)]
struct Position {
    schema: u32,
    position: String,
}

/// What all records of a spool have in common. The last one counts.
pub(super) fn key(spool: SpoolId) -> String {
    format!("{:016x}", spool.0)
}

/// A record that says so.
pub(super) fn write(position: u64) -> serde_json::Result<String> {
    serde_json::to_string(&Position { schema: SCHEMA, position: position.to_string() })
}

fn read_record(record: &[u8]) -> Option<u64> {
    let Position { schema, position } = serde_json::from_slice(record).ok()?;
    if schema == SCHEMA { position.parse().ok() } else { None }
}

/// Reads up to which position the clicks of a spool are committed, 0 when none are. Nobody may have a transaction for it any more.
///
/// Everything that is in the topic now is waited for: a reader of what is committed is held up by any transaction that is still
/// open, also of another spool, and what is behind it may be ours.
pub(super) fn read(cluster: &Cluster, spool: SpoolId, deadline: &Deadline) -> Result<u64, KafkaFailure> {
    let reading = Reading { topic: topics::positions(cluster), heard: Heard::default(), deadline };
    let committed = cluster.consumer("read_committed", &reading.heard)?;
    let all = cluster.consumer("read_uncommitted", &reading.heard)?;
    let partitions = reading.partitions(&all)?;
    for &partition in &partitions {
        reading.wait_for(&committed, partition, reading.end(&all, partition)?)?;
    }
    drop(all);
    reading.last(&committed, partitions, key(spool).as_bytes())
}

struct Reading<'a> {
    topic: String,
    heard: Heard,
    deadline: &'a Deadline,
}

impl Reading<'_> {
    fn partitions(&self, consumer: &BaseConsumer<Heard>) -> Result<BTreeSet<i32>, KafkaFailure> {
        let found = consumer.fetch_metadata(Some(&self.topic), self.deadline.left());
        let found = self.heard.judge("where positions are", found, self.deadline)?;
        let topic = found.topics().iter().find(|topic| topic.name() == self.topic && !topic.partitions().is_empty());
        let partitions = topic.map(|topic| topic.partitions().iter().map(MetadataPartition::id).collect());
        partitions.ok_or_else(|| self.heard.late("where positions are"))
    }

    /// Where the records end that this consumer may see.
    fn end(&self, consumer: &BaseConsumer<Heard>, partition: i32) -> Result<i64, KafkaFailure> {
        let asked = consumer.fetch_watermarks(&self.topic, partition, self.deadline.left());
        self.heard.judge("where positions end", asked, self.deadline).map(|(_, end)| end)
    }

    /// Waits until no transaction is open before this end.
    fn wait_for(&self, committed: &BaseConsumer<Heard>, partition: i32, end: i64) -> Result<(), KafkaFailure> {
        while self.end(committed, partition)? < end {
            if self.deadline.is_over() {
                return Err(self.heard.late("for the end of another's transaction"));
            }
            committed.poll(BETWEEN_LOOKS);
        }
        Ok(())
    }

    /// Reads all partitions to their ends.
    fn last(&self, committed: &BaseConsumer<Heard>, mut left: BTreeSet<i32>, key: &[u8]) -> Result<u64, KafkaFailure> {
        let mut parts = TopicPartitionList::new();
        for &partition in &left {
            let added = parts.add_partition_offset(&self.topic, partition, Offset::Beginning);
            self.heard.judge("to read positions", added, self.deadline)?;
        }
        self.heard.judge("to read positions", committed.assign(&parts), self.deadline)?;
        // Where partitions were added, the earlier records are in another one; a position never goes back.
        let mut latest = BTreeMap::new();
        while !left.is_empty() {
            match committed.poll(self.deadline.left()) {
                Some(Ok(record)) if record.key() == Some(key) => {
                    let position = record.payload().map_or(Some(0), read_record);
                    let position = position.ok_or_else(|| KafkaFailure::Unreadable { topic: self.topic.clone() })?;
                    latest.insert(record.partition(), position);
                }
                Some(Err(KafkaError::PartitionEOF(partition))) => drop(left.remove(&partition)),
                // What is amiss now may not be later.
                Some(Ok(_) | Err(_)) => {}
                None => return Err(self.heard.late("to read positions")),
            }
        }
        Ok(latest.into_values().max().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for position in [0, 1, u64::MAX] {
            assert_eq!(read_record(write(position).unwrap().as_bytes()), Some(position));
        }
        assert_eq!(write(u64::MAX).unwrap(), r#"{"schema":1,"position":"18446744073709551615"}"#);
        for record in ["", "7", r#"{"schema":2,"position":"7"}"#, r#"{"schema":1,"position":"-7"}"#, r#"{"schema":1}"#]
        {
            assert_eq!(read_record(record.as_bytes()), None, "{record}");
        }
        assert_eq!(key(SpoolId(255)), "00000000000000ff");
    }
}
