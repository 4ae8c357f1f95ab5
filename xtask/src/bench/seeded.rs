//! Database files with many links, made once and kept.

use super::BenchError;
use super::release::Built;
use bench_visitors::links;
use std::fs;
use std::io::{BufWriter, Error, Result, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A copy, in `folder`, of the file with the first `count` links. The original is made when it is not there, which takes half
/// a minute for a million, and stays for the next time.
pub(super) fn copy(built: &Built, count: u64, folder: &Path) -> std::result::Result<PathBuf, BenchError> {
    let failed = |source| BenchError::Folder { folder: folder.display().to_string(), source };
    let kept = built.target().join("bench").join(format!("links-{count}.db"));
    if !kept.exists() {
        make(built, count, &kept).map_err(failed)?;
    }
    let copy = folder.join("hny.db");
    fs::copy(&kept, &copy).map_err(failed)?;
    Ok(copy)
}

/// Runs SQL on the file in this folder, which nobody has open.
pub(super) fn fill(built: &Built, folder: &Path, sql: &str) -> Result<()> {
    let mut fill = Command::new(&built.fill).arg(folder.join("hny.db")).stdin(Stdio::piped()).spawn()?;
    let mut input = fill.stdin.take().ok_or_else(|| Error::other("the SQL has nowhere to go"))?;
    input.write_all(sql.as_bytes())?;
    drop(input);
    let status = fill.wait()?;
    if status.success() { Ok(()) } else { Err(Error::other(format!("running the SQL failed: {status}"))) }
}

/// Makes it under another name, so that what has the name is whole.
fn make(built: &Built, count: u64, file: &Path) -> Result<()> {
    let part = file.with_extension("part");
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    remove_parts(file);
    eprintln!("    making {} with {count} links", file.display());
    let mut seed = Command::new(&built.seed).arg(&part).stdin(Stdio::piped()).spawn()?;
    let lines = seed.stdin.take().ok_or_else(|| Error::other("the seed has no input"))?;
    let written = write(BufWriter::new(lines), count);
    let status = seed.wait()?;
    if !status.success() {
        return Err(Error::other(format!("filling the file failed: {status}")));
    }
    written?;
    fs::rename(&part, file)?;
    remove_parts(file);
    Ok(())
}

/// Removes what an attempt that was broken off has left, or what lies beside an open database. Mostly there is none.
fn remove_parts(file: &Path) {
    for part in ["part", "part-wal", "part-shm", "part-lock"] {
        let _ = fs::remove_file(file.with_extension(part));
    }
}

fn write(mut lines: impl Write, count: u64) -> Result<()> {
    for number in 0..count {
        let code = links::code(number);
        writeln!(lines, "{} {}", links::text(code), links::target(code))?;
    }
    lines.flush()
}
