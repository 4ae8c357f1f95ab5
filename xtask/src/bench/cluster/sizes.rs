//! What links take on disk: the table and each of its indexes.

use crate::bench::BenchError;
use crate::bench::site::{Site, sql};
use serde_json::{Value, json};

/// Bytes of so many links.
#[derive(Debug, PartialEq)]
pub(super) struct Size {
    rows: u64,
    /// The table and the indexes by their names.
    parts: Vec<(String, u64)>,
}

pub(super) fn measure(numbers: &[u64], site: &Site<'_>) -> Result<Vec<Size>, BenchError> {
    let measure = |links: &u64| {
        let database = site.seed(*links)?;
        let said = site.postgres.try_run(&database, &sql("sizes.sql")?).map_err(BenchError::Database)?;
        read(&said).ok_or(BenchError::Database(said))
    };
    numbers.iter().map(measure).collect()
}

/// Lines of a name and a number; the first is that of the rows.
fn read(said: &str) -> Option<Size> {
    let mut parts = Vec::new();
    for line in said.lines() {
        let (name, number) = line.split_once('|')?;
        parts.push((name.to_owned(), number.parse().ok()?));
    }
    let rows = parts.iter().position(|(name, _)| name == "rows")?;
    let (_, rows) = parts.remove(rows);
    parts.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    (rows > 0).then_some(Size { rows, parts })
}

impl Size {
    fn all(&self) -> u64 {
        self.parts.iter().map(|(_, bytes)| bytes).sum()
    }

    fn lines(&self) -> Vec<String> {
        let line = |name: &str, bytes: u64| {
            format!("{:>10} {name:<22} {:>10.1} {:>10.1}", self.rows, exact(bytes) / 1_048_576.0, self.a_row(bytes))
        };
        let parts = self.parts.iter().map(|(name, bytes)| line(name, *bytes));
        parts.chain([line("all", self.all())]).collect()
    }

    fn a_row(&self, bytes: u64) -> f64 {
        exact(bytes) / exact(self.rows)
    }

    /// For machines.
    pub(super) fn document(&self) -> Value {
        let part =
            |(name, bytes): &(String, u64)| json!({ "name": name, "bytes": bytes, "bytesARow": self.a_row(*bytes) });
        let parts: Vec<_> = self.parts.iter().map(part).collect();
        json!({ "rows": self.rows, "bytes": self.all(), "bytesARow": self.a_row(self.all()), "parts": parts })
    }
}

#[expect(clippy::cast_precision_loss, reason = "no disk has as many bytes as would be rounded")]
fn exact(number: u64) -> f64 {
    number as f64
}

/// The table for people; nothing when there is nothing to show.
pub(super) fn table(sizes: &[Size]) -> String {
    if sizes.is_empty() {
        return String::new();
    }
    let head = format!("{:>10} {:<22} {:>10} {:>10}", "links", "", "MiB", "B a link");
    std::iter::once(head).chain(sizes.iter().flat_map(Size::lines)).collect::<Vec<_>>().join("\n")
}

#[test]
fn sizes_are_those_of_each_row() {
    let size = read("rows|4\nlinks_pkey|4194304\ntable|8388608").expect("it is whole");
    let lines = table(&[size]);
    let line = |number: usize| lines.lines().nth(number).map(|line| line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(line(1), Some(vec!["4", "table", "8.0", "2097152.0"]), "{lines}");
    assert_eq!(line(3), Some(vec!["4", "all", "12.0", "3145728.0"]), "{lines}");
    assert_eq!(read("rows|0\ntable|8192"), None);
    assert_eq!(read("no such table"), None);
}
