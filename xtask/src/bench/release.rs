//! The programs, built as people get them.

use super::BenchError;
use crate::command::{command, output};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Where the built programs lie, wherever cargo was told to put them.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) hny: PathBuf,
    /// The bare responder.
    pub(super) epoll: PathBuf,
    /// What fills database files.
    pub(super) seed: PathBuf,
    /// What runs SQL on them.
    pub(super) fill: PathBuf,
}

impl Built {
    /// The folder of the release build, on a disk: the folder for temporary files may be memory, which is always in sync.
    pub(super) fn folder(&self) -> &Path {
        self.hny.parent().unwrap_or(Path::new("."))
    }

    /// The folder of all that cargo builds.
    pub(super) fn target(&self) -> &Path {
        self.folder().parent().unwrap_or(Path::new("."))
    }
}

/// Builds the release, and what the benches need beside it.
pub(super) fn build() -> Result<Built, BenchError> {
    built(program(&HNY)?)
}

/// Builds the release with Kafka and ClickHouse.
pub(super) fn build_for_kafka() -> Result<Built, BenchError> {
    built(program(&[&HNY[..], &["--features", "clickhouse,kafka"]].concat())?)
}

const HNY: [&str; 4] = ["--package", "hny", "--bin", "hny"];

fn built(hny: PathBuf) -> Result<Built, BenchError> {
    // One after the other: together, the needs of one would change what the others' dependencies are built with.
    Ok(Built {
        hny,
        epoll: program(&["--package", "epoll-responder", "--bin", "epoll-responder"])?,
        seed: program(&["--package", "hny-store", "--example", "seed"])?,
        fill: program(&["--package", "hny-store", "--example", "fill"])?,
    })
}

/// Builds the program of hny alone.
pub(super) fn hny() -> Result<PathBuf, BenchError> {
    program(&HNY)
}

fn program(which: &[&'static str]) -> Result<PathBuf, BenchError> {
    let words = ["cargo", "build", "--release", "--locked", "--message-format=json-render-diagnostics"];
    let said = output(command(&words).args(which))?;
    let name = which[3];
    said.lines().find_map(|line| executable(line, name)).ok_or(BenchError::NoProgram(name))
}

/// The path in a message of cargo, if it is about the program called `name`.
fn executable(line: &str, name: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    let ours = message["target"]["name"] == name;
    let path = message["executable"].as_str()?;
    ours.then(|| PathBuf::from(path))
}

#[test]
fn the_program_is_found_among_the_messages() {
    let find = |line: &str| executable(line, "hny");
    assert_eq!(find(r#"{"target":{"name":"hny"},"executable":"/t/hny"}"#), Some("/t/hny".into()));
    assert_eq!(find(r#"{"target":{"name":"hny"},"executable":null}"#), None);
    assert_eq!(find(r#"{"target":{"name":"other"},"executable":"/t/other"}"#), None);
    assert_eq!(find("Compiling"), None);
}
