//! One membership in the group, from joining it to leaving it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use hny_domain::Clock;
use rdkafka::consumer::{BaseConsumer, CommitMode, Consumer};
use rdkafka::message::Message;
use rdkafka::{Offset, TopicPartitionList};
use tokio::runtime::Handle;

use super::block::Sorted;
use super::dead::DeadLetters;
use super::failure::{ShipFailure, kafka};
use super::flight::{Carrier, Flight, Pulse};
use super::membership::{Decision, Membership};
use super::partition::{Due, MOST_WAITING, Partition, Waiting};
use super::plan::Plan;
use super::{Shipped, Shipping, Stop};
use crate::sink::kafka::Cluster;

/// How long it listens at a time, when nothing comes.
const LISTENING: Duration = Duration::from_millis(50);

/// How many messages are taken before it looks what else is to be done.
const MESSAGES_AT_ONCE: usize = 5_000;

/// How long Kafka may take to say what is committed.
const LIMIT: Duration = Duration::from_secs(10);

/// How long what is under way may take at the end.
const LONGEST_END: Duration = Duration::from_secs(10);

/// A member.
pub(super) struct Session {
    consumer: BaseConsumer<Membership>,
    membership: Membership,
    topic: String,
    dead: DeadLetters,
    carrier: Carrier,
    partitions: BTreeMap<i32, Partition>,
    shipped: Arc<Shipped>,
    clock: Clock,
    runtime: Handle,
}

impl Session {
    pub(super) fn join(shipping: &Shipping, shipped: &Arc<Shipped>, runtime: &Handle) -> Result<Self, ShipFailure> {
        let cluster = Cluster::new(shipping.kafka.clone());
        let dead = DeadLetters::open(&cluster, runtime)?;
        let membership = Membership::default();
        let consumer = cluster.member(&membership).map_err(|failure| ShipFailure::Client(failure.to_string()))?;
        consumer.subscribe(&[cluster.topic()]).map_err(kafka("to join the group"))?;
        let pulse = Pulse::new(shipping.clock.clone());
        let carrier = Carrier { clickhouse: shipping.clickhouse.clone(), store: shipping.store.clone(), pulse };
        Ok(Self {
            consumer,
            membership,
            topic: cluster.topic().to_owned(),
            dead,
            carrier,
            partitions: BTreeMap::new(),
            shipped: Arc::clone(shipped),
            clock: shipping.clock.clone(),
            runtime: runtime.clone(),
        })
    }

    /// Ships until it is told to stop. An error ends the membership: whoever has the partitions next goes on from what is committed.
    pub(super) fn run(&mut self, stop: &Stop) -> Result<(), ShipFailure> {
        while !stop.is_told() {
            self.listen()?;
            self.land()?;
            self.depart()?;
        }
        let end = self.clock.monotonic() + LONGEST_END;
        while self.partitions.values().any(|partition| partition.flight.is_some()) && self.clock.monotonic() < end {
            self.listen()?;
            self.land()?;
        }
        Ok(())
    }

    /// Takes what has come.
    fn listen(&mut self) -> Result<(), ShipFailure> {
        let mut patience = LISTENING;
        for _ in 0..MESSAGES_AT_ONCE {
            if !self.carrier.pulse.beat() {
                return Err(ShipFailure::StoodStill);
            }
            let came = self.consumer.poll(patience);
            let message = came.transpose().map_err(kafka("to read messages"))?.map(|message| {
                let payload = message.payload().map(<[u8]>::to_vec);
                (message.partition(), Waiting { offset: message.offset(), payload })
            });
            self.heed()?;
            let Some((partition, message)) = message else { break };
            let now = self.clock.monotonic();
            if let Some(partition) = self.partitions.get_mut(&partition) {
                partition.take(message, now);
            }
            patience = Duration::ZERO;
        }
        self.pace()
    }

    /// Does what the group has decided.
    fn heed(&mut self) -> Result<(), ShipFailure> {
        for decision in self.membership.decisions() {
            match decision {
                // What is under way may still arrive: whoever has it now sends the same.
                Decision::Lost(partitions) => self.partitions.retain(|number, _| !partitions.contains(number)),
                Decision::Ours(partitions) => self.begin(&partitions)?,
            }
        }
        Ok(())
    }

