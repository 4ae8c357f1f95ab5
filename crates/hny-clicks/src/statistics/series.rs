//! From quarters of an hour to the pieces of a series.

use hny_domain::{Bucket, KindCounts, Quarter, Timestamp};

/// What quarters sum to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Series {
    /// The pieces.
    pub(super) buckets: Vec<Bucket>,
    /// Visits over all of them.
    pub(super) counts: KindCounts,
    /// Uniques over all of them.
    pub(super) uniques: u64,
}

impl Series {
    /// Puts each quarter into the piece in which it begins; pieces begin at `starts`, ascending. What is before all of them is in none.
    pub(super) fn of(quarters: &[Quarter], starts: &[Timestamp]) -> Self {
        let buckets = starts.iter().map(|&start| Bucket { start, clicks: 0, uniques: 0 }).collect();
        let mut series = Self { buckets, ..Self::default() };
        for quarter in quarters {
            series.add(quarter);
        }
        series
    }

    fn add(&mut self, quarter: &Quarter) {
        let behind = self.buckets.partition_point(|bucket| bucket.start <= quarter.start);
        let Some(bucket) = behind.checked_sub(1).and_then(|place| self.buckets.get_mut(place)) else { return };
        bucket.clicks += quarter.counts.clicks;
        bucket.uniques += quarter.uniques;
        self.uniques += quarter.uniques;
        self.counts.clicks += quarter.counts.clicks;
        self.counts.robots += quarter.counts.robots;
        self.counts.prefetches += quarter.counts.prefetches;
        self.counts.probes += quarter.counts.probes;
    }
}
