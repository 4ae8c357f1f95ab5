//! How long answers to questions took.

use serde_json::{Value, json};
use std::time::Duration;

/// The times of one question.
pub(super) struct Row {
    question: String,
    times: Vec<Duration>,
}

impl Row {
    pub(super) fn new(question: impl Into<String>) -> Self {
        Self { question: question.into(), times: Vec::new() }
    }

    pub(super) fn add(&mut self, time: Duration) {
        self.times.push(time);
    }

    fn median(&self) -> Duration {
        self.times.get(self.times.len() / 2).copied().unwrap_or_default()
    }

    fn quickest(&self) -> Duration {
        self.times.first().copied().unwrap_or_default()
    }

    fn slowest(&self) -> Duration {
        self.times.last().copied().unwrap_or_default()
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Prints a table, or a JSON document.
#[expect(clippy::print_stdout, reason = "the figures are the data of the command")]
pub(super) fn print(rows: &mut [Row], json: bool) {
    for row in &mut *rows {
        row.times.sort_unstable();
    }
    if json {
        let rows = rows.iter().map(|row| {
            json!({
                "question": row.question,
                "medianMillis": millis(row.median()),
                "quickestMillis": millis(row.quickest()),
                "slowestMillis": millis(row.slowest()),
            })
        });
        println!("{}", rows.collect::<Value>());
        return;
    }
    println!("{:<44} {:>10} {:>20}", "times in ms", "median", "quickest to slowest");
    for row in rows {
        let range = format!("{:.1} to {:.1}", millis(row.quickest()), millis(row.slowest()));
        println!("{:<44} {:>10.1} {range:>20}", row.question, millis(row.median()));
    }
}
