//! A series as bars, one a line.

use std::fmt::Write;

use hny_domain::Bucket;

use super::terminal::Terminal;

/// The longest bar: more would not be seen at a glance.
const LONGEST: usize = 60;

/// A cell of a bar, from an eighth to all of it.
const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// Puts a line for each bucket behind `text`: its label, its clicks, and a bar as long as these are many.
pub(super) fn push(text: &mut String, series: &[Bucket], label: impl Fn(&Bucket) -> String, terminal: Terminal) {
    let most = series.iter().map(|bucket| bucket.clicks).max().unwrap_or_default();
    let digits = most.to_string().len();
    for bucket in series {
        let label = label(bucket);
        let room = terminal.columns.saturating_sub(label.len() + digits + 3).min(LONGEST);
        let bar = bar(bucket.clicks, most, room, terminal.is_unicode);
        let line = format!("{label}  {:>digits$} {bar}", bucket.clicks);
        // To write into a string does not fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// A bar for `clicks`, where one of `most` has `room` cells. Whatever is more than nothing can be seen.
fn bar(clicks: u64, most: u64, room: usize, is_unicode: bool) -> String {
    let steps = if is_unicode { EIGHTHS.len() } else { 1 };
    let exact = u128::from(clicks) * (room * steps) as u128 / u128::from(most.max(1));
    // Not more than the room, which is a number of columns.
    let length = usize::try_from(exact).unwrap_or(room).max(usize::from(clicks > 0)).min(room * steps);
    if !is_unicode {
        return "#".repeat(length);
    }
    let part = (length % steps).checked_sub(1).map(|eighth| EIGHTHS[eighth]);
    std::iter::repeat_n('█', length / steps).chain(part).collect()
}

#[cfg(test)]
mod tests {
    use hny_domain::Timestamp;

    use super::*;

    fn lines(clicks: &[u64], columns: usize, is_unicode: bool) -> Vec<String> {
        let start = Timestamp::from_millis(0);
        let series: Vec<_> = clicks.iter().map(|&clicks| Bucket { start, clicks, uniques: 0 }).collect();
        let mut text = String::new();
        push(&mut text, &series, |_| "2030-01".to_owned(), Terminal { columns, is_unicode });
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn bars_are_as_long_as_clicks_are_many() {
        let unicode = lines(&[80, 40, 45, 1, 0], 22, true);
        assert_eq!(
            unicode,
            ["2030-01  80 ██████████", "2030-01  40 █████", "2030-01  45 █████▋", "2030-01   1 ▏", "2030-01   0"]
        );
        let ascii = lines(&[80, 40, 45, 1, 0], 22, false);
        assert_eq!(
            ascii,
            ["2030-01  80 ##########", "2030-01  40 #####", "2030-01  45 #####", "2030-01   1 #", "2030-01   0"]
        );
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_while_label_and_number_fit() {
        for columns in 12..200 {
            for is_unicode in [true, false] {
                let lines = lines(&[u64::from(u32::MAX), 7, 1], columns + 10, is_unicode);
                assert!(lines.iter().all(|line| line.chars().count() <= columns + 10), "{columns} {lines:?}");
            }
        }
        assert_eq!(lines(&[5, 1], 3, true), ["2030-01  5", "2030-01  1"], "without room there are no bars");
        assert_eq!(lines(&[u64::MAX, 1], 500, true)[0].chars().filter(|c| *c == '█').count(), LONGEST);
    }
}
