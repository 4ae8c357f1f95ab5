//! What clicks change in the counts: by link, by quarter of an hour, and by day and what they say.

use std::collections::BTreeMap;

use hny_domain::{Click, VisitKind};

use crate::stored_click::{day, kind, quarter, texts};

/// Differences to counts, by ascending keys: whoever writes counts writes them in the same order as everybody else.
#[derive(Debug, Default)]
pub(crate) struct Tally<'a> {
    /// By link.
    pub(crate) clicks: BTreeMap<i64, i64>,
    /// By link and quarter.
    pub(crate) quarters: BTreeMap<(i64, i64), QuarterCounts>,
    /// By link, dimension, day and value.
    pub(crate) days: BTreeMap<(i64, i16, i64, &'a str), DayCounts>,
}

/// Differences to the counts of a quarter.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct QuarterCounts {
    /// By the number of the kind.
    pub(crate) visits: [i64; 4],
    pub(crate) uniques: i64,
}

/// Differences to the counts of a value on a day.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct DayCounts {
    pub(crate) clicks: i64,
    pub(crate) uniques: i64,
}

impl<'a> Tally<'a> {
    /// Of clicks that were stored, each with whether it is its visitor's first, and of those that were first before.
    pub(crate) fn of_taken(stored: &[(&'a Click, bool)], dethroned: &'a [Click]) -> Self {
        let mut tally = Self::default();
        for &(click, is_first) in stored {
            tally.count(click, 1, i64::from(is_first));
        }
        for click in dethroned {
            tally.count(click, 0, -1);
        }
        tally
    }

    /// Of clicks that were removed.
    pub(crate) fn of_removed(removed: &'a [(Click, bool)]) -> Self {
        let mut tally = Self::default();
        for (click, is_first) in removed {
            tally.count(click, -1, -i64::from(*is_first));
        }
        tally
    }

    fn count(&mut self, click: &'a Click, visits: i64, uniques: i64) {
        let link = click.link.0;
        let counts = self.quarters.entry((link, quarter(click.at))).or_default();
        if let Some(of_kind) = counts.visits.get_mut(usize::from(kind(click.kind).cast_unsigned())) {
            *of_kind += visits;
        }
        counts.uniques += uniques;
        if click.kind == VisitKind::Person {
            *self.clicks.entry(link).or_default() += visits;
            self.count_values(click, visits, uniques);
        }
    }

    fn count_values(&mut self, click: &'a Click, visits: i64, uniques: i64) {
        let day = day(click.at);
        for (dimension, value) in (0..).zip(texts(click)) {
            let counts = self.days.entry((click.link.0, dimension, day, value)).or_default();
            counts.clicks += visits;
            counts.uniques += uniques;
        }
    }
}
