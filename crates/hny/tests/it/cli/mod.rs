//! The command line.

mod block;
mod config;
mod health;
mod key;
mod migrate;
mod output;
mod resolve;
mod shorten;
mod stats;

use std::process::Output;

/// What was written to the standard output, without its line end.
fn said(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("data is text").trim_end_matches('\n')
}

/// What was written to the standard error stream.
fn talk(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("talk is text")
}

/// Asserts that a command failed with this exit code, explained itself on stderr, and wrote no data.
fn assert_failed(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert_eq!(said(output), "", "{output:?}");
    assert_ne!(talk(output).trim(), "");
}
