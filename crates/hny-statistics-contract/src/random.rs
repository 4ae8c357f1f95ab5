//! Clicks at random, close together, so that they meet.

use hny_domain::{Click, ClickId, LinkId, Span, Timestamp, Traits, VisitKind, VisitorId};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

const QUARTER: i64 = 900_000;

/// The first day of these clicks: before and after the next midnight it is another month.
pub const FIRST_DAY: i64 = 20_484;

/// How many days they are on.
pub const DAYS: i64 = 3;

/// A random click, of one of so many links.
#[derive(Debug, Clone)]
pub struct Random {
    link: usize,
    quarter: i64,
    millis: i64,
    visitor: Option<u64>,
    kind: u8,
    values: [u8; 6],
    id: u64,
}

/// Draws a value of a strategy.
///
/// # Panics
///
/// When the strategy rejects whatever it draws.
pub fn draw<S: Strategy>(runner: &mut TestRunner, strategy: &S) -> S::Value {
    strategy.new_tree(runner).unwrap_or_else(|reason| panic!("nothing can be drawn: {reason}")).current()
}

/// Some clicks of so many links, and the order in which they are handed over: each in one batch.
pub fn deliveries(links: usize) -> impl Strategy<Value = (Vec<Random>, Vec<Vec<usize>>)> {
    orders(links, 0)
}

/// The same, where up to so many are handed over more than once.
pub fn repeated_deliveries(links: usize, again: usize) -> impl Strategy<Value = (Vec<Random>, Vec<Vec<usize>>)> {
    orders(links, again)
}

fn orders(links: usize, again: usize) -> impl Strategy<Value = (Vec<Random>, Vec<Vec<usize>>)> {
    prop::collection::vec(click(links), 1..60).prop_flat_map(move |clicks| {
        let count = clicks.len();
        let again = prop::collection::vec(0..count, 0..=again);
        let order = again.prop_map(move |again| (0..count).chain(again).collect::<Vec<_>>()).prop_shuffle();
        let batches =
            (order, 1..20_usize).prop_map(|(order, size)| order.chunks(size).map(<[usize]>::to_vec).collect());
        (Just(clicks), batches)
    })
}

fn click(links: usize) -> impl Strategy<Value = Random> {
    let millis = prop_oneof![Just(0), Just(QUARTER - 1), 0..QUARTER];
    let kind = prop_oneof![8 => Just(0_u8), 2 => 1..4_u8];
    let visitor = prop::option::weighted(0.9, 0..4_u64);
    // Many at few times, and some at midnight.
    let quarter = prop_oneof![0..DAYS * 96, 90..100_i64, Just(96)];
    let values = prop::array::uniform6(0..3_u8);
    (0..links, quarter, millis, visitor, kind, values, any::<u64>()).prop_map(
        |(link, quarter, millis, visitor, kind, values, id)| Random {
            link,
            quarter,
            millis,
            visitor,
            kind,
            values,
            id,
        },
    )
}

impl Random {
    /// The click, with a number of its own.
    ///
    /// # Panics
    ///
    /// When it is of more links than these.
    #[must_use]
    pub fn click(&self, number: usize, links: &[LinkId]) -> Click {
        let [country, referrer, browser, os, device, language] = self.values.map(value);
        Click {
            id: ClickId(self.id / 1000 * 1000 + number as u64),
            link: links[self.link],
            at: Timestamp::from_millis((FIRST_DAY * 96 + self.quarter) * QUARTER + self.millis),
            kind: VisitKind::ALL[usize::from(self.kind)],
            // The largest, as half of all are larger than what a database takes for a number.
            visitor: self.visitor.map(|visitor| VisitorId(u64::MAX - visitor)),
            traits: Traits { country, referrer, browser, os, device, language },
        }
    }
}

fn value(number: u8) -> Option<std::sync::Arc<str>> {
    [None, Some("a"), Some("B")][usize::from(number)].map(Into::into)
}

/// Some spans: all days, the second, and any two.
pub fn spans() -> impl Strategy<Value = Vec<Span>> {
    let any = (0..DAYS * 96, 0..DAYS * 96).prop_map(|(one, other)| span(one.min(other), one.max(other)));
    prop::collection::vec(any, 2).prop_map(|spans| [vec![span(0, DAYS * 96), span(96, 2 * 96)], spans].concat())
}

/// The day before all of them.
#[must_use]
pub fn before() -> Span {
    span(-96, 0)
}

fn span(from: i64, to: i64) -> Span {
    let at = |quarter| Timestamp::from_millis((FIRST_DAY * 96 + quarter) * QUARTER);
    Span { from: at(from), to: at(to) }
}
