//! A span as the counts have it: whole UTC days, and what is left of days at its edges.

use std::ops::Range;

use hny_domain::Span;

use crate::stored_click::DAY;

/// The parts of a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parts {
    /// Its whole days, by number.
    pub(crate) days: Range<i64>,
    /// What lies before and behind them, in milliseconds.
    pub(crate) edges: [Range<i64>; 2],
    /// All days that it touches, in milliseconds.
    pub(crate) around: Range<i64>,
}

impl Parts {
    pub(crate) fn of(span: Span) -> Self {
        let (from, to) = (span.from.as_millis(), span.to.as_millis().max(span.from.as_millis()));
        let (first, last) = (day_from(from), to.div_euclid(DAY));
        let around = from.div_euclid(DAY).saturating_mul(DAY)..day_from(to).saturating_mul(DAY);
        if first < last {
            let edges = [from..first * DAY, last * DAY..to];
            return Self { days: first..last, edges, around };
        }
        Self { days: first..first, edges: [from..to, to..to], around }
    }
}

/// The first day that begins at a time or later.
fn day_from(millis: i64) -> i64 {
    millis.div_euclid(DAY) + i64::from(millis.rem_euclid(DAY) > 0)
}

#[cfg(test)]
mod tests {
    use hny_domain::Timestamp;

    use super::*;

    fn parts(from: i64, to: i64) -> Parts {
        Parts::of(Span { from: Timestamp::from_millis(from), to: Timestamp::from_millis(to) })
    }

    #[test]
    fn whole_days_have_no_edges() {
        let two = parts(3 * DAY, 5 * DAY);
        assert_eq!((two.days, two.around), (3..5, 3 * DAY..5 * DAY));
        assert!(two.edges.iter().all(Range::is_empty));
    }

    #[test]
    fn what_is_left_is_at_the_edges() {
        let most = parts(3 * DAY + 1, 6 * DAY - 1);
        assert_eq!(most.days, 4..5);
        assert_eq!(most.edges, [3 * DAY + 1..4 * DAY, 5 * DAY..6 * DAY - 1]);
        assert_eq!(most.around, 3 * DAY..6 * DAY);
    }

    #[test]
    fn a_span_without_a_whole_day_is_all_edge() {
        for (from, to) in [(5, 10), (DAY - 1, DAY + 1), (1, 2 * DAY - 1), (7, 7), (9, 2)] {
            let part = parts(from, to);
            assert!(part.days.is_empty() && part.edges[1].is_empty(), "{from} {to}");
            assert_eq!(part.edges[0], from..to.max(from));
        }
    }
}
