//! How many redirects a node's cache answers, where few of many links are asked for often: simulated with the cache itself.

use crate::bench::BenchError;
use crate::command::{command, output};
use serde_json::{Value, json};

/// What one simulation came to.
#[derive(Debug, PartialEq)]
pub(super) struct Hits {
    /// How steeply what is asked for often stands out.
    exponent: f64,
    mib: u64,
    /// How many links are in the cache.
    entries: u64,
    rate: f64,
}

/// Has caches of these sizes simulated.
pub(super) fn simulate(mib: &[u64]) -> Result<Vec<Hits>, BenchError> {
    let words = ["cargo", "bench", "--locked", "--package", "hny-resolve", "--bench", "hits", "--"];
    let said = output(command(&words).args(mib.iter().map(u64::to_string)))?;
    let hits: Vec<_> = said.lines().filter_map(read).collect();
    if hits.is_empty() { Err(BenchError::NoHitRate(said)) } else { Ok(hits) }
}

/// A line such as `zipf 1.1 cache 256 entries 1390012 hits 0.5712`.
fn read(line: &str) -> Option<Hits> {
    let words: Vec<_> = line.split_whitespace().collect();
    let ["zipf", exponent, "cache", mib, "entries", entries, "hits", rate] = words.as_slice() else { return None };
    Some(Hits {
        exponent: exponent.parse().ok()?,
        mib: mib.parse().ok()?,
        entries: entries.parse().ok()?,
        rate: rate.parse().ok()?,
    })
}

impl Hits {
    fn line(&self) -> String {
        format!("{:>10.2} {:>10} {:>10} {:>9.1} %", self.exponent, self.mib, self.entries, self.rate * 100.0)
    }

    /// For machines.
    pub(super) fn document(&self) -> Value {
        json!({ "exponent": self.exponent, "cacheMiB": self.mib, "entries": self.entries, "hitRate": self.rate })
    }
}

/// The table for people; nothing when there is nothing to show.
pub(super) fn table(hits: &[Hits]) -> String {
    if hits.is_empty() {
        return String::new();
    }
    let head = format!("{:>10} {:>10} {:>10} {:>11}", "Zipf", "cache MiB", "links", "hits");
    std::iter::once(head).chain(hits.iter().map(Hits::line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_the_simulation_says_is_read() {
    let hits = read("zipf 1.1 cache 256 entries 1390012 hits 0.5712").expect("it is whole");
    assert_eq!(hits, Hits { exponent: 1.1, mib: 256, entries: 1_390_012, rate: 0.5712 });
    assert!(table(&[hits]).ends_with("      1.10        256    1390012      57.1 %"));
    assert_eq!(read("Running benches/hits.rs"), None);
}
