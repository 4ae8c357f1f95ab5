//! What the file system can do: one small record after the other, each on the disk before the next.

use super::BenchError;
use super::figures::Sample;
use std::fs::OpenOptions;
use std::io::{Result, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// As many bytes as a link takes.
const RECORD: [u8; 300] = [b'x'; 300];

/// Appends records to a file in `folder` for `time`, with an fdatasync after each.
pub(super) fn measure(folder: &Path, time: Duration) -> std::result::Result<Sample, BenchError> {
    appended(&folder.join("append"), time)
        .map_err(|source| BenchError::Folder { folder: folder.display().to_string(), source })
}

fn appended(path: &Path, time: Duration) -> Result<Sample> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let start = Instant::now();
    let mut latencies = Vec::new();
    let mut last = start;
    while last - start < time {
        file.write_all(&RECORD)?;
        file.sync_data()?;
        let now = Instant::now();
        latencies.push(now - last);
        last = now;
    }
    Ok(Sample { latencies, elapsed: last - start })
}
