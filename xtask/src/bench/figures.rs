//! From latencies to figures, and how they are shown.

use serde_json::{Value, json};
use std::time::Duration;

/// What one measurement saw.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    /// How long each took.
    pub(super) latencies: Vec<Duration>,
    /// How long all took together.
    pub(super) elapsed: Duration,
}

impl Sample {
    fn per_second(&self) -> f64 {
        let count = u32::try_from(self.latencies.len()).unwrap_or(u32::MAX);
        f64::from(count) / self.elapsed.as_secs_f64()
    }
}

/// The samples of one way of working, one for each round.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) samples: Vec<Sample>,
}

impl Series {
    pub(super) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), samples: Vec::new() }
    }

    /// The figures, compared with others of the same rounds.
    pub(super) fn row(&self, others: &[&Self]) -> Row {
        let mut latencies: Vec<_> = self.samples.iter().flat_map(|sample| &sample.latencies).copied().collect();
        latencies.sort_unstable();
        Row {
            name: self.name.clone(),
            per_second: median(self.samples.iter().map(Sample::per_second)),
            slowest: self.samples.iter().map(Sample::per_second).reduce(f64::min).unwrap_or_default(),
            fastest: self.samples.iter().map(Sample::per_second).reduce(f64::max).unwrap_or_default(),
            p50: per_mille(&latencies, 500),
            p99: per_mille(&latencies, 990),
            ratios: others.iter().map(|other| self.ratio(other)).collect(),
        }
    }

    /// The median of the rounds' ratios: what slows a whole round down falls out.
    fn ratio(&self, other: &Self) -> f64 {
        let rounds = self.samples.iter().zip(&other.samples);
        median(rounds.map(|(ours, theirs)| ours.per_second() / theirs.per_second()))
    }
}

/// One line of the table.
#[derive(Debug)]
pub(super) struct Row {
    name: String,
    per_second: f64,
    /// The rates of the slowest and the fastest round: far apart, they say that somebody else was at work.
    slowest: f64,
    fastest: f64,
    p50: Duration,
    p99: Duration,
    ratios: Vec<f64>,
}

/// What the rows are compared with: the word for it in the table, and the field in the document.
pub(super) struct Other {
    pub(super) word: &'static str,
    pub(super) field: &'static str,
}

/// The table for people.
pub(super) fn table(rows: &[Row], others: &[Other]) -> String {
    let words: Vec<_> = others.iter().map(|other| format!(" {:>9}", format!("x {}", other.word))).collect();
    let words = words.concat();
    let mut lines = vec![format!(
        "{:<18} {:>10} {:>10} {:>10} {:>10} {:>10}{words}",
        "", "a second", "slowest", "fastest", "p50 ms", "p99 ms"
    )];
    lines.extend(rows.iter().map(|row| {
        let ratios: Vec<_> = row.ratios.iter().map(|ratio| format!(" {ratio:>9.2}")).collect();
        let ratios = ratios.concat();
        format!(
            "{:<18} {:>10.0} {:>10.0} {:>10.0} {:>10.3} {:>10.3}{ratios}",
            row.name,
            row.per_second,
            row.slowest,
            row.fastest,
            millis(row.p50),
            millis(row.p99),
        )
    }));
    lines.join("\n")
}

/// The table for machines.
pub(super) fn document(rows: &[Row], others: &[Other]) -> Value {
    let row = |row: &Row| {
        let mut document = json!({
            "name": row.name, "perSecond": row.per_second, "slowest": row.slowest, "fastest": row.fastest,
            "p50Ms": millis(row.p50), "p99Ms": millis(row.p99),
        });
        for (other, ratio) in others.iter().zip(&row.ratios) {
            document[other.field] = json!(ratio);
        }
        document
    };
    json!({ "rows": rows.iter().map(row).collect::<Vec<_>>() })
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The value below which so many of a thousand of the sorted values lie; zero when there are none.
pub(super) fn per_mille<T: Copy + Default>(sorted: &[T], rank: usize) -> T {
    let index = (sorted.len() * rank).div_ceil(1000).saturating_sub(1);
    sorted.get(index).copied().unwrap_or_default()
}

/// The middle value; of an even number, the upper one of the two in the middle. Zero when there are none.
pub(super) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests;
