//! What is asked about clicks, checked.

use hny_domain::{Dimension, FieldError, Problems, Span, Timestamp};

use super::calendar::{Calendar, Interval};
use super::period;

/// The most pieces that a series may have.
const MOST_BUCKETS: usize = 10_000;

/// What a caller asks, as it was written; `None` was not given.
#[derive(Debug, Clone, Copy, Default)]
pub struct QuestionInput<'a> {
    /// Where the time begins: a day or a time.
    pub from: Option<&'a str>,
    /// Where it ends: the first day or moment that is not in it.
    pub to: Option<&'a str>,
    /// How long the pieces of the series are.
    pub interval: Option<&'a str>,
    /// The time zone by whose calendar days are cut.
    pub tz: Option<&'a str>,
    /// By what the clicks are grouped.
    pub group_by: Option<&'a str>,
}

/// A question about clicks that can be answered.
#[derive(Debug, Clone)]
pub struct Question {
    span: Span,
    span_of_groups: Span,
    interval: Interval,
    calendar: Calendar,
    starts: Vec<Timestamp>,
    group_by: Option<Dimension>,
}

impl QuestionInput<'_> {
    /// What is asked, or everything that is wrong with it. The fields are called as on the wire.
    pub fn check(&self, now: Timestamp) -> Result<Question, Vec<FieldError>> {
        let mut problems = Problems::default();
        let interval = self.interval.map_or(Some(Interval::Day), |name| {
            problems.take("interval", Interval::of_name(name).ok_or("it is hour, day, week or month"))
        });
        let group_by = self.group_by.map_or(Some(None), |name| {
            problems.take("groupBy", Dimension::of_name(name).map(Some).ok_or_else(dimensions))
        });
        let calendar = self.tz.map_or(Some(Calendar::UTC), |name| {
            let unknown = "it is the name of a time zone in the IANA database, as in Europe/Berlin";
            problems.take("tz", Calendar::named(name).ok_or(unknown))
        });
        // In an unknown zone the ends are read all the same, for what is wrong with them.
        let span = period::read((self.from, self.to), calendar.as_ref().unwrap_or(&Calendar::UTC), now, &mut problems);
        let question = (|| {
            let (interval, calendar, span) = (interval?, calendar?, span?);
            let starts = problems.take("interval", starts(&calendar, interval, span))?;
            let span_of_groups = to_the_end_of_today(span, now);
            Some(Question { span, span_of_groups, interval, calendar, starts, group_by: group_by? })
        })();
        problems.finish(question)
    }
}

/// The time that is asked for, in UTC, where nothing but the clicks themselves is.
pub fn span_of(from: Option<&str>, to: Option<&str>, now: Timestamp) -> Result<Span, Vec<FieldError>> {
    let mut problems = Problems::default();
    let span = period::read((from, to), &Calendar::UTC, now, &mut problems);
    problems.finish(span)
}

impl Question {
    /// The time that is asked for.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The same, where all of today is asked for: nothing has come of what is left of it, and whole UTC days are counted already.
    pub(super) const fn span_of_groups(&self) -> Span {
        self.span_of_groups
    }

    /// How long the pieces of the series are.
    pub const fn interval(&self) -> Interval {
        self.interval
    }

    /// By what the clicks are grouped.
    pub const fn group_by(&self) -> Option<Dimension> {
        self.group_by
    }

    /// The name of the time zone by whose calendar days are cut.
    pub fn zone(&self) -> &str {
        self.calendar.name()
    }

    /// What the clock of the time zone shows at a moment: `2030-01-01T12:00`.
    pub fn local(&self, at: Timestamp) -> String {
        // All that can be asked for lies within the calendar.
        self.calendar.shown(at).unwrap_or_default()
    }

    /// The first moments of the pieces of the series, ascending; the first is the beginning of the span.
    pub(super) fn starts(&self) -> &[Timestamp] {
        &self.starts
    }
}

/// The first moments of the pieces of a span: it begins with one, cut by its beginning.
fn starts(calendar: &Calendar, interval: Interval, span: Span) -> Result<Vec<Timestamp>, String> {
    let starts = std::iter::successors(Some(span.from), |start| calendar.next(interval, *start));
    let starts: Vec<_> = starts.take_while(|start| *start < span.to).take(MOST_BUCKETS + 1).collect();
    if starts.len() <= MOST_BUCKETS {
        return Ok(starts);
    }
    Err(format!(
        "the time from 'from' to 'to' has more than {MOST_BUCKETS} of this; ask for a longer one, or for less time"
    ))
}

