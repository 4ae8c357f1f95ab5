//! What a process has of one partition.

use std::collections::VecDeque;
use std::time::Duration;

use super::flight::Flight;
use super::plan::Plan;

/// How many messages a block has at most.
pub(super) const MOST: usize = 20_000;

/// How long a message waits for others.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// How many messages wait; while there are more, no more are asked for.
pub(super) const MOST_WAITING: usize = 2 * MOST;

/// A message, as it came.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) offset: i64,
    pub(super) payload: Option<Vec<u8>>,
}

/// A partition that is ours.
#[derive(Debug)]
pub(super) struct Partition {
    /// Where the next block begins; `None` where nothing was ever committed.
    pub(super) from: Option<i64>,
    /// What somebody has planned who did not get to its end.
    pub(super) planned: Option<Plan>,
    pub(super) waiting: VecDeque<Waiting>,
    /// When the first of those came that wait.
    since: Duration,
    /// The block that is under way.
    pub(super) flight: Option<Flight>,
    pub(super) is_paused: bool,
}

/// A block that is to be sent.
#[derive(Debug)]
pub(super) struct Due {
    pub(super) from: i64,
    pub(super) plan: Plan,
    /// Whether the group knows of the plan.
    pub(super) is_known: bool,
    pub(super) messages: Vec<Waiting>,
}

impl Partition {
    pub(super) fn new(from: Option<i64>, planned: Option<Plan>) -> Self {
        let (waiting, since) = (VecDeque::new(), Duration::ZERO);
        Self { from, planned, waiting, since, flight: None, is_paused: false }
    }

    pub(super) fn take(&mut self, message: Waiting, now: Duration) {
        if self.waiting.is_empty() {
            self.since = now;
        }
        self.waiting.push_back(message);
    }

    /// The next block, if it is time for one; `at` is the time by the calendar.
    pub(super) fn due(&mut self, now: Duration, at: i64) -> Option<Due> {
        let (first, last) = (self.waiting.front()?.offset, self.waiting.back()?.offset);
        if self.flight.is_some() {
            return None;
        }
        let (plan, is_known) = match self.planned {
            // All of it has come when its last message has, or one behind it has, as Kafka forgets the oldest.
            Some(plan) => ((last >= plan.end - 1).then_some(plan)?, true),
            None => (Plan { end: self.end(now)?, at }, false),
        };
        let count = self.waiting.partition_point(|message| message.offset < plan.end);
        let messages = self.waiting.drain(..count).collect();
        // What is left came at about the same time.
        Some(Due { from: self.from.unwrap_or(first), plan, is_known, messages })
    }

    fn end(&self, now: Duration) -> Option<i64> {
        let is_time = self.waiting.len() >= MOST || now.saturating_sub(self.since) >= LONGEST_WAIT;
        let last = self.waiting.get(self.waiting.len().min(MOST).checked_sub(1)?)?;
        is_time.then_some(last.offset + 1)
    }

    /// The block that was under way has arrived.
    pub(super) fn arrive(&mut self, end: i64) {
        (self.from, self.planned, self.flight) = (Some(end), None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partition(from: Option<i64>, planned: Option<Plan>, offsets: impl IntoIterator<Item = i64>) -> Partition {
        let mut partition = Partition::new(from, planned);
        for offset in offsets {
            partition.take(Waiting { offset, payload: None }, Duration::from_secs(5));
        }
        partition
    }

    fn due(partition: &mut Partition, seconds: u64) -> Option<(i64, i64, bool, Vec<i64>)> {
        let due = partition.due(Duration::from_secs(seconds), 77)?;
        let offsets = due.messages.iter().map(|message| message.offset).collect();
        Some((due.from, due.plan.end, due.is_known, offsets))
    }

    #[test]
    fn a_block_is_due_when_it_is_full_or_old() {
        // Offsets that are left out belong to what was never committed.
        let mut few = partition(Some(3), None, [4, 6, 9]);
        assert_eq!(due(&mut few, 5), None);
        assert_eq!(due(&mut few, 6), Some((3, 10, false, vec![4, 6, 9])));
        assert_eq!(due(&mut few, 9), None, "nothing is left");
        let most = i64::try_from(MOST).unwrap();
        let mut many = partition(None, None, 7..7 + most + 5);
        let (from, end, _, offsets) = due(&mut many, 5).unwrap();
        assert_eq!((from, end, offsets.len()), (7, 7 + most, MOST));
        many.arrive(end);
        assert_eq!(due(&mut many, 5), None);
        assert_eq!(due(&mut many, 6).unwrap().0, end);
    }

    #[test]
    fn what_was_planned_is_made_again_as_it_was() {
        let plan = Some(Plan { end: 7, at: 1 });
        let mut waits = partition(Some(3), plan, [4, 5]);
        assert_eq!(due(&mut waits, 100), None, "its last message has not come");
        waits.take(Waiting { offset: 6, payload: None }, Duration::ZERO);
        waits.take(Waiting { offset: 8, payload: None }, Duration::ZERO);
        assert_eq!(due(&mut waits, 0), Some((3, 7, true, vec![4, 5, 6])));
        let mut forgotten = partition(Some(3), plan, [9]);
        assert_eq!(due(&mut forgotten, 0), Some((3, 7, true, vec![])));
    }
}
