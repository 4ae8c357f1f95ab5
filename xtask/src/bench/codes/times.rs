//! The times that the benches of `hny-codes` show, and the goals they are held against.

use serde_json::{Value, json};

/// How long one maker takes for one code, in nanoseconds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Time {
    name: String,
    fastest: f64,
    median: f64,
}

/// What a maker may take, in nanoseconds.
const GOALS: &[(&str, f64)] = &[
    ("base62_decode", 20.0),
    ("base62_encode", 20.0),
    ("base62_encode_padded", 20.0),
    ("permuted 11", 5_000.0),
    ("permuted 7", 5_000.0),
    ("random 7", 100.0),
    ("snowflake t=1", 60.0),
];

/// Reads the table of divan: `├─ name  fastest │ slowest │ median │ mean │ …`, with the arguments of a bench below its name.
pub(super) fn read(said: &str) -> Vec<Time> {
    let mut times = Vec::new();
    let mut above = "";
    for line in said.lines().skip(1) {
        let Some((branch, rest)) = line.split_once("─ ") else { continue };
        let cells: Vec<_> = rest.split('│').map(str::trim).collect();
        let (name, fastest) = cells[0].split_once("  ").unwrap_or((cells[0], ""));
        let is_argument = branch.starts_with(['│', ' ']);
        if !is_argument {
            above = name;
        }
        let name = if is_argument { format!("{above} {name}") } else { name.to_owned() };
        if let (Some(fastest), Some(median)) = (nanos(fastest), cells.get(2).and_then(|cell| nanos(cell))) {
            times.push(Time { name, fastest, median });
        }
    }
    times
}

fn nanos(text: &str) -> Option<f64> {
    let (number, unit) = text.trim().split_once(' ')?;
    let factor = match unit {
        "ns" => 1.0,
        "µs" => 1e3,
        "ms" => 1e6,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * factor)
}

fn goal(time: &Time) -> Option<f64> {
    GOALS.iter().find(|(name, _)| *name == time.name).map(|(_, goal)| *goal)
}

/// The table for people.
pub(super) fn table(times: &[Time]) -> String {
    let mut lines = vec![format!("{:<22} {:>12} {:>12} {:>10}", "one code", "fastest ns", "median ns", "goal ns")];
    lines.extend(times.iter().map(|time| {
        let goal = goal(time).map(|goal| format!("{goal:.0}")).unwrap_or_default();
        format!("{:<22} {:>12.1} {:>12.1} {goal:>10}", time.name, time.fastest, time.median)
    }));
    lines.join("\n")
}

/// The table for machines.
pub(super) fn document(times: &[Time]) -> Value {
    let row = |time: &Time| json!({"name": time.name, "fastestNs": time.fastest, "medianNs": time.median, "goalNs": goal(time)});
    times.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "\
codes                     fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ base62_decode          11.73 ns      │ 45.85 ns      │ 13.08 ns      │ 13.72 ns      │ 100     │ 25600
├─ permuted                             │               │               │               │         │
│  ├─ 7                   1.08 µs       │ 3.194 µs      │ 1.161 µs      │ 1.182 µs      │ 100     │ 100
│  ╰─ 11                  1.116 µs      │ 1.321 µs      │ 1.218 µs      │ 1.214 µs      │ 100     │ 200
╰─ unlucky                129.6 ns      │ 6.819 µs      │ 139.6 ns      │ 203.1 ns      │ 100     │ 100
";

    fn time(name: &str, fastest: f64, median: f64) -> Time {
        Time { name: name.to_owned(), fastest, median }
    }

    #[test]
    fn every_time_is_read_with_its_argument() {
        let times = read(SAID);
        let expected = [
            time("base62_decode", 11.73, 13.08),
            time("permuted 7", 1_080.0, 1_161.0),
            time("permuted 11", 1_116.0, 1_218.0),
            time("unlucky", 129.6, 139.6),
        ];
        assert_eq!(times.len(), expected.len(), "{times:?}");
        for (found, expected) in times.iter().zip(expected) {
            assert_eq!(found.name, expected.name);
            assert!((found.fastest - expected.fastest).abs() < 1e-6 && (found.median - expected.median).abs() < 1e-6);
        }
    }

    #[test]
    fn what_has_a_goal_shows_it() {
        let shown = table(&read(SAID));
        assert!(shown.contains("permuted 11                  1116.0       1218.0       5000"), "{shown}");
        let rows = document(&read(SAID));
        assert_eq!((&rows[0]["goalNs"], &rows[3]["goalNs"]), (&json!(20.0), &Value::Null));
    }

    #[test]
    fn other_talk_has_no_times() {
        assert_eq!(read("error: no such bench\n"), []);
    }
}