/// A span that goes on until now, to the end of the UTC day.
fn to_the_end_of_today(span: Span, now: Timestamp) -> Span {
    const DAY: i64 = 86_400_000;
    let end = Timestamp::from_millis((now.as_millis().div_euclid(DAY) + 1) * DAY);
    if now < span.to { Span { to: span.to.max(end), ..span } } else { span }
}

fn dimensions() -> String {
    format!("it is one of {}", Dimension::ALL.map(Dimension::name).join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: &str = "2026-11-30T12:07:00Z";

    fn check(input: QuestionInput<'_>) -> Result<Question, Vec<FieldError>> {
        input.check(Timestamp::parse(NOON).unwrap())
    }

    fn wrong(input: QuestionInput<'_>) -> Vec<String> {
        check(input).unwrap_err().into_iter().map(|problem| problem.field).collect()
    }

    #[test]
    fn nothing_said_is_the_last_thirty_days_by_day_in_utc() {
        let question = check(QuestionInput::default()).unwrap();
        assert_eq!((question.interval(), question.zone(), question.group_by()), (Interval::Day, "UTC", None));
        assert_eq!((question.starts().len(), question.starts()[0]), (31, question.span().from));
        assert_eq!(question.local(question.starts()[30]), "2026-11-30T00:00");
    }

    #[test]
    fn the_first_piece_begins_with_the_span_and_the_others_by_the_calendar() {
        let (from, to) = (Some("2026-10-24T10:20:00Z"), Some("2026-10-27T01:00:00Z"));
        let (interval, tz) = (Some("day"), Some("Europe/Berlin"));
        let question = check(QuestionInput { from, to, interval, tz, group_by: Some("os") }).unwrap();
        let starts: Vec<_> = question.starts().iter().map(|start| question.local(*start)).collect();
        assert_eq!(starts, ["2026-10-24T12:15", "2026-10-25T00:00", "2026-10-26T00:00", "2026-10-27T00:00"]);
        assert_eq!(question.group_by(), Some(Dimension::Os));
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let bad = Some("x");
        let all = QuestionInput { from: bad, to: bad, interval: bad, tz: bad, group_by: bad };
        assert_eq!(wrong(all), ["interval", "groupBy", "tz", "from", "to"]);
        for name in ["Day", "days", "", "year"] {
            assert_eq!(wrong(QuestionInput { interval: Some(name), ..QuestionInput::default() }), ["interval"]);
        }
    }

    #[test]
    fn groups_are_of_whole_days_where_nothing_has_come_yet() {
        let to = |to| {
            let question = check(QuestionInput { from: Some("2026-11-01"), to, ..QuestionInput::default() }).unwrap();
            (question.span().to.to_string(), question.span_of_groups().to.to_string())
        };
        let both = |at: &str| (at.to_owned(), at.to_owned());
        assert_eq!(to(None), ("2026-11-30T12:15:00.000Z".to_owned(), "2026-12-01T00:00:00.000Z".to_owned()));
        assert_eq!(to(Some("2026-11-30T12:00:00Z")), both("2026-11-30T12:00:00.000Z"));
        assert_eq!(to(Some("2026-12-01T09:00:00Z")), both("2026-12-01T09:00:00.000Z"));
    }

    #[test]
    fn a_series_has_an_end() {
        let question = |from, interval| check(QuestionInput { from, interval, ..QuestionInput::default() });
        // 10,000 hours before the last one that has begun.
        let most = question(Some("2025-10-09T21:00:00Z"), Some("hour")).unwrap();
        assert_eq!(most.starts().len(), 10_000);
        let more = question(Some("2025-10-09T20:59:00Z"), Some("hour")).unwrap_err();
        assert!(more[0].field == "interval" && more[0].detail.contains("more than 10000"), "{more:?}");
        assert!(question(Some("1970-01-01"), Some("hour")).is_err());
        assert_eq!(question(Some("1970-01-01"), Some("week")).unwrap().starts().len(), 2971);
    }
}