    /// Reads how far partitions are shipped, and what was planned.
    fn begin(&mut self, partitions: &[i32]) -> Result<(), ShipFailure> {
        let mut asked = TopicPartitionList::new();
        for &partition in partitions {
            asked.add_partition(&self.topic, partition);
        }
        let committed = self.consumer.committed_offsets(asked, LIMIT).map_err(kafka("to read what is committed"))?;
        for part in committed.elements() {
            part.error().map_err(kafka("to read what is committed"))?;
            let (partition, metadata) = (part.partition(), part.metadata());
            let planned =
                Plan::read(metadata).map_err(|()| ShipFailure::NoPlan { partition, metadata: metadata.to_owned() })?;
            let from = match part.offset() {
                Offset::Offset(offset) => Some(offset),
                _ => None,
            };
            tracing::info!(partition, ?from, ?planned, "ships a partition");
            self.partitions.insert(partition, Partition::new(from, planned));
        }
        Ok(())
    }

    /// Asks for no more of a partition of which much is here, and for more when it is not.
    fn pace(&mut self) -> Result<(), ShipFailure> {
        for (&number, partition) in &mut self.partitions {
            let is_full = partition.waiting.len() >= MOST_WAITING;
            if is_full != partition.is_paused {
                let mut list = TopicPartitionList::new();
                list.add_partition(&self.topic, number);
                let done = if is_full { self.consumer.pause(&list) } else { self.consumer.resume(&list) };
                done.map_err(kafka("to pause or resume"))?;
                partition.is_paused = is_full;
            }
        }
        Ok(())
    }

    /// Sends the blocks that are due.
    fn depart(&mut self) -> Result<(), ShipFailure> {
        let (now, at) = (self.clock.monotonic(), self.clock.now().as_millis());
        let due = |(&number, partition): (&i32, &mut Partition)| Some((number, partition.due(now, at)?));
        let due: Vec<_> = self.partitions.iter_mut().filter_map(due).collect();
        for (number, due) in due {
            let flight = self.send(number, due)?;
            if let Some(partition) = self.partitions.get_mut(&number) {
                partition.flight = Some(flight);
            }
        }
        Ok(())
    }

    fn send(&self, partition: i32, due: Due) -> Result<Flight, ShipFailure> {
        let Due { from, plan, is_known, messages } = due;
        if !is_known {
            self.commit(partition, from, &plan.written())?;
        }
        let sorted = Sorted::of(messages);
        self.dead.bury(&sorted, partition)?;
        self.count_dead(sorted.dead.len() as u64, partition);
        let token = plan.token(&self.topic, partition, from);
        let task = self.runtime.spawn(self.carrier.clone().carry(token, sorted.clicks));
        Ok(Flight { end: plan.end, task })
    }

    /// Counts what is kept aside, and tells an operator how much that is by now: there is nowhere else to see it while it runs.
    fn count_dead(&self, messages: u64, partition: i32) {
        if messages > 0 {
            let dead = self.shipped.dead.fetch_add(messages, Ordering::Relaxed) + messages;
            tracing::warn!(
                partition,
                messages,
                dead,
                topic = self.dead.topic(),
                "messages that are no clicks are kept aside"
            );
        }
    }

    /// Notes the blocks that have arrived.
    fn land(&mut self) -> Result<(), ShipFailure> {
        let landed = |(number, partition): (&i32, &mut Partition)| {
            let has_landed = partition.flight.as_ref().is_some_and(|flight| flight.task.is_finished());
            has_landed.then(|| Some((*number, partition.flight.take()?))).flatten()
        };
        let landed: Vec<_> = self.partitions.iter_mut().filter_map(landed).collect();
        for (number, mut flight) in landed {
            let clicks = self.runtime.block_on(&mut flight.task);
            let clicks = clicks.map_err(|error| ShipFailure::GivenUp(error.to_string()))?;
            self.commit(number, flight.end, "")?;
            self.shipped.clicks.fetch_add(clicks, Ordering::Relaxed);
            tracing::debug!(partition = number, end = flight.end, clicks, "a block of clicks has arrived");
            if let Some(partition) = self.partitions.get_mut(&number) {
                partition.arrive(flight.end);
            }
        }
        Ok(())
    }

    /// Kafka takes it only from who is a member of the group as it is now.
    fn commit(&self, partition: i32, offset: i64, metadata: &str) -> Result<(), ShipFailure> {
        let mut list = TopicPartitionList::new();
        let mut part = list.add_partition(&self.topic, partition);
        part.set_offset(Offset::Offset(offset)).map_err(kafka("to commit"))?;
        part.set_metadata(metadata);
        self.consumer.commit(&list, CommitMode::Sync).map_err(kafka("to commit"))
    }
}
