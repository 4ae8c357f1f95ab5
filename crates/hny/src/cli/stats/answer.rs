//! What `hny stats` answers: totals and a small chart for people, everything for machines.

use std::fmt;

use hny_clicks::{Interval, Question};
use hny_domain::Report;
use hny_wire::Stats;
use serde::Serialize;

use super::terminal::Terminal;
use super::{chart, groups};

/// The answer in both forms.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct Answer {
    stats: Stats,
    #[serde(skip)]
    text: String,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Answer {
    pub(super) fn new(report: &Report, question: &Question, terminal: Terminal) -> Self {
        Self { stats: Stats::of(report), text: text(report, question, terminal) }
    }
}

fn text(report: &Report, question: &Question, terminal: Terminal) -> String {
    let total = report.total;
    let [clicks, visitors, robots] =
        [(total.clicks, "click"), (total.uniques, "visitor"), (total.robots, "visit")].map(count);
    let [from, to] = [question.span().from, question.span().to].map(|at| question.local(at).replace('T', " "));
    let mut text = format!("{clicks} by {visitors}, {robots} by robots\n{from} to {to} {}\n", question.zone());
    if total.clicks > 0 {
        text.push('\n');
        chart::push(&mut text, &report.series, |bucket| label(question, bucket.start), terminal);
    }
    if let Some(dimension) = question.group_by().filter(|_| !report.groups.is_empty()) {
        text.push('\n');
        groups::push(&mut text, dimension, &report.groups, terminal);
    }
    text
}

fn count((number, noun): (u64, &str)) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// As much of a local time as tells one bucket from the next.
fn label(question: &Question, start: hny_domain::Timestamp) -> String {
    let shown = question.local(start).replace('T', " ");
    let length = match question.interval() {
        Interval::Hour => "2030-01-01 12:00".len(),
        Interval::Day | Interval::Week => "2030-01-01".len(),
        Interval::Month => "2030-01".len(),
    };
    shown.get(..length).unwrap_or(&shown).to_owned()
}

#[cfg(test)]
mod tests {
    use hny_clicks::QuestionInput;
    use hny_domain::{Bucket, Group, Timestamp, Total};

    use super::*;

    const TERMINAL: Terminal = Terminal { columns: 40, is_unicode: true };

    fn question(interval: &str, group_by: Option<&str>) -> Question {
        let (from, to) = (Some("2026-10-24"), Some("2026-10-27"));
        let input = QuestionInput { from, to, interval: Some(interval), tz: Some("Europe/Berlin"), group_by };
        input.check(Timestamp::from_millis(0)).unwrap()
    }

    fn report(clicks: [u64; 3]) -> Report {
        let starts = ["2026-10-23T22:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"];
        let bucket =
            |(start, clicks): (&str, u64)| Bucket { start: Timestamp::parse(start).unwrap(), clicks, uniques: 1 };
        Report {
            total: Total { clicks: clicks.iter().sum(), uniques: 3, robots: 1 },
            series: starts.into_iter().zip(clicks).map(bucket).collect(),
            groups: vec![Group { value: None, clicks: 6, uniques: 3 }],
        }
    }

    #[test]
    fn totals_chart_and_table() {
        let answer = Answer::new(&report([3, 1, 2]), &question("day", Some("country")), TERMINAL);
        let expected = "\
6 clicks by 3 visitors, 1 visit by robots
2026-10-24 00:00 to 2026-10-27 00:00 Europe/Berlin

2026-10-24  3 ██████████████████████████
2026-10-25  1 ████████▋
2026-10-26  2 █████████████████▎

country      clicks    visitors
unknown           6           3
";
        assert_eq!(answer.to_string(), expected);
        assert!(serde_json::to_string(&answer).unwrap().starts_with(r#"{"total":{"clicks":6,"#));
    }

    #[test]
    fn where_nobody_clicked_there_is_no_chart() {
        let nothing = Report { total: Total::default(), groups: Vec::new(), ..report([0, 0, 0]) };
        let answer = Answer::new(&nothing, &question("day", Some("country")), TERMINAL).to_string();
        assert_eq!(answer.lines().next(), Some("0 clicks by 0 visitors, 0 visits by robots"));
        assert_eq!(answer.lines().count(), 2);
    }

    #[test]
    fn labels_are_as_long_as_the_interval_needs() {
        let at = Timestamp::parse("2026-10-24T22:00:00Z").unwrap();
        for (interval, expected) in
            [("hour", "2026-10-25 00:00"), ("day", "2026-10-25"), ("week", "2026-10-25"), ("month", "2026-10")]
        {
            assert_eq!(label(&question(interval, None), at), expected);
        }
    }
}
