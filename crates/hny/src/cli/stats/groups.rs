//! Groups as a table.

use std::fmt::Write;

use hny_domain::{Dimension, Group};

use super::terminal::Terminal;

/// How many groups are shown; `--json` has more.
const MOST: usize = 10;

/// The room that the numbers take, with what is between.
const NUMBERS: usize = 2 + 10 + 2 + 10;

/// The least room for a value.
const NARROWEST: usize = 8;

/// Puts the greatest groups behind `text`.
pub(super) fn push(text: &mut String, dimension: Dimension, groups: &[Group], terminal: Terminal) {
    let room = terminal.columns.saturating_sub(NUMBERS).max(NARROWEST);
    let shown = &groups[..groups.len().min(MOST)];
    let values: Vec<_> = shown.iter().map(|group| shown_as(group.value.as_deref(), room, terminal)).collect();
    let longest = |values: &[String]| values.iter().map(|value| value.chars().count()).max().unwrap_or_default();
    let width = longest(&values).max(dimension.name().len());
    let mut line = |value: &str, clicks: &str, visitors: &str| {
        // To write into a string does not fail.
        let _ = writeln!(text, "{value:<width$}  {clicks:>10}  {visitors:>10}");
    };
    line(dimension.name(), "clicks", "visitors");
    for (group, value) in shown.iter().zip(&values) {
        line(value, &group.clicks.to_string(), &group.uniques.to_string());
    }
    if groups.len() > shown.len() {
        let _ = writeln!(text, "and {} more", groups.len() - shown.len());
    }
}

/// A value on one line and cut to its room. Visitors chose it: what would steer the terminal is spelt out.
fn shown_as(value: Option<&str>, room: usize, terminal: Terminal) -> String {
    let Some(value) = value else { return "unknown".to_owned() };
    let is_plain = |c: char| c.is_ascii_graphic() || c == ' ' || (terminal.is_unicode && c.is_alphanumeric());
    let mut shown = String::new();
    for character in value.chars() {
        if is_plain(character) { shown.push(character) } else { shown.extend(character.escape_unicode()) }
    }
    if shown.chars().count() <= room {
        return shown;
    }
    let mark = if terminal.is_unicode { "…" } else { "~" };
    shown.chars().take(room - 1).chain(mark.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Terminal = Terminal { columns: 80, is_unicode: true };

    fn table(groups: &[Group], terminal: Terminal) -> Vec<String> {
        let mut text = String::new();
        push(&mut text, Dimension::Referrer, groups, terminal);
        text.lines().map(str::to_owned).collect()
    }

    fn group(value: Option<&str>, clicks: u64) -> Group {
        Group { value: value.map(Into::into), clicks, uniques: 1 }
    }

    #[test]
    fn the_greatest_are_shown_and_the_others_counted() {
        let table = table(&[group(Some("news.example"), 120), group(None, 7)], WIDE);
        assert_eq!(
            table,
            [
                "referrer          clicks    visitors",
                "news.example         120           1",
                "unknown                7           1"
            ]
        );
        let many: Vec<_> = (0..25).map(|number| group(Some(&number.to_string()), 1)).collect();
        let table = super::tests::table(&many, WIDE);
        assert_eq!((table.len(), &*table[11]), (12, "and 15 more"));
    }

    #[test]
    fn no_value_steers_the_terminal_or_leaves_its_line() {
        let hostile = "\u{1b}[2Jx\r\n\u{202e}y\u{9b}1m";
        for is_unicode in [true, false] {
            let table = table(&[group(Some(hostile), 1)], Terminal { columns: 200, is_unicode });
            assert_eq!(table.len(), 2);
            assert!(table[1].starts_with(r"\u{1b}[2Jx\u{d}\u{a}\u{202e}y\u{9b}1m "), "{table:?}");
        }
        let korean = |is_unicode| shown_as(Some("가"), 80, Terminal { columns: 80, is_unicode });
        assert_eq!((korean(true), korean(false)), ("가".to_owned(), r"\u{ac00}".to_owned()));
    }

    #[test]
    fn a_long_value_is_cut() {
        let long = "a".repeat(253);
        for columns in [0, 10, 32, 40, 80] {
            let table = table(&[group(Some(&long), 1)], Terminal { columns, is_unicode: true });
            assert!(
                table[1].chars().count() <= columns.max(NUMBERS + NARROWEST) && table[1].contains('…'),
                "{table:?}"
            );
        }
    }
}
