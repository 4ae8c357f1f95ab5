//! How often links were followed.

use hny_domain::{Bucket, Group, Report};
use serde::Serialize;
use utoipa::ToSchema;

/// The statistics of a link, or of many.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Over all the time that was asked for.
    pub total: Total,
    /// The same time in pieces, without holes.
    pub series: Vec<BucketView>,
    /// By what was asked for; empty where nothing was.
    pub groups: Vec<GroupView>,
}

/// Sums.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Total {
    /// How often people followed a link.
    pub clicks: u64,
    /// How many visitors did, each counted once on each UTC day.
    pub uniques: u64,
    /// How often robots asked for a link.
    pub robots: u64,
}

/// A piece of time.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BucketView {
    /// Its first moment.
    pub start: String,
    /// How often people followed a link.
    pub clicks: u64,
    /// How many visitors did for the first time on their UTC day.
    pub uniques: u64,
}

/// What says the same.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupView {
    /// What it says; `null` is unknown, or not kept.
    pub value: Option<String>,
    /// How often people followed a link.
    pub clicks: u64,
    /// How many visitors did for the first time on their UTC day.
    pub uniques: u64,
}

impl Stats {
    /// How a report looks.
    pub fn of(report: &Report) -> Self {
        let hny_domain::Total { clicks, uniques, robots } = report.total;
        Self {
            total: Total { clicks, uniques, robots },
            series: report.series.iter().map(BucketView::of).collect(),
            groups: report.groups.iter().map(GroupView::of).collect(),
        }
    }
}

impl BucketView {
    fn of(bucket: &Bucket) -> Self {
        Self { start: bucket.start.to_string(), clicks: bucket.clicks, uniques: bucket.uniques }
    }
}

impl GroupView {
    fn of(group: &Group) -> Self {
        Self { value: group.value.as_deref().map(str::to_owned), clicks: group.clicks, uniques: group.uniques }
    }
}

#[cfg(test)]
mod tests {
    use hny_domain::{Timestamp, Total};

    use super::*;

    #[test]
    fn a_report() {
        let start = Timestamp::from_millis(1_893_456_000_000);
        let group = |value: Option<&str>| Group { value: value.map(Into::into), clicks: 2, uniques: 1 };
        insta::assert_json_snapshot!(Stats::of(&Report {
            total: Total { clicks: 4, uniques: 2, robots: 1 },
            series: vec![Bucket { start, clicks: 4, uniques: 2 }],
            groups: vec![group(Some("KR")), group(None)],
        }));
    }

    #[test]
    fn nothing() {
        let nothing = serde_json::to_string(&Stats::of(&Report::default())).unwrap();
        assert_eq!(nothing, r#"{"total":{"clicks":0,"uniques":0,"robots":0},"series":[],"groups":[]}"#);
    }
}
