//! What clicks are in the databases: numbers and texts.

use std::sync::Arc;

use hny_domain::{Click, ClickId, Dimension, Timestamp, Traits, VisitKind, VisitorId};

/// The length of a UTC day, in milliseconds.
pub(crate) const DAY: i64 = 86_400_000;

/// The length of a quarter of an hour, in milliseconds.
pub(crate) const QUARTER: i64 = 900_000;

/// The longest text that is stored, in bytes. Keys of indexes must have an end.
const LONGEST: usize = 255;

/// The dimensions that are counted by day. Their numbers in the databases are their places here.
pub(crate) const DIMENSIONS: [Dimension; 6] = [
    Dimension::Country,
    Dimension::Referrer,
    Dimension::Browser,
    Dimension::Os,
    Dimension::Device,
    Dimension::Language,
];

/// The number of a dimension; `None` for the one that is not counted by day.
pub(crate) fn dimension(dimension: Dimension) -> Option<i16> {
    (0..).zip(DIMENSIONS).find(|(_, other)| *other == dimension).map(|(number, _)| number)
}

/// The number of the UTC day, since 1970-01-01.
pub(crate) fn day(at: Timestamp) -> i64 {
    at.as_millis().div_euclid(DAY)
}

/// The number of the quarter of an hour, since 1970-01-01.
pub(crate) fn quarter(at: Timestamp) -> i64 {
    at.as_millis().div_euclid(QUARTER)
}

/// A quarter of an hour by its number.
pub(crate) fn quarter_start(quarter: i64) -> Timestamp {
    Timestamp::from_millis(quarter.saturating_mul(QUARTER))
}

/// Databases have signed numbers only: turning the highest bit over keeps the order.
pub(crate) fn id(ClickId(id): ClickId) -> i64 {
    (id ^ 1 << 63).cast_signed()
}

pub(crate) fn click_id(id: i64) -> ClickId {
    ClickId(id.cast_unsigned() ^ 1 << 63)
}

pub(crate) fn visitor(click: &Click) -> Option<i64> {
    click.visitor.map(|VisitorId(visitor)| visitor.cast_signed())
}

pub(crate) fn visitor_id(visitor: i64) -> VisitorId {
    VisitorId(visitor.cast_unsigned())
}

/// The number of a kind.
pub(crate) fn kind(kind: VisitKind) -> i16 {
    match kind {
        VisitKind::Person => 0,
        VisitKind::Robot => 1,
        VisitKind::Prefetch => 2,
        VisitKind::Probe => 3,
    }
}

/// The kind that has a number.
pub(crate) fn visit_kind(number: i16) -> Option<VisitKind> {
    VisitKind::ALL.into_iter().find(|other| kind(*other) == number)
}

/// What is stored of a text: it, cut to the longest, and before a zero byte, which PostgreSQL does not take.
pub(crate) fn text(value: Option<&str>) -> &str {
    let value = value.unwrap_or_default();
    let value = &value[..value.floor_char_boundary(LONGEST)];
    value.find('\0').map_or(value, |end| &value[..end])
}

/// The text that was stored: none is unknown.
pub(crate) fn value(text: &str) -> Option<Arc<str>> {
    (!text.is_empty()).then(|| text.into())
}

/// The stored texts of a click, in the order of [`DIMENSIONS`].
pub(crate) fn texts(click: &Click) -> [&str; 6] {
    DIMENSIONS.map(|dimension| text(click.value(dimension)))
}

/// What is known of a visitor, from the stored texts.
pub(crate) fn traits(texts: [&str; 6]) -> Traits {
    let [country, referrer, browser, os, device, language] = texts.map(value);
    Traits { country, referrer, browser, os, device, language }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_their_order() {
        let ids = [0, 1, (1 << 63) - 1, 1 << 63, u64::MAX].map(ClickId);
        assert!(ids.map(id).is_sorted());
        assert_eq!(ids.map(id).map(click_id), ids);
    }

    #[test]
    fn texts_are_cut_between_characters_and_before_a_zero() {
        let long = "ä".repeat(200);
        assert_eq!(text(Some(&long)), "ä".repeat(127));
        assert_eq!([Some("a\0b"), Some("\0"), Some(""), None].map(text), ["a", "", "", ""]);
    }

    #[test]
    fn every_kind_is_found_by_its_number() {
        for each in VisitKind::ALL {
            assert_eq!(visit_kind(kind(each)), Some(each));
        }
        assert_eq!(visit_kind(4), None);
    }

    #[test]
    fn times_before_1970_have_days_too() {
        let at = Timestamp::from_millis(-1);
        assert_eq!((day(at), quarter(at), quarter_start(-1).as_millis()), (-1, -1, -QUARTER));
    }
}
