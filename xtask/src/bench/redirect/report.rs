//! From rounds to figures, and how they are shown.

use crate::bench::figures::{median, per_mille};
use crate::bench::processors::Spent;
use bench_visitors::Sample;
use serde_json::{Value, json};
use std::time::Duration;

/// What one measurement of one case saw; times in microseconds for each request.
#[derive(Clone, Debug)]
pub(super) struct Round {
    per_second: f64,
    cpu: f64,
    user: f64,
    asker: f64,
    bytes: usize,
    latencies: Vec<u32>,
}

impl Round {
    pub(super) fn new(sample: Sample, spent: Spent) -> Self {
        let count = f64::from(u32::try_from(sample.latencies.len()).unwrap_or(u32::MAX));
        let each = |time: Duration| time.as_secs_f64() * 1e6 / count;
        Self {
            per_second: count / sample.elapsed.as_secs_f64(),
            cpu: each(spent.total),
            user: each(spent.user),
            asker: each(sample.own),
            bytes: sample.bytes,
            latencies: sample.latencies,
        }
    }
}

/// One line of the table: medians over the rounds, times in microseconds.
#[derive(Debug)]
pub(super) struct Row {
    name: String,
    cpu: f64,
    user: f64,
    /// The least and the most of any round: far apart, they say that somebody else was at work.
    least: f64,
    most: f64,
    /// The medians of the rounds' ratios of processor time: what slows a whole round down falls out.
    to_nginx: f64,
    to_floor: f64,
    /// The median of what the rounds cost beyond those of the node that records no clicks: so much is a click.
    beyond_uncounted: f64,
    per_second: f64,
    p50: f64,
    p99: f64,
    p999: f64,
    /// Processor time of the asking side.
    asker: f64,
    bytes: usize,
}

impl Row {
    pub(super) fn new(name: String, rounds: &[Round], nginx: &[Round], floor: &[Round], uncounted: &[Round]) -> Self {
        let of = |figure: fn(&Round) -> f64| median(rounds.iter().map(figure));
        let ratio = |others: &[Round]| median(rounds.iter().zip(others).map(|(ours, theirs)| ours.cpu / theirs.cpu));
        let beyond = median(rounds.iter().zip(uncounted).map(|(ours, theirs)| ours.cpu - theirs.cpu));
        let mut latencies: Vec<_> = rounds.iter().flat_map(|round| &round.latencies).copied().collect();
        latencies.sort_unstable();
        let latency = |rank| f64::from(per_mille(&latencies, rank)) / 1e3;
        Self {
            name,
            cpu: of(|round| round.cpu),
            user: of(|round| round.user),
            least: rounds.iter().map(|round| round.cpu).reduce(f64::min).unwrap_or_default(),
            most: rounds.iter().map(|round| round.cpu).reduce(f64::max).unwrap_or_default(),
            to_nginx: ratio(nginx),
            to_floor: ratio(floor),
            beyond_uncounted: beyond,
            per_second: of(|round| round.per_second),
            p50: latency(500),
            p99: latency(990),
            p999: latency(999),
            asker: of(|round| round.asker),
            bytes: rounds.last().map_or(0, |round| round.bytes),
        }
    }

    fn line(&self) -> String {
        format!(
            "{:<26} {:>7.2} {:>6.2} {:>6.2} {:>13} {:>8.2} {:>8.2} {:>8.2} {:>9.0} {:>7.0} {:>7.0} {:>7.0} {:>7.2} {:>6}",
            self.name,
            self.cpu,
            self.user,
            self.cpu - self.user,
            format!("{:.2}-{:.2}", self.least, self.most),
            self.to_nginx,
            self.to_floor,
            self.beyond_uncounted,
            self.per_second,
            self.p50,
            self.p99,
            self.p999,
            self.asker,
            self.bytes
        )
    }

    fn document(&self) -> Value {
        json!({
            "name": self.name, "cpuMicros": self.cpu, "userMicros": self.user, "systemMicros": self.cpu - self.user,
            "leastCpuMicros": self.least, "mostCpuMicros": self.most, "ratioToNginx": self.to_nginx,
            "ratioToEpoll": self.to_floor, "beyondUncountedMicros": self.beyond_uncounted, "perSecond": self.per_second, "p50Micros": self.p50, "p99Micros": self.p99,
            "p999Micros": self.p999, "askerCpuMicros": self.asker, "bytes": self.bytes,
        })
    }
}

/// The table for people.
fn table(rows: &[Row]) -> String {
    let mut lines = vec![format!(
        "{:<26} {:>7} {:>6} {:>6} {:>13} {:>8} {:>8} {:>8} {:>9} {:>7} {:>7} {:>7} {:>7} {:>6}",
        "times in µs",
        "CPU",
        "user",
        "system",
        "rounds",
        "x nginx",
        "x epoll",
        "+ click",
        "a second",
        "p50",
        "p99",
        "p99.9",
        "asker",
        "bytes"
    )];
    lines.extend(rows.iter().map(Row::line));
    lines.join("\n")
}

#[expect(clippy::print_stdout, reason = "the figures are the data of this command")]
pub(super) fn print(rows: &[Row], json: bool) {
    if json {
        println!("{}", json!({ "rows": rows.iter().map(Row::document).collect::<Vec<_>>() }));
    } else {
        println!("{}", table(rows));
    }
}
