use std::collections::BTreeMap;

use hny_domain::{KindCounts, Timestamp};
use proptest::prelude::*;

use super::*;

fn group(value: Option<&str>, clicks: u64) -> Group {
    Group { value: value.map(Into::into), clicks, uniques: 0 }
}

#[test]
fn groups_are_in_one_order_wherever_they_come_from() {
    let sorted = [group(Some("b"), 3), group(Some("A"), 1), group(Some("a"), 1), group(None, 1)];
    let mut groups = sorted.to_vec();
    for _ in 0..4 {
        groups.rotate_left(1);
        assert_eq!(most(groups.clone()), sorted);
    }
    let many = (0..1_500).map(|number| group(Some(&number.to_string()), number)).collect();
    let most = most(many);
    assert_eq!((most.len(), most[999].clicks), (1_000, 500));
}

const QUARTER_MS: i64 = 900_000;

const ZONES: [&str; 7] =
    ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Africa/Cairo", "Asia/Beirut", "Pacific/Apia"];

/// A question over some days of this zone, from and to any moment.
fn question(zone: &str, interval: Interval, from: i64, millis: i64) -> Question {
    let [from, to] = [from, from + millis].map(|millis| Timestamp::from_millis(millis).to_string());
    let (from, to) = (Some(&*from), Some(&*to));
    let input = QuestionInput { from, to, interval: Some(interval.name()), tz: Some(zone), group_by: None };
    input.check(Timestamp::from_millis(0)).unwrap()
}

fn any_question() -> impl Strategy<Value = Question> {
    let zone = proptest::sample::select(&ZONES[..]);
    let interval = proptest::sample::select(&Interval::ALL[..]);
    let (from, millis) = (1_290_000_000_000..1_900_000_000_000_i64, 1..40 * 86_400_000_i64);
    (zone, interval, from, millis).prop_map(|(zone, interval, from, millis)| question(zone, interval, from, millis))
}

proptest! {
    #[test]
    fn every_click_is_in_the_piece_that_its_clock_names(
        question in any_question(), places in proptest::collection::vec((0.0..1.0, 0..5_u64), 0..60),
    ) {
        let Span { from, to } = question.span();
        let quarters = (to.as_millis() - from.as_millis()) / QUARTER_MS;
        let mut clicks: BTreeMap<Timestamp, u64> = BTreeMap::new();
        for (place, count) in places {
            #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a place among some thousand")]
            let quarter = (place * quarters as f64) as i64;
            *clicks.entry(Timestamp::from_millis(from.as_millis() + quarter * QUARTER_MS)).or_default() += count;
        }
        let kept: Vec<_> = clicks.iter().map(|(&start, &clicks)| Quarter {
            start,
            counts: KindCounts { clicks, robots: 2 * clicks, prefetches: 3, probes: 4 },
            uniques: clicks / 2,
        }).collect();
        let series = Series::of(&kept, question.starts());
        // It is whole, and without holes: the pieces are those of the question, whatever was clicked.
        let starts: Vec<_> = series.buckets.iter().map(|bucket| bucket.start).collect();
        prop_assert_eq!(&starts, question.starts());
        prop_assert_eq!(starts[0], from);
        prop_assert!(starts.is_sorted_by(|one, next| one < next) && starts.iter().all(|start| *start < to));
        // It sums to the total, and the total to what was clicked.
        let clicked = clicks.values().sum();
        prop_assert_eq!((series.counts.clicks, series.counts.robots), (clicked, 2 * clicked));
        prop_assert_eq!(series.buckets.iter().map(|bucket| bucket.clicks).sum::<u64>(), clicked);
        prop_assert_eq!(series.buckets.iter().map(|bucket| bucket.uniques).sum::<u64>(), series.uniques);
        // By the naive way: each quarter in the last piece that has begun.
        for bucket in &series.buckets {
            let end = starts.iter().copied().find(|start| *start > bucket.start).unwrap_or(to);
            let sum: u64 = clicks.range(bucket.start..end).map(|(_, count)| *count).sum();
            prop_assert_eq!(bucket.clicks, sum);
        }
    }
}
