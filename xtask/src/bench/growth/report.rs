//! From rounds to figures, and how they are shown.

use super::subject::Subject;
use crate::bench::figures::median;
use serde_json::{Value, json};

/// One line of the table: medians over the rounds.
#[derive(Debug)]
pub(super) struct Row {
    links: u64,
    /// Microseconds of processor time for each redirect, and the median of the rounds' ratios to the first size.
    hot: f64,
    hot_ratio: f64,
    cold: f64,
    cold_ratio: f64,
    creates: f64,
    ready_millis: f64,
    idle_mib: f64,
    warm_mib: f64,
    bytes_a_link: f64,
    file_mib: f64,
}

impl Row {
    pub(super) fn new(subject: &Subject, first: &Subject) -> Self {
        Self {
            links: subject.links,
            hot: median(subject.hot().iter().copied()),
            hot_ratio: ratio(subject.hot(), first.hot()),
            cold: median(subject.cold().iter().copied()),
            cold_ratio: ratio(subject.cold(), first.cold()),
            creates: median(subject.created.iter().copied()),
            ready_millis: subject.start.ready.as_secs_f64() * 1e3,
            idle_mib: mib(subject.start.idle.own),
            warm_mib: mib(subject.warm.own),
            bytes_a_link: subject.bytes_a_link,
            file_mib: mib(subject.file_bytes),
        }
    }

    fn line(&self) -> String {
        format!(
            "{:>10} {:>7.2} {:>7.2} {:>8.2} {:>7.2} {:>9.0} {:>9.1} {:>9.1} {:>9.1} {:>9.0} {:>9.1}",
            self.links,
            self.hot,
            self.hot_ratio,
            self.cold,
            self.cold_ratio,
            self.creates,
            self.ready_millis,
            self.idle_mib,
            self.warm_mib,
            self.bytes_a_link,
            self.file_mib
        )
    }

    fn document(&self) -> Value {
        json!({
            "links": self.links, "hotMicros": self.hot, "hotRatio": self.hot_ratio, "coldMicros": self.cold,
            "coldRatio": self.cold_ratio, "createsPerSecond": self.creates, "readyMillis": self.ready_millis,
            "idleMiB": self.idle_mib, "warmMiB": self.warm_mib, "bytesALinkAboveTarget": self.bytes_a_link,
            "fileMiB": self.file_mib,
        })
    }
}

fn ratio(ours: &[f64], first: &[f64]) -> f64 {
    median(ours.iter().zip(first).map(|(ours, first)| ours / first))
}

fn mib(bytes: u64) -> f64 {
    f64::from(u32::try_from(bytes / 1024).unwrap_or(u32::MAX)) / 1024.0
}

#[expect(clippy::print_stdout, reason = "the figures are the data of this command")]
pub(super) fn print(rows: &[Row], json: bool) {
    if json {
        println!("{}", json!({ "rows": rows.iter().map(Row::document).collect::<Vec<_>>() }));
        return;
    }
    println!(
        "{:>10} {:>7} {:>7} {:>8} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "links",
        "hot µs",
        "x first",
        "cold µs",
        "x first",
        "creates/s",
        "ready ms",
        "idle MiB",
        "warm MiB",
        "B a link",
        "file MiB"
    );
    for row in rows {
        println!("{}", row.line());
    }
}
