//! The program as people get it.

use super::BenchError;
use crate::command::{command, output};
use serde_json::Value;
use std::path::PathBuf;

const PROGRAM: &str = "hny";

/// Builds the release and returns where it lies, wherever cargo was told to put it.
pub(super) fn build() -> Result<PathBuf, BenchError> {
    let words = ["cargo", "build", "--release", "--locked", "--package", PROGRAM];
    let said = output(command(&words).arg("--message-format=json-render-diagnostics"))?;
    said.lines().find_map(executable).ok_or(BenchError::NoProgram(PROGRAM))
}

/// The path in a message of cargo, if it is about our program.
fn executable(line: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    let ours = message["target"]["name"] == PROGRAM;
    let path = message["executable"].as_str()?;
    ours.then(|| PathBuf::from(path))
}

#[test]
fn the_program_is_found_among_the_messages() {
    let find = |line: &str| executable(line);
    assert_eq!(find(r#"{"target":{"name":"hny"},"executable":"/t/hny"}"#), Some("/t/hny".into()));
    assert_eq!(find(r#"{"target":{"name":"hny"},"executable":null}"#), None);
    assert_eq!(find(r#"{"target":{"name":"other"},"executable":"/t/other"}"#), None);
    assert_eq!(find("Compiling"), None);
}
